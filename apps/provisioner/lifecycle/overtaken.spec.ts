import { beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '@moorage/domain';
import {
  type ProvisionerFixture,
  fixturesOfSuite,
  crashPoints,
  expectServers,
  turn,
} from '@moorage/tests/services/provisioner';

/** A process that is paused (for example by SIGSTOP) and resumes after others have done its work. */
const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
beforeEach(async () => {
  fixture = await openFixture();
});

async function standingStillAt(name: string) {
  let wake = (): void => undefined;
  let arrived = (): void => undefined;
  const asleep = new Promise<void>((resolve) => (arrived = resolve));
  const woken = new Promise<void>((resolve) => (wake = resolve));
  let still = false;
  // The whole process is paused, including its heartbeat.
  const points = crashPoints(async (passed) => {
    if (passed === name && !still) {
      still = true;
      arrived();
    }
    if (still) await woken;
    return false;
  });
  const actor = await fixture.actor({ points });
  return { actor, asleep, wake: () => wake() };
}

describe('stale worker', () => {
  it.each(['create-server.asked.committed', 'create-server.returned', 'create-server.returned.committed'])(
    'resumed at %s changes nothing, and its second server is removed',
    async (place) => {
      const slow = await standingStillAt(place);
      const id = await fixture.order();
      const turning = (async () => {
        while (await turn(slow.actor));
      })();
      await slow.asleep;
      const quick = await fixture.actor();
      const ready = await fixture.until(quick, id, 'READY');
      const reported = await fixture.steps(id);
      slow.wake();
      await turning;
      expectServers(fixture, ready.ref, 1);
      expect(await fixture.steps(id)).toEqual(reported);
      const [server] = await fixture.database.sql<{ provider_server_id: string }>(
        'select provider_server_id from servers',
      );
      expect(fixture.memory.living()[0]?.id).toBe(server?.provider_server_id);
      expect(fixture.memory.living()[0]?.address).toBe(ready.instance_ip);
    },
  );

  it('resumed after the deployment was destroyed leaves no server behind', async () => {
    const slow = await standingStillAt('create-server.asked.committed');
    const id = await fixture.order();
    const turning = (async () => {
      while (await turn(slow.actor));
    })();
    await slow.asleep;
    await fixture.deplete(id);
    const quick = await fixture.actor();
    const gone = await fixture.until(quick, id, 'DESTROYED');
    fixture.clock.at += HOUR_MS;
    slow.wake();
    await turning;
    expectServers(fixture, gone.ref, 0);
    expect(fixture.memory.createdFor(gone.ref)).toBe(1);
    expect(await fixture.row(id)).toMatchObject({ status: 'DESTROYED', server_exists: false });
  });

  it('does not accept absence while a create is unsettled', async () => {
    const slow = await standingStillAt('create-server.asked.committed');
    const id = await fixture.order();
    const turning = (async () => {
      while (await turn(slow.actor));
    })();
    await slow.asleep;
    await fixture.deplete(id);
    const quick = await fixture.actor();
    const asked_at = fixture.clock.at;
    await fixture.until(quick, id, 'DESTROYED');
    expect(fixture.clock.at - asked_at).toBeGreaterThanOrEqual(MINUTE_MS);
    slow.wake();
    await turning;
  });
});
