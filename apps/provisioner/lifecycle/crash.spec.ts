import { beforeAll, describe, expect, it } from '@jest/globals';
import { sshKeyPair, systemRandom } from '@moorage/server';
import {
  type FixtureActor,
  type ProvisionerFixture,
  fixturesOfSuite,
  type CrashPoints,
  crashPoints,
  expectServers,
  untilDead,
  USER,
} from '@moorage/tests/services/provisioner';
import type { DeploymentStatus } from '@moorage/domain';

/**
 * Crashes processes at every checkpoint of create and destroy (before a transaction, after its commit, and inside the
 * transaction that checks the fencing token), while other processes finish. At all of these times, the cloud has seen
 * one server, and none is left at the end.
 */
const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
beforeAll(async () => {
  fixture = await openFixture();
});

/** More crashes in one lifecycle would exceed the thirty minutes allowed for a create. */
const DEATHS_PER_LIFE = 12;
const LIVES_MAX = 60;

/** Crashes a process once at each place. A place is a checkpoint's name at a step of a plan. */
function reaper() {
  const died = new Set<string>();
  let left = 0;
  async function placeOf(name: string): Promise<string> {
    const [run] = await fixture.database.sql<{ plan: string; step: string }>(
      `select plan, steps[position + 1] as step from runs where state = 'running' order by id desc limit 1`,
    );
    return `${run?.plan ?? 'none'} ${run?.step ?? 'none'} ${name}`;
  }
  return {
    died,
    newLife: () => (left = DEATHS_PER_LIFE),
    points: (): CrashPoints =>
      crashPoints(async (name) => {
        if (left === 0) return false;
        const place = await placeOf(name);
        if (died.has(place)) return false;
        died.add(place);
        left -= 1;
        return true;
      }),
  };
}

describe('crash of a provisioner', () => {
  it('at any checkpoint of create and destroy leaves work that others finish, with one server and then none', async () => {
    const death = reaper();
    async function live(id: number, ...statuses: DeploymentStatus[]): Promise<void> {
      for (;;) {
        const actor: FixtureActor = await fixture.actor({ points: death.points() });
        const dead = await untilDead(fixture, actor, id, ...statuses);
        await actor.db.close();
        if (!dead) return;
      }
    }
    for (let lives = 0, before = -1; death.died.size > before; lives++) {
      expect(lives).toBeLessThan(LIVES_MAX);
      before = death.died.size;
      const id = await fixture.order();
      const { ref } = await fixture.row(id);
      death.newLife();
      await live(id, 'READY');
      expectServers(fixture, ref, 1);
      await fixture.request(id, 'delete');
      death.newLife();
      await live(id, 'DESTROYED');
      expectServers(fixture, ref, 0);
      expect(fixture.memory.createdFor(ref)).toBe(1);
    }
    for (const place of [
      'none none inbox.drain',
      'create create-server create-server.asked.committed',
      'create create-server create-server.returned',
      'create create-server create-server.returned.committed',
      'create bootstrap bootstrap.next-key.committed',
      'create upload-stack stack.secrets.committed',
      'create finish work.finish.effected',
      'destroy delete-server work.finish',
      'destroy confirm work.finish.effected',
    ]) {
      expect(death.died).toContain(place);
    }
    expect(death.died.size).toBeGreaterThan(120);
  }, 300_000);

  it('at any checkpoint of an own-server check leaves a check that others answer once', async () => {
    const user = sshKeyPair(systemRandom());
    const address = '8.8.4.4';
    fixture.hosts.addOwn(address, { hostKey: sshKeyPair(systemRandom()).privateKey, authorized: [user.publicKey] });
    const keeper = await fixture.actor();
    await fixture.owner.tx('keys', (tx) => keeper.secrets.put(tx, `user:${USER}`, 'ssh_private_key', user.privateKey));
    await keeper.db.close();
    const death = reaper();
    for (let lives = 0, before = -1; death.died.size > before; lives++) {
      expect(lives).toBeLessThan(LIVES_MAX);
      before = death.died.size;
      const id = await fixture.requestCheck(address);
      death.newLife();
      for (let dead = true; dead;) {
        const actor = await fixture.actor({ points: death.points() });
        await fixture.settle(actor, 5_000).catch((error: unknown) => {
          if (!actor.points.dead) throw error;
        });
        dead = actor.points.dead;
        await actor.db.close();
      }
      const [row] = await fixture.database.sql<{ state: string }>('select state from vps_checks where id = $1', [id]);
      expect(row?.state).toBe('passed');
    }
    for (const place of ['none none check-vps.read.committed', 'none none work.finish.effected']) {
      expect(death.died).toContain(place);
    }
  }, 120_000);
});
