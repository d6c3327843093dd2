import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { event } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { neighbours } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { LiveService } from './live.service';

interface Stream {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Returns everything received so far. */
  text(): string;
  hints(): { kind: string; id: number; version: number }[];
  readonly ended: Promise<void>;
  close(): void;
}

describe('live updates', () => {
  let api: ApiHarness;
  let beside: ApiHarness;
  let jane: TestAccount;
  let tom: TestAccount;
  let admin: TestAccount;
  const streams: Stream[] = [];
  beforeAll(async () => {
    api = await apiHarness();
    beside = await apiHarness({ beside: api });
    [jane, tom, admin] = [await api.user(), await api.user(), await api.admin()];
  });
  afterAll(async () => {
    for (const stream of streams) stream.close();
    await beside.close();
    await api.close();
  });

  async function open(account: { token: string }, at: ApiHarness = api): Promise<Stream> {
    const stream = await connect(at, account.token);
    streams.push(stream);
    await until(() => stream.text().includes(': connected'));
    return stream;
  }

  async function statusChanged(account: TestAccount, id: number, version: number): Promise<void> {
    await api.deps.db.tx('test.event', (tx) =>
      api.deps.outbox.append(
        tx,
        event('deployment.status_changed', id, {
          deployment_id: id,
          user_id: account.id,
          client_name: 'secret-name-of-jane',
          package: 'pangolin',
          from: 'CREATING',
          to: 'PROVISIONING',
          version,
          failure_reason: null,
          billable_from: null,
          billable_to: null,
        }),
      ),
    );
    await api.run();
  }

  it('reach the owner in every process and administrators only, without contents', async () => {
    const [own, elsewhere, stranger, boss] = [
      await open(jane),
      await open(jane, beside),
      await open(tom),
      await open(admin),
    ];
    expect(own.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    await statusChanged(jane, 7, 3);
    const wanted = { kind: 'deployment', id: 7, version: 3 };
    await until(() =>
      [own, elsewhere, boss].every((stream) =>
        stream.hints().some((hint) => hint.id === 7 && hint.kind === 'deployment'),
      ),
    );
    expect(own.hints()).toContainEqual(wanted);
    expect(own.hints().map(({ kind }) => kind)).toContain('balance');
    expect(boss.hints()).toContainEqual(wanted);
    expect(boss.hints().map(({ kind }) => kind)).not.toContain('balance');
    // A hint for Tom shows that his stream works and does not contain Jane's.
    await statusChanged(tom, 8, 1);
    await until(() => stranger.hints().some((hint) => hint.id === 8));
    expect(stranger.hints().some((hint) => hint.id === 7)).toBe(false);
    expect(own.text()).not.toContain('secret-name-of-jane');
  });

  it('reject a token in the URL', async () => {
    expect((await api.http.get('/api/live').query({ token: jane.token, access_token: jane.token })).status).toBe(401);
  });

  it('replace the first tab when a seventh opens', async () => {
    const account = await api.user();
    const tabs: Stream[] = [];
    for (let i = 0; i < 7; i++) tabs.push(await open(account));
    await tabs[0]?.ended;
    await statusChanged(account, 20, 1);
    await until(() => tabs.slice(1).every((tab) => tab.hints().some((hint) => hint.id === 20)));
  });

  it('are merged into the newest one per object', async () => {
    const stream = await open(jane);
    const facts = { deployment_id: 30, user_id: jane.id, step: 'start-stack', outcome: 'waiting' } as const;
    const steps = Array.from({ length: 50 }, () => event('deployment.step_progressed', 30, facts));
    await (await neighbours(api)).append(...steps);
    await api.run();
    await until(() => stream.hints().some((hint) => hint.id === 30 && hint.version === 50));
    expect(stream.hints().filter((hint) => hint.id === 30).length).toBeLessThan(50);
  });

  it('end with the session', async () => {
    const account = await api.user();
    const other = await apiHarness({ beside: api });
    const still = beating(other);
    try {
      const stream = await open(account, other);
      await until(() => stream.text().includes(': still here'));
      await other.http.post('/api/auth/logout').set(account.auth);
      other.pass(60_000);
      await stream.ended;
    } finally {
      await still();
      await other.close();
    }
  });

  it('use no tab of the user during impersonation, and end with it', async () => {
    const other = await apiHarness({ beside: api });
    const still = beating(other);
    try {
      const [administrator, account] = [await api.admin(), await api.user()];
      const tabs: Stream[] = [];
      for (let i = 0; i < 6; i++) tabs.push(await open(account, other));
      const path = `/api/users/${account.id}/impersonation`;
      const impersonated = async () => {
        const impersonation = await other.http.post(path).set(administrator.auth).send({ reason: 'to help' });
        return open({ token: (impersonation.body as { access_token: string }).access_token }, other);
      };
      const stream = await impersonated();
      await statusChanged(account, 40, 1);
      await until(() => [stream, ...tabs].every((each) => each.hints().some(({ id }) => id === 40)));
      await other.http.delete(path).set(administrator.auth);
      other.pass(60_000);
      await stream.ended;
      const forgotten = await impersonated();
      other.pass(CONSTANTS.impersonationMs);
      await forgotten.ended;
    } finally {
      await still();
      await other.close();
    }
  });

  it('continue to send heartbeats while sessions cannot be looked up', async () => {
    let away = false;
    const other = await apiHarness({
      beside: api,
      deps: (deps) => ({
        ...deps,
        db: {
          ...deps.db,
          tx: (name, fn) => (away ? Promise.reject(new Error('the database is away')) : deps.db.tx(name, fn)),
        },
      }),
    });
    const still = beating(other);
    try {
      const [first, second] = [await open(jane, other), await open(tom, other)];
      away = true;
      other.pass(60_000);
      const received = [first, second].map((stream) => stream.text().length);
      await until(() => [first, second].every((stream, index) => stream.text().length > (received[index] ?? 0) + 100));
    } finally {
      away = false;
      await still();
      await other.close();
    }
  });

  it('end when the api closes', async () => {
    const other = await apiHarness({ beside: api });
    const stream = await open(jane, other);
    await other.close();
    await stream.ended;
  });
});

/** Sends heartbeats continuously, even after a failure, until the returned function is called. */
function beating({ api, deps }: ApiHarness): () => Promise<void> {
  const live = api.app.get(LiveService);
  return deps.clock.every(
    20,
    () => live.heartbeat(),
    () => undefined,
  );
}

function connect(api: ApiHarness, token: string): Promise<Stream> {
  const { port } = api.api.app.getHttpServer().address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const request = get(
      { port, host: '127.0.0.1', path: '/api/live', headers: { authorization: `Bearer ${token}` }, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        const ended = new Promise<void>((done) => response.once('close', done));
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: () => text,
          hints: () =>
            text
              .split('\n\n')
              .filter((part) => part.startsWith('data: '))
              .map((part) => JSON.parse(part.slice('data: '.length)) as { kind: string; id: number; version: number }),
          ended,
          close: () => request.destroy(),
        });
      },
    );
    request.on('error', reject);
  });
}

async function until(condition: () => boolean, deadline_ms = 45_000): Promise<void> {
  const end = Date.now() + deadline_ms;
  while (!condition()) {
    if (Date.now() > end) throw new Error('it did not come to be in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
