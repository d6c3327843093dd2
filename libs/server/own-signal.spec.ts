import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { withOwnSignal } from './own-signal';

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

describe('own signal of some work', () => {
  it('is aborted with the signal it is under, for the same reason', async () => {
    const closing = new AbortController();
    const work = withOwnSignal(closing.signal, ({ signal }) => aborted(signal));
    closing.abort('closing');
    expect(await work).toBe('closing');
  });

  it('is aborted from the beginning if that signal already is', async () => {
    const signal = AbortSignal.abort('closed');
    expect(await withOwnSignal(signal, (own) => Promise.resolve(own.signal.reason as string))).toBe('closed');
  });

  it('can be aborted alone', async () => {
    const closing = new AbortController();
    await withOwnSignal(closing.signal, async (own) => own.abort());
    expect(closing.signal.aborted).toBe(false);
  });

  it.each([
    ['succeeded', () => Promise.resolve()],
    ['failed', () => Promise.reject(new Error('no response'))],
  ])('is aborted after the work has %s, and leaves nothing behind', async (_, work) => {
    const closing = new AbortController();
    const signals: AbortSignal[] = [];
    await Promise.allSettled(
      Array.from({ length: 25 }, () =>
        withOwnSignal(closing.signal, ({ signal }) => {
          signals.push(signal);
          return work();
        }),
      ),
    );
    expect(signals.every(({ aborted: isAborted }) => isAborted)).toBe(true);
    expect(getEventListeners(closing.signal, 'abort')).toEqual([]);
  });

  it('needs no signal above it', async () => {
    expect(await withOwnSignal(undefined, ({ signal }) => Promise.resolve(signal.aborted))).toBe(false);
  });
});
