import { describe, expect, it } from '@jest/globals';
import { KeyedQueue } from './keyed-queue';
import { collected, handClock, until } from '@moorage/testing/messaging';

describe('keyed queue', () => {
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

  it('runs a limited number of keys at a time, in order of arrival', async () => {
    const { began, run, end } = gates();
    const lanes = new KeyedQueue({ concurrency: 2, run, clock: handClock(), onError: () => undefined });
    for (const key of ['a', 'b', 'c', 'd']) lanes.add(key);
    expect(began).toEqual(['a', 'b']);
    end('b');
    await until(() => began.length === 3);
    expect(began).toEqual(['a', 'b', 'c']);
  });

  it('never runs a key twice at a time, but again if it was added meanwhile', async () => {
    const { began, run, end } = gates();
    const lanes = new KeyedQueue({ concurrency: 5, run, clock: handClock(), onError: () => undefined });
    for (let times = 0; times < 4; times++) lanes.add('a');
    expect(began).toEqual(['a']);
    end('a');
    await until(() => began.length === 2);
    end('a');
    lanes.add('b');
    await until(() => began.includes('b'));
    expect(began).toEqual(['a', 'a', 'b']);
  });

  it('runs a key again after the requested time', async () => {
    const clock = handClock();
    let runs = 0;
    const lanes = new KeyedQueue({
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

  it('continues after an error and reports it', async () => {
    const { reported, onError } = collected();
    const done: string[] = [];
    const lanes = new KeyedQueue({
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

  it('has a maximum length, and stops by finishing current work and dropping waiting keys', async () => {
    const { began, run, end } = gates();
    const lanes = new KeyedQueue({
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
