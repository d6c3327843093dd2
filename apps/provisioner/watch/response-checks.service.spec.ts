import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CHECK_AGAIN_MS, HOUR_MS, iso, MINUTE_MS } from '@moorage/domain';
import type { Dialer } from '../ssh/types';
import { crashPoints } from '@moorage/tests/services/provisioner/crash-points';
import { type FixtureActor, type ProvisionerFixture, fixturesOfSuite } from '@moorage/tests/services/provisioner';

interface Row {
  readonly due_at: number | null;
  readonly state: string;
  readonly since: number | null;
  readonly checked_at: number | null;
  readonly response_ms: number | null;
  readonly is_quiet: boolean;
}
interface Sent {
  readonly state: string;
  readonly at: string;
}

const openFixture = fixturesOfSuite();
let server: Server;
/** Response of all deployments' servers, and the number of requests. */
let status = 200;
let requested = 0;
let duringRequest: () => Promise<unknown> = () => Promise.resolve();
const dialer: Dialer = {
  dial: () => Promise.resolve({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }),
};
let fixture: ProvisionerFixture;
let actor: FixtureActor;

beforeAll(async () => {
  server = createServer((_, response) => {
    requested += 1;
    void duringRequest().then(() => response.writeHead(status).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
});
beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor({ dialer });
  [status, requested, duringRequest] = [200, 0, () => Promise.resolve()];
});

const check = () => actor.provisioner.reachability.run();
async function rowOf(id: number): Promise<Row | undefined> {
  const [row] = await fixture.database.sql<Row>('select * from reachability where deployment_id = $1', [id]);
  return row;
}
async function sent(): Promise<Sent[]> {
  const rows = await fixture.database.sql<{ data: Sent }>(
    `select data from outbox where event_name = 'deployment.reachability_changed' order by id`,
  );
  return rows.map(({ data: { state, at } }) => ({ state, at }));
}
async function reported(): Promise<string[]> {
  const rows = await fixture.database.sql<{ data: { kind: string; change: string } }>(
    `select data from outbox where event_name = 'deployment.incident_changed' order by id`,
  );
  return rows.map(({ data: { kind, change } }) => `${kind} ${change}`);
}

/** Creates a deployment without a domain, which is checked at its address over HTTP. */
async function running(): Promise<number> {
  const id = await fixture.order({ package: 'test-page', domain: null });
  await fixture.until(actor, id, 'ACTIVE');
  await fixture.settle(actor);
  return id;
}
async function reachable(): Promise<number> {
  const id = await running();
  fixture.clock.at += 2 * MINUTE_MS;
  await check();
  return id;
}
/** Runs the check each time it is due. */
async function checks(id: number, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    fixture.clock.at = (await rowOf(id))?.due_at ?? fixture.clock.at;
    await check();
  }
}

describe('running deployment', () => {
  it('is checked two minutes after it started and then every minute', async () => {
    const id = await running();
    await check();
    expect(requested).toBe(0);
    fixture.clock.at += 2 * MINUTE_MS;
    const first = fixture.clock.at;
    await check();
    await check();
    expect(requested).toBe(1);
    const due_at = first + CHECK_AGAIN_MS;
    expect(await rowOf(id)).toMatchObject({ state: 'reachable', since: first, checked_at: first, due_at });
    expect(await sent()).toEqual([{ state: 'reachable', at: iso(first) }]);
    await checks(id, 2);
    expect([requested, (await sent()).length]).toEqual([3, 1]);
    expect(await rowOf(id)).toMatchObject({ is_quiet: true, checked_at: first + 2 * CHECK_AGAIN_MS });
  });

  it('is unreachable after two failures and reachable after two responses, and reported once each', async () => {
    const id = await reachable();
    status = 502;
    fixture.clock.at += MINUTE_MS;
    const from = fixture.clock.at;
    await check();
    expect(await rowOf(id)).toMatchObject({ state: 'reachable', is_quiet: false, response_ms: null });
    await checks(id, 1);
    expect(await rowOf(id)).toMatchObject({ state: 'unreachable', since: from });
    await checks(id, 3);
    status = 401;
    await checks(id, 1);
    const to = fixture.clock.at;
    expect(await rowOf(id)).toMatchObject({ state: 'unreachable' });
    await checks(id, 1);
    expect(await rowOf(id)).toMatchObject({ state: 'reachable', since: to });
    expect((await sent()).slice(1).map(({ state }) => state)).toEqual(['unreachable', 'reachable']);
    expect(await fixture.database.sql('select kind, began_at, ended_at from incidents')).toEqual([
      { kind: 'down', began_at: from, ended_at: to },
    ]);
    await checks(id, 20);
    expect(await reported()).toEqual(['down began', 'down told', 'down ended', 'down settled']);
    expect(await rowOf(id)).toMatchObject({ is_quiet: true });
  });

  it('that goes up and down for an hour is one incident with one email', async () => {
    const id = await reachable();
    for (let round = 0; round < 15; round++) {
      status = 502;
      await checks(id, 3);
      status = 200;
      await checks(id, 2);
    }
    expect(await fixture.database.sql('select kind, returned from incidents')).toEqual([
      { kind: 'down', returned: 14 },
    ]);
    expect((await reported()).filter((line) => line.endsWith('told'))).toEqual(['down told']);
  });

  it('has metrics in spans of five minutes', async () => {
    const id = await reachable();
    fixture.clock.at = Math.ceil(fixture.clock.at / HOUR_MS) * HOUR_MS;
    for (let minute = 0; minute < 10; minute++) {
      status = minute === 3 ? 500 : 200;
      await check();
      fixture.clock.at += MINUTE_MS;
    }
    const rows = await fixture.database.sql(
      `select checks, failed, cardinality(response_ms) as answered from metrics where deployment_id = $1
       order by at desc limit 2`,
      [id],
    );
    expect(rows).toEqual([
      { checks: 5, failed: 0, answered: 5 },
      { checks: 5, failed: 1, answered: 4 },
    ]);
  });

  it.each(['reachability.take.committed', 'reachability.save', 'reachability.save.committed'])(
    'is checked again by the next process and reported once after a crash at %s',
    async (place) => {
      await running();
      fixture.clock.at += 2 * MINUTE_MS;
      const dying = await fixture.actor({ points: crashPoints((name) => name === place), dialer });
      await expect(dying.provisioner.reachability.run()).rejects.toThrow(place);
      fixture.clock.at += 5 * MINUTE_MS;
      await check();
      expect((await sent()).map(({ state }) => state)).toEqual(['reachable']);
      expect(await fixture.database.sql('select state, streaks from reachability')).toEqual([
        { state: 'reachable', streaks: {} },
      ]);
    },
  );

  it('is checked by one of two processes', async () => {
    await running();
    fixture.clock.at += 2 * MINUTE_MS;
    const other = await fixture.actor({ dialer: { dial: () => Promise.reject(new Error('not me')) } });
    duringRequest = () => other.provisioner.reachability.run();
    await check();
    expect(requested).toBe(1);
    expect(await fixture.database.sql('select state, streaks from reachability')).toEqual([
      { state: 'reachable', streaks: {} },
    ]);
  });
});

describe('deployment being changed', () => {
  it('is not checked during a restart and for two minutes afterwards', async () => {
    const id = await reachable();
    fixture.clock.at += HOUR_MS;
    await fixture.request(id, 'restart');
    await check();
    expect(requested).toBe(1);
    await fixture.until(actor, id, 'ACTIVE');
    await fixture.settle(actor);
    await check();
    expect(requested).toBe(1);
    expect(await rowOf(id)).toMatchObject({ state: 'reachable', due_at: fixture.clock.at + 2 * MINUTE_MS });
    await checks(id, 1);
    expect(requested).toBe(2);
  });

  it('is not checked during a run, but a minute later', async () => {
    const id = await reachable();
    fixture.clock.at += HOUR_MS;
    await fixture.database.sql(`update runs set state = 'running', finished_at = null where deployment_id = $1`, [id]);
    await check();
    expect(requested).toBe(1);
    expect((await rowOf(id))?.due_at).toBe(fixture.clock.at + CHECK_AGAIN_MS);
  });

  it('is not judged by a response from before its change', async () => {
    const id = await running();
    fixture.clock.at += 2 * MINUTE_MS;
    duringRequest = () => fixture.request(id, 'restart');
    await check();
    expect(requested).toBe(1);
    expect(await rowOf(id)).toMatchObject({ state: 'unknown', checked_at: null });
    expect(await sent()).toEqual([]);
  });

  it('is not checked while it is being destroyed, and its outage ends without an email', async () => {
    const id = await reachable();
    status = 503;
    await checks(id, 3);
    await fixture.request(id, 'delete');
    const at = fixture.clock.at;
    await fixture.until(actor, id, 'DESTROYED');
    await fixture.settle(actor);
    expect(await rowOf(id)).toMatchObject({ state: 'unknown', since: null, due_at: null });
    const [incident] = await fixture.database.sql<{ ended_at: number }>('select ended_at, told_at from incidents');
    expect(incident?.ended_at).toBeGreaterThanOrEqual(at);
    expect((await reported()).filter((line) => line.endsWith('told'))).toEqual([]);
    fixture.clock.at += HOUR_MS;
    await check();
    expect(requested).toBe(4);
  });
});

describe('many deployments', () => {
  /** Inserts deployments that have been running for a long time. */
  async function seeded(count: number): Promise<void> {
    await fixture.database.sql(
      `insert into deployments (user_id, ref, client_name, client_id, package, server_type, support_level, instance_hourly_micros,
         status, instance_ip, created_at, updated_at)
       select 1, 'seed' || lpad(i::text, 12, '0'), 'seed-' || i, 'seed-' || i, 'pangolin', 'new', 1, 35600, 'ACTIVE',
         '198.18.0.0'::inet + i, $2, $2 from generate_series(1, $1) i`,
      [count, iso(fixture.clock.at)],
    );
    await fixture.database.sql(
      `insert into reachability (deployment_id, due_at, state, since, is_quiet)
       select id, $1, 'reachable', $1, true from deployments`,
      [iso(fixture.clock.at)],
    );
  }
  const failed = () => fixture.database.sql(`select count(*)::int as count from reachability where streaks ? 'down'`);

  it('are all checked in one tick, in more than one batch', async () => {
    await seeded(230);
    await check();
    expect(requested).toBe(230);
  });

  it('are not counted if none responds, and are checked again after a minute', async () => {
    await seeded(10);
    status = 500;
    await check();
    expect(await failed()).toEqual([{ count: 0 }]);
    expect(actor.reported).toEqual([expect.stringContaining('no deployment responds')]);
    fixture.clock.at += MINUTE_MS;
    status = 200;
    await check();
    expect(requested).toBe(20);
    expect(await failed()).toEqual([{ count: 0 }]);
  });

  it('raise an alert if none responds for three rounds, until one responds', async () => {
    const open = () => fixture.database.sql('select kind, facts from operator_alerts where resolved_at is null');
    await seeded(10);
    status = 500;
    for (let round = 0; round < 2; round++) {
      await check();
      fixture.clock.at += MINUTE_MS;
    }
    expect(await open()).toEqual([]);
    await check();
    expect(await open()).toEqual([{ kind: 'nothing_answers', facts: { deployments: 10, rounds: 3 } }]);
    fixture.clock.at += MINUTE_MS;
    status = 200;
    await check();
    expect(await open()).toEqual([]);
    status = 500;
    fixture.clock.at += 5 * MINUTE_MS;
    await check();
    expect(await open()).toEqual([]);
  });

  it('are not counted if only a few of them respond', async () => {
    await seeded(9);
    status = 500;
    await check();
    expect(await failed()).toEqual([{ count: 9 }]);
  });
});
