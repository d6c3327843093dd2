import { beforeEach, describe, expect, it } from '@jest/globals';
import { DECIDE_LEAK_WORK } from '@moorage/contracts';
import { decideLeak, type DeploymentRow, type LeakRow } from '@moorage/database';
import { HOUR_MS, type LeakState, MINUTE_MS } from '@moorage/domain';
import type { HeldAt } from '@moorage/tests/fakes/memory-clouds';
import {
  compareProviders,
  type FixtureActor,
  fixturesOfSuite,
  findLeaks,
  type ProvisionerFixture,
} from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

const OURS = 'installation0001';
const check = () => findLeaks(actor);
const checkLater = async (ms = HOUR_MS): Promise<void> => {
  fixture.clock.at += ms;
  await check();
};
const leaks = () =>
  fixture.database.sql<LeakRow>('select *, micros_per_day::float8 as micros_per_day from cloud_leaks order by id');
const states = async (): Promise<LeakState[]> => (await leaks()).map(({ state }) => state);
const decide = async (state: 'removing' | 'adopting' | 'kept', id?: number): Promise<void> => {
  const [first] = await leaks();
  const decision = { state, by: 'mira', reason: 'a test', at: fixture.clock.at };
  await fixture.owner.tx('test.decide', (tx) => decideLeak(tx, id ?? first?.id ?? 0, decision));
  await actor.provisioner.recovery.run();
};
/** Executes due work. */
const work = async (): Promise<void> => {
  while ((await actor.messaging.workTick(DECIDE_LEAK_WORK)) > 0);
};
const workLater = async (ms = MINUTE_MS): Promise<void> => {
  fixture.clock.at += ms;
  await work();
};
const create = (ref: string, name = `moorage-${ref}`) =>
  fixture.memory.clouds.of('hetzner').create(
    {
      name,
      region: 'fsn1',
      instance_type: 'cpx22',
      user_data: '',
      labels: { 'managed-by': 'moorage', installation: OURS, deployment: ref },
    },
    name,
  );
const hold = (changes: Partial<HeldAt> = {}): void =>
  void fixture.memory.held.push({
    provider: 'hetzner',
    kind: 'disk',
    region: 'fsn1',
    id: 'volumes/7',
    name: 'left-7',
    labels: { 'managed-by': 'moorage', installation: OURS, deployment: 'nobodysreference' },
    used_by: null,
    micros_per_day: 2_000_000,
    ...changes,
  });
/** Adds a server of ours, so that credentials for another project are not trusted. */
const ownServer = async (): Promise<void> => {
  await fixture.order();
  await fixture.database.sql(
    `insert into servers (deployment_id, provider, region, instance_type, ssh_user, ssh_port, state, created_at)
     select id, 'hetzner', 'fsn1', 'cpx22', 'root', 22, 'exists', now() from deployments`,
  );
};
const alerts = async (): Promise<object[]> =>
  (
    await fixture.database.sql<{ facts: object }>(
      `select facts from operator_alerts where kind = 'leaks_cost' and resolved_at is null`,
    )
  ).map(({ facts }) => facts);
const recorded = async (action: string): Promise<object[]> =>
  (
    await fixture.database.sql<{ facts: object }>('select facts from audit_records where action = $1 order by id', [
      action,
    ])
  ).map(({ facts }) => facts);

describe('leak scan', () => {
  it('suspects unused resources, with their price, and confirms them an hour later', async () => {
    await create('nobodysreference');
    hold();
    await check();
    expect(await leaks()).toMatchObject([
      { kind: 'disk', name: 'left-7', state: 'suspected', micros_per_day: 2_000_000, times_seen: 1 },
      // Price of cpx22 at 0.0356 dollars per hour.
      { kind: 'server', region: 'fsn1', state: 'suspected', micros_per_day: 854_400 },
    ]);
    await checkLater(HOUR_MS - 1);
    expect(await states()).toEqual(['suspected', 'suspected']);
    await checkLater(1);
    await checkLater();
    expect(await states()).toEqual(['confirmed', 'confirmed']);
  });

  it('ignores resources that running deployments or current runs need', async () => {
    const id = await fixture.order();
    const { ref } = await fixture.until(actor, id, 'CREATING', 'PROVISIONING');
    hold({ labels: { 'managed-by': 'moorage', installation: OURS, deployment: ref } });
    await check();
    expect(await leaks()).toEqual([]);
    fixture.memory.held.length = 0;
    await fixture.until(actor, id, 'READY');
    hold({ used_by: '1' });
    await checkLater();
    expect(await leaks()).toEqual([]);
  });

  it('accepts absence only at the second scan, and restarts for a resource that is back', async () => {
    hold();
    await check();
    await checkLater();
    const held = fixture.memory.held.splice(0);
    await checkLater();
    expect(await states()).toEqual(['confirmed']);
    await checkLater();
    expect(await states()).toEqual(['gone']);
    fixture.memory.held.push(...held);
    await checkLater();
    expect(await leaks()).toMatchObject([{ state: 'suspected', times_seen: 1, ended_at: null }]);
  });

  it('changes nothing while the provider responses cannot be trusted', async () => {
    hold();
    await ownServer();
    await check();
    fixture.memory.incident('hetzner', 'other_project');
    await checkLater();
    await checkLater();
    fixture.memory.incident('hetzner', null);
    expect(await leaks()).toMatchObject([{ state: 'suspected', times_seen: 1, missed_at: null }]);
  });

  it('reports why the provider did not respond and keeps earlier findings', async () => {
    hold();
    await check();
    fixture.memory.fault('hetzner', 'list', 'not_permitted', 1);
    await checkLater();
    const failures = () =>
      fixture.database.sql(
        `select leaks_failure from provider_breakers where provider = 'hetzner' and leaks_failure is not null`,
      );
    expect(await failures()).toEqual([{ leaks_failure: 'this region is not permitted' }]);
    expect(await states()).toEqual(['suspected']);
    await checkLater();
    expect(await failures()).toEqual([]);
  });

  it('alerts while confirmed leaks cost more than a dollar a day, until they are accepted or gone', async () => {
    hold({ micros_per_day: 900_000 });
    hold({ id: 'volumes/8', name: 'left-8', micros_per_day: 200_000 });
    await check();
    expect(await alerts()).toEqual([]);
    await checkLater();
    expect(await alerts()).toEqual([
      { dollars_per_day: '1.10', count: 2, most_costly: 'hetzner disk left-7, hetzner disk left-8' },
    ]);
    await decide('kept');
    await checkLater();
    expect(await alerts()).toEqual([]);
    expect(await states()).toEqual(['kept', 'confirmed']);
  });
});

describe('leak marked for removal', () => {
  const confirmed = async (): Promise<void> => {
    await check();
    await checkLater();
  };

  it('is removed, and recorded as removed only once the provider no longer shows it', async () => {
    hold();
    await confirmed();
    await decide('removing');
    fixture.memory.fault('hetzner', 'delete', 'still_there', 1);
    await work();
    expect(await states()).toEqual(['removing']);
    await workLater();
    expect(fixture.memory.held).toEqual([]);
    await workLater();
    expect(await states()).toEqual(['removed']);
    expect(await recorded('provider.leak_removed')).toMatchObject([{ kind: 'disk', by: 'mira', because: 'a test' }]);
    expect(await alerts()).toEqual([]);
  });

  it('can be a server', async () => {
    await create('nobodysreference');
    await confirmed();
    await decide('removing');
    await work();
    expect(fixture.memory.living()).toEqual([]);
    await workLater();
    expect(await states()).toEqual(['removed']);
  });

  it('stays if it has an owner by then', async () => {
    await create('nobodysreference');
    await confirmed();
    const id = await fixture.order();
    await fixture.until(actor, id, 'READY');
    await fixture.database.sql(`update deployments set ref = 'nobodysreference' where id = $1`, [id]);
    await fixture.database.sql(`update servers set provider_server_id = '1' where deployment_id = $1`, [id]);
    await decide('removing');
    await work();
    expect(fixture.memory.living().map((server) => server.id)).toContain('1');
    expect(await leaks()).toMatchObject([{ state: 'gone', failure: 'owned' }]);
    expect(await recorded('provider.leak_not_removed')).toMatchObject([{ failure: 'owned' }]);
  });

  it.each([
    ['something uses it by then', { used_by: '1' }, 'in_use'],
    ['it no longer carries our label', { labels: { 'managed-by': 'moorage', installation: 'another' } }, 'not_ours'],
  ] as const)('stays when %s', async (_situation, changes, failure) => {
    hold();
    await confirmed();
    fixture.memory.held.length = 0;
    hold(changes);
    await decide('removing');
    await work();
    expect(fixture.memory.held).toHaveLength(1);
    expect(await leaks()).toMatchObject([{ state: 'confirmed', failure }]);
  });

  it('waits while the credentials belong to another project', async () => {
    hold();
    await confirmed();
    fixture.memory.incident('hetzner', 'other_project');
    await ownServer();
    await decide('removing');
    await work();
    expect(fixture.memory.held).toHaveLength(1);
    expect(await states()).toEqual(['removing']);
    fixture.memory.incident('hetzner', null);
    await workLater(5 * MINUTE_MS);
    expect(fixture.memory.held).toEqual([]);
  });

  it('returns to the administrator with the message of the provider that rejected it', async () => {
    hold();
    await confirmed();
    await decide('removing');
    fixture.memory.fault('hetzner', 'delete', 'readonly', 1);
    await work();
    expect(await leaks()).toMatchObject([
      { state: 'confirmed', failure: 'refused', failure_words: 'the token is read only' },
    ]);
  });

  it('returns to the administrator after six hours if the provider accepted the removal without effect', async () => {
    hold();
    await confirmed();
    await decide('removing');
    fixture.memory.fault('hetzner', 'delete', 'still_there', 10_000);
    await work();
    await workLater(6 * HOUR_MS + 1);
    expect(await leaks()).toMatchObject([{ state: 'confirmed', failure: 'still_there' }]);
  });
});

describe('server marked for adoption', () => {
  /** Creates a deployment whose server disappeared, and another server with its label, restored from a snapshot. */
  const restored = async (): Promise<DeploymentRow> => {
    const ids = [await fixture.order(), await fixture.order(), await fixture.order()];
    for (const id of ids) await fixture.until(actor, id, 'READY');
    await compareProviders(actor);
    const row = await fixture.row(ids[0] ?? 0);
    const server = fixture.memory.living().find(({ labels }) => labels.deployment === row.ref);
    fixture.memory.vanish(server?.id ?? '');
    for (let n = 0; n < 4; n++) {
      fixture.clock.at += fixture.intervals.reconcile_every_ms;
      await compareProviders(actor);
    }
    expect((await fixture.row(row.id)).status).toBe('FAILED');
    await create(row.ref, 'restored');
    await check();
    await checkLater();
    return row;
  };

  it('replaces the server that its deployment lost', async () => {
    const { id, ref } = await restored();
    expect(await leaks()).toMatchObject([{ kind: 'server', state: 'confirmed', deployment_id: id }]);
    await decide('adopting');
    await work();
    const server = fixture.memory.living().find(({ labels }) => labels.deployment === ref);
    expect(await states()).toEqual(['adopted']);
    expect(await fixture.row(id)).toMatchObject({
      status: 'FAILED',
      server_exists: true,
      instance_ip: server?.address,
    });
    const [known] = await fixture.database.sql(
      'select state, provider_server_id from servers where deployment_id = $1',
      [id],
    );
    expect(known).toEqual({ state: 'exists', provider_server_id: server?.id });
    expect(await recorded('server.adopted')).toMatchObject([{ by: 'mira', provider: 'hetzner' }]);
    await checkLater();
    expect(await states()).toEqual(['adopted']);
  });

  it('is not adopted if its deployment was cancelled in the meantime', async () => {
    const { id } = await restored();
    await fixture.database.sql(
      `update deployments set status = 'DELETED', desired = 'destroyed', deleted_at = updated_at where id = $1`,
      [id],
    );
    await decide('adopting');
    await work();
    expect(await leaks()).toMatchObject([{ state: 'confirmed', failure: 'not_adoptable' }]);
  });

  it('is not adopted if its size differs from the lost server', async () => {
    const { id } = await restored();
    await fixture.database.sql(`update servers set instance_type = 'cpx42' where deployment_id = $1`, [id]);
    await decide('adopting');
    await work();
    expect(await leaks()).toMatchObject([{ state: 'confirmed', failure: 'not_adoptable' }]);
  });
});
