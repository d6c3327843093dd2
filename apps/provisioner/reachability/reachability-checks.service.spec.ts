import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS, iso, MINUTE_MS, type Outage } from '@moorage/domain';
import type { Dialer } from '../ssh/types';
import { crashPoints } from '../testing/crash-points';
import { type FixtureActor, type ProvisionerFixture, fixturesOfSuite } from '../testing';

interface Row {
  readonly due_at: number | null;
  readonly state: string;
  readonly since: number | null;
  readonly checked_at: number | null;
  readonly outages: readonly Outage[];
}
interface Sent {
  readonly state: string;
  readonly at: string;
  readonly outage_from: string | null;
  readonly is_mailed: boolean;
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
  return rows.map(({ data: { state, at, outage_from, is_mailed } }) => ({ state, at, outage_from, is_mailed }));
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
  it('is checked two minutes after it started and then every five minutes', async () => {
    const id = await running();
    await check();
    expect(requested).toBe(0);
    fixture.clock.at += 2 * MINUTE_MS;
    const first = fixture.clock.at;
    await check();
    await check();
    expect(requested).toBe(1);
    expect(await rowOf(id)).toMatchObject({
      state: 'reachable',
      since: first,
      checked_at: first,
      due_at: first + 5 * MINUTE_MS,
      outages: [],
    });
    expect(await sent()).toEqual([{ state: 'reachable', at: iso(first), outage_from: null, is_mailed: false }]);
    await checks(id, 2);
    expect([requested, (await sent()).length]).toEqual([3, 1]);
  });

  it('is unreachable after three failures, reachable with the next response, and reported once each', async () => {
    const id = await reachable();
    status = 502;
    fixture.clock.at += 5 * MINUTE_MS;
    const from = fixture.clock.at;
    await check();
    await checks(id, 4);
    expect(await rowOf(id)).toMatchObject({ state: 'unreachable', since: from, outages: [{ from, to: null }] });
    status = 401;
    await checks(id, 2);
    const to = from + 17 * MINUTE_MS;
    expect(await rowOf(id)).toMatchObject({ state: 'reachable', since: to, outages: [{ from, to }] });
    expect((await sent()).slice(1)).toEqual([
      { state: 'unreachable', at: iso(from + 2 * MINUTE_MS), outage_from: iso(from), is_mailed: true },
      { state: 'reachable', at: iso(to), outage_from: iso(from), is_mailed: true },
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
      expect(await fixture.database.sql('select state, failures from reachability')).toEqual([
        { state: 'reachable', failures: 0 },
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
    expect(await fixture.database.sql('select state, failures from reachability')).toEqual([
      { state: 'reachable', failures: 0 },
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
    expect((await rowOf(id))?.due_at).toBe(fixture.clock.at + MINUTE_MS);
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
    const row = await rowOf(id);
    expect(row).toMatchObject({ state: 'unknown', since: null, due_at: null });
    expect(row?.outages[0]?.to).toBeGreaterThanOrEqual(at);
    expect((await sent()).map(({ state }) => state)).toEqual(['reachable', 'unreachable']);
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
      `insert into reachability (deployment_id, due_at, state, since, failures, outages, mailed)
       select id, $1, 'reachable', $1, 0, '[]', '[]' from deployments`,
      [iso(fixture.clock.at)],
    );
  }
  const failed = () => fixture.database.sql('select count(*)::int as count from reachability where failures > 0');

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
