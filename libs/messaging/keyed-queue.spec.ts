import { describe, expect, it } from '@jest/globals';
import { createKeyedQueue } from './keyed-queue';
import { collected, handClock, until } from './testing';

describe('lanes', () => {
  function gates() {
    const open = new Map<string, () => void>();
    const began: string[] = [];
    return {
      began,
      run: (key: string) =>
        new Promise<undefined>((resolve) => {
          began.push(key);
          open.set(key, () => resolve(undefined));
        }),
      end: (key: string) => open.get(key)?.(),
    };
  }

  it('run so many keys at a time, in the order they came', async () => {
    const { began, run, end } = gates();
    const lanes = createKeyedQueue({ concurrency: 2, run, clock: handClock(), onError: () => undefined });
    for (const key of ['a', 'b', 'c', 'd']) lanes.add(key);
    expect(began).toEqual(['a', 'b']);
    end('b');
    await until(() => began.length === 3);
    expect(began).toEqual(['a', 'b', 'c']);
  });

  it('never run a key twice at a time, but once more when it was added meanwhile', async () => {
    const { began, run, end } = gates();
    const lanes = createKeyedQueue({ concurrency: 5, run, clock: handClock(), onError: () => undefined });
    for (let times = 0; times < 4; times++) lanes.add('a');
    expect(began).toEqual(['a']);
    end('a');
    await until(() => began.length === 2);
    end('a');
    lanes.add('b');
    await until(() => began.includes('b'));
    expect(began).toEqual(['a', 'a', 'b']);
  });

  it('run a key again after the time it asks for', async () => {
    const clock = handClock();
    let runs = 0;
    const lanes = createKeyedQueue({
      concurrency: 1,
      run: async () => (++runs === 1 ? 50 : undefined),
      clock,
      onError: () => undefined,
    });
    lanes.add('a');
    await until(() => runs === 1);
    clock.advance(49);
    lanes.add('other');
    await until(() => runs === 2);
    clock.advance(1);
    await until(() => runs === 3);
    await lanes.stop();
  });

  it('go on after an error, which is told', async () => {
    const { reported, onError } = collected();
    const done: string[] = [];
    const lanes = createKeyedQueue({
      concurrency: 1,
      run: async (key) => {
        if (key === 'bad') throw new Error('broken');
        done.push(key);
        return undefined;
      },
      clock: handClock(),
      onError,
    });
    lanes.add('bad');
    lanes.add('good');
    await until(() => done.length === 1);
    expect(reported).toMatchObject([{ error: { message: 'broken' }, facts: { key: 'bad' } }]);
  });

  it('hold no more than they may, and stop by ending what runs and forgetting what waits', async () => {
    const { began, run, end } = gates();
    const lanes = createKeyedQueue({
      concurrency: 1,
      run,
      clock: handClock(),
      onError: () => undefined,
      waiting_max: 1,
    });
    for (const key of ['a', 'b', 'c']) lanes.add(key);
    const stopped = lanes.stop();
    end('a');
    await stopped;
    lanes.add('d');
    expect(began).toEqual(['a']);
  });
});
