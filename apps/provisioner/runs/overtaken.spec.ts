import { beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '@moorage/domain';
import { type Bench, benchesOfSuite, crashPoints, expectServers, turn } from '../testing';

/** A process that stands still (SIGSTOP, a long pause) and wakes when others have done its work. */
const openBench = benchesOfSuite();
let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});

async function standingStillAt(name: string) {
  let wake = (): void => undefined;
  let arrived = (): void => undefined;
  const asleep = new Promise<void>((resolve) => (arrived = resolve));
  const woken = new Promise<void>((resolve) => (wake = resolve));
  let still = false;
  // while it stands still nothing of it moves, its heartbeat neither
  const points = crashPoints(async (passed) => {
    if (passed === name && !still) {
      still = true;
      arrived();
    }
    if (still) await woken;
    return false;
  });
  const actor = await bench.actor({ points });
  return { actor, asleep, wake: () => wake() };
}

describe('a worker that was overtaken', () => {
  it.each(['create-server.asked.committed', 'create-server.returned', 'create-server.returned.committed'])(
    'at %s changes nothing when it wakes, and its second server is taken away',
    async (place) => {
      const slow = await standingStillAt(place);
      const id = await bench.order();
      const turning = (async () => {
        while (await turn(slow.actor));
      })();
      await slow.asleep;
      const quick = await bench.actor();
      const ready = await bench.until(quick, id, 'READY');
      const told = await bench.steps(id);
      slow.wake();
      await turning;
      expectServers(bench, ready.ref, 1);
      expect(await bench.steps(id)).toEqual(told);
      const [server] = await bench.database.sql<{ provider_server_id: string }>(
        'select provider_server_id from servers',
      );
      expect(bench.memory.living()[0]?.id).toBe(server?.provider_server_id);
      expect(bench.memory.living()[0]?.address).toBe(ready.instance_ip);
    },
  );

  it('that wakes after the deployment was destroyed leaves no server behind', async () => {
    const slow = await standingStillAt('create-server.asked.committed');
    const id = await bench.order();
    const turning = (async () => {
      while (await turn(slow.actor));
    })();
    await slow.asleep;
    await bench.deplete(id);
    const quick = await bench.actor();
    const gone = await bench.until(quick, id, 'DESTROYED');
    bench.clock.at += HOUR_MS;
    slow.wake();
    await turning;
    expectServers(bench, gone.ref, 0);
    expect(bench.memory.madeFor(gone.ref)).toBe(1);
    expect(await bench.row(id)).toMatchObject({ status: 'DESTROYED', server_exists: false });
  });

  it('does not believe in absence while a create is unsettled', async () => {
    const slow = await standingStillAt('create-server.asked.committed');
    const id = await bench.order();
    const turning = (async () => {
      while (await turn(slow.actor));
    })();
    await slow.asleep;
    await bench.deplete(id);
    const quick = await bench.actor();
    const asked_at = bench.clock.at;
    await bench.until(quick, id, 'DESTROYED');
    expect(bench.clock.at - asked_at).toBeGreaterThanOrEqual(MINUTE_MS);
    slow.wake();
    await turning;
  });
});
