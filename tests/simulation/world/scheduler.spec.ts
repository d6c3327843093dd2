import { describe, expect, it } from '@jest/globals';
import { type Db, seededRandom } from '@moorage/server';
import { createScheduler } from './scheduler';
import { createVirtualClock } from './virtual-clock';

const world = (seed: number, patience_ms = 45_000) => createScheduler({ random: seededRandom(seed), patience_ms });

/** Runs three actors that each record their turns. */
async function history(seed: number): Promise<string[]> {
  const scheduler = world(seed);
  const output: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    void scheduler.start({ process: 'p', name }, async () => {
      for (let turn = 1; turn <= 3; turn++) {
        output.push(`${name}${turn}`);
        await scheduler.pause(`turn ${turn}`);
      }
    });
  }
  expect(await scheduler.drain(100)).toBe(true);
  return output;
}

describe('simulation scheduler', () => {
  it('replays a run from its seed, and another run from another seed', async () => {
    const first = await history(1);
    expect(first).toHaveLength(9);
    expect(await history(1)).toEqual(first);
    const others = await Promise.all([2, 3, 4, 5].map(history));
    expect(others.some((other) => other.join() !== first.join())).toBe(true);
  });

  it('keeps each actor in its own order and runs one at a time', async () => {
    const scheduler = world(7);
    let running = 0;
    const actor = (name: string) =>
      scheduler.start({ process: 'p', name }, async () => {
        for (let turn = 0; turn < 5; turn++) {
          expect(++running).toBe(1);
          await new Promise((resolve) => setImmediate(resolve)); // real work between two pauses
          running--;
          await scheduler.pause('turn');
        }
        return name;
      });
    const ended = Promise.all([actor('a'), actor('b'), actor('c')]);
    await scheduler.drain(100);
    expect(await ended).toEqual(['a', 'b', 'c']);
  });

  it('drops exactly the actors of a crashed process where they wait', async () => {
    const scheduler = world(3);
    const done: string[] = [];
    const actor = (process: string, name: string) =>
      void scheduler.start({ process, name }, async () => {
        await scheduler.pause('before');
        done.push(name);
      });
    actor('p1', 'a');
    actor('p1', 'b');
    actor('p2', 'c');
    await scheduler.step();
    expect(scheduler.crash('p1')).toHaveLength(2);
    expect(await scheduler.drain(100)).toBe(true);
    expect(done).toEqual(['c']);
  });

  it('passes the result of an actor to its waiters, including its error', async () => {
    const scheduler = world(1);
    const good = scheduler.start({ process: 'p', name: 'good' }, async () => 7);
    const bad = scheduler.start({ process: 'p', name: 'bad' }, () => Promise.reject(new Error('no')));
    const seen = expect(bad).rejects.toThrow('no');
    await scheduler.drain(10);
    expect(await good).toBe(7);
    await seen;
  });

  it('reports an actor that never yields instead of hanging', async () => {
    const scheduler = world(1, 500);
    const db = scheduler.watch({ tx: () => new Promise(() => undefined) } as unknown as Db);
    void scheduler.start({ process: 'p', name: 'stuck' }, () => db.tx('waits for a lock', () => Promise.resolve()));
    await expect(scheduler.step()).rejects.toThrow('p/stuck did not give way after "start"');
  });

  it('reports where an actor waited while others ran, and where an actor crashed', async () => {
    const reported: string[] = [];
    const scheduler = createScheduler({
      random: seededRandom(3),
      note: (what, place) => reported.push(`${what} at ${place}`),
    });
    for (const process of ['p1', 'p2']) {
      void scheduler.start({ process, name: 'a' }, async () => {
        await scheduler.pause('here');
        await scheduler.pause('there');
      });
    }
    await scheduler.step();
    await scheduler.step();
    await scheduler.step();
    expect(reported.some((words) => words.startsWith('delayed at '))).toBe(true);
    scheduler.crash('p1');
    scheduler.crash('p2');
    expect(reported.some((words) => /^crashed at (here|there)$/.test(words))).toBe(true);
  });

  it('forgets a sleeper that was woken and then cancelled before its turn', async () => {
    const scheduler = world(1);
    const clock = createVirtualClock({ scheduler, start: 0 });
    const giveUp = new AbortController();
    void scheduler.start({ process: 'p', name: 'deadline' }, () => clock.sleep(10, giveUp.signal));
    await scheduler.drain(10);
    clock.advance(20);
    expect(scheduler.waiting).toHaveLength(1);
    giveUp.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(scheduler.waiting).toEqual([]);
  });

  it('lets the test itself pass every checkpoint', async () => {
    await world(1).pause('outside');
  });

  it('wakes sleepers only when the clock has passed, and ignores a cancelled wait', async () => {
    const scheduler = world(1);
    const clock = createVirtualClock({ scheduler, start: 0 });
    const output: string[] = [];
    const giveUp = new AbortController();
    void scheduler.start({ process: 'p', name: 'long' }, async () => {
      await clock.sleep(60_000);
      output.push(`long at ${clock.at}`);
    });
    void scheduler.start({ process: 'p', name: 'deadline' }, async () => {
      const deadline = clock.sleep(30_000, giveUp.signal);
      await scheduler.pause('the attempt');
      giveUp.abort();
      await deadline;
      output.push(`attempt at ${clock.at}`);
    });
    expect(await scheduler.drain(100)).toBe(true);
    expect(output).toEqual(['attempt at 0']);
    clock.advance(59_999);
    expect(await scheduler.drain(100)).toBe(true);
    expect(output).toHaveLength(1);
    expect(clock.next).toBe(60_000);
    clock.advance(1);
    expect(await scheduler.drain(100)).toBe(true);
    expect(output).toEqual(['attempt at 0', 'long at 60000']);
  });

  it('never wakes a sleeper of a crashed process', async () => {
    const scheduler = world(1);
    const clock = createVirtualClock({ scheduler, start: 0 });
    let woke = false;
    void scheduler.start({ process: 'p', name: 'sleeper' }, async () => {
      await clock.sleep(10);
      woke = true;
    });
    await scheduler.drain(10);
    expect(scheduler.crash('p')).toEqual(['sleeper sleep']);
    clock.advance(20);
    await scheduler.drain(10);
    expect(woke).toBe(false);
  });
});
