import { beforeEach, describe, expect, it } from '@jest/globals';
import { RECONCILE_WORK, RUN_WORK, SERVER_CALLBACK_WORK } from '@moorage/contracts';
import { MINUTE_MS, SECOND_MS } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import {
  compareProviders,
  crashPoints,
  type FixtureActor,
  fixturesOfSuite,
  nextComparison,
  type ProvisionerFixture,
  turn,
} from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;

async function open(boot_ms = 20 * SECOND_MS): Promise<void> {
  fixture = await openFixture({ boot_ms });
  actor = await fixture.actor();
}

/** Schedules the work as the api does when a verified callback concerns the server of this deployment. */
async function callBack(id: number): Promise<void> {
  const work = new WorkSchedule({ clock: fixture.clock });
  await fixture.owner.tx('test.callback', (tx) =>
    work.schedule(tx, { kind: SERVER_CALLBACK_WORK, key: String(id), due_at: fixture.clock.at }),
  );
}

async function dueAt(kind: string, key: string): Promise<number | undefined> {
  const [row] = await fixture.database.sql<{ due_at: number }>('select due_at from work where kind = $1 and key = $2', [
    kind,
    key,
  ]);
  return row?.due_at;
}

const turns = async (by: FixtureActor): Promise<void> => {
  while (await turn(by));
};

describe('new server that takes about 90 seconds to boot', () => {
  /** Returns the time from the order until the first login. */
  async function waitedFor(boot_ms: number, { calls }: { calls: boolean }): Promise<number> {
    await open(boot_ms);
    const ordered = fixture.clock.at;
    const id = await fixture.order();
    await turns(actor);
    const booted = ordered + boot_ms;
    while (!(await fixture.steps(id)).includes('wait-for-ssh done')) {
      const next = await fixture.database.sql<{ at: number }>(`select min(due_at) as at from work where kind = $1`, [
        RUN_WORK,
      ]);
      const due = next[0]?.at ?? Infinity;
      const isCall = calls && fixture.clock.at < booted && booted <= due;
      fixture.clock.at = isCall ? booted : due;
      if (isCall) await callBack(id);
      await turns(actor);
    }
    return fixture.clock.at - ordered;
  }

  it.each([
    [91 * SECOND_MS, 95 * SECOND_MS],
    [92 * SECOND_MS, 95 * SECOND_MS],
    [94 * SECOND_MS, 95 * SECOND_MS],
    [96 * SECOND_MS, 100 * SECOND_MS],
  ])(
    'is set up as soon as it has booted (%i ms), and at the next check without its callback (%i ms)',
    async (boot, check) => {
      expect(await waitedFor(boot, { calls: false })).toBe(check);
      expect(await waitedFor(boot, { calls: true })).toBe(boot);
    },
  );
});

describe('callback about a server', () => {
  beforeEach(() => open());

  async function running(): Promise<number> {
    const id = await fixture.order({ package: 'test-page', domain: null });
    await fixture.until(actor, id, 'ACTIVE');
    await fixture.settle(actor);
    await compareProviders(actor);
    return id;
  }
  const row = async (id: number) => {
    const [found] = await fixture.database.sql<{
      lost_seen_at: number | null;
      state: string;
      provider_server_id: string;
    }>('select lost_seen_at, state, provider_server_id from servers where deployment_id = $1', [id]);
    if (found === undefined) throw new Error('no server');
    return found;
  };

  it('changes nothing if early, and the step checks once and keeps waiting', async () => {
    const id = await fixture.order();
    await turns(actor);
    for (let early = 0; early < 20; early++) {
      await callBack(id);
      await turns(actor);
    }
    expect((await fixture.row(id)).status).toBe('PROVISIONING');
    expect(fixture.memory.living()).toHaveLength(1);
    expect((await fixture.until(actor, id, 'READY')).failure_reason).toBeNull();
  });

  it('does not shorten the pause after a failed attempt, so it cannot use up the attempts', async () => {
    fixture.memory.fault('any', 'get', 'server_error', 1);
    const id = await fixture.order();
    await turns(actor);
    const requested = async () =>
      (await fixture.database.sql<{ errors: number }>('select step_attempts as errors from runs'))[0];
    while ((await requested())?.errors === 0) {
      fixture.clock.at = (await dueAt(RUN_WORK, '1')) ?? Infinity;
      await turns(actor);
    }
    const due = await dueAt(RUN_WORK, '1');
    await callBack(id);
    await turns(actor);
    expect(await dueAt(RUN_WORK, '1')).toBe(due);
  });

  it('triggers a reachability check at once when the server stopped', async () => {
    const id = await running();
    fixture.clock.at += 10 * SECOND_MS;
    await callBack(id);
    await turns(actor);
    expect(await fixture.database.sql('select due_at from reachability where deployment_id = $1', [id])).toEqual([
      { due_at: fixture.clock.at },
    ]);
  });

  it('records a deleted server as missing within half a minute, and as lost only if still missing ten minutes later', async () => {
    const id = await running();
    fixture.clock.at += 10 * SECOND_MS;
    await turns(actor);
    fixture.memory.vanish((await row(id)).provider_server_id);
    const others = [
      await fixture.order({ domain: 'one.example.com' }),
      await fixture.order({ domain: 'two.example.com' }),
    ];
    for (const other of others) await fixture.until(actor, other, 'READY');
    for (let times = 0; times < 5; times++) await callBack(id);
    await turns(actor);
    const due = (await dueAt(RECONCILE_WORK, 'hetzner')) ?? Infinity;
    expect(due - fixture.clock.at).toBeLessThanOrEqual(30 * SECOND_MS);
    fixture.clock.at = due;
    await compareProviders(actor);
    const missedAt = fixture.clock.at;
    expect(await row(id)).toMatchObject({ lost_seen_at: missedAt, state: 'exists' });
    for (let times = 0; times < 15; times++) {
      fixture.clock.at += 30 * SECOND_MS;
      await callBack(id);
      await turns(actor);
      await compareProviders(actor);
    }
    expect((await fixture.row(id)).status).toBe('ACTIVE');
    while (fixture.clock.at < missedAt + 10 * MINUTE_MS) await nextComparison(fixture, actor);
    expect((await fixture.row(id)).status).toBe('FAILED');
  });

  it('does nothing for a deleted or unknown deployment', async () => {
    const id = await running();
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    const before = await fixture.database.sql('select kind, key, due_at from work order by kind, key');
    await callBack(id);
    await callBack(999_999);
    await turns(actor);
    expect(await fixture.database.sql('select kind, key, due_at from work order by kind, key')).toEqual(before);
  });

  it.each(['work.claim.committed', 'work.finish', 'work.finish.effected'])(
    'is handled by the next process after a crash at %s',
    async (place) => {
      const id = await fixture.order();
      await turns(actor);
      fixture.clock.at += 2 * SECOND_MS;
      await callBack(id);
      const dying = await fixture.actor({ points: crashPoints((name) => name === place) });
      await expect(dying.messaging.workTick(SERVER_CALLBACK_WORK)).rejects.toThrow();
      expect(dying.points.dead).toBe(true);
      expect(await dueAt(RUN_WORK, '1')).not.toBe(fixture.clock.at);
      fixture.clock.at += SECOND_MS;
      const woken = fixture.clock.at;
      expect(await actor.messaging.workTick(SERVER_CALLBACK_WORK)).toBe(1);
      expect(await dueAt(RUN_WORK, '1')).toBe(woken);
    },
  );
});
