import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Hint, hintsIn, openLive } from './live';
import { startSession } from './session';

const stream = (...pieces: string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });

async function all(body: ReadableStream<Uint8Array>): Promise<Hint[]> {
  const hints: Hint[] = [];
  for await (const hint of hintsIn(body)) hints.push(hint);
  return hints;
}

describe('stream of hints', () => {
  it('is read across chunks and skips comments and unknown lines', async () => {
    const hints = await all(
      stream(
        ': hello\n\ndata: {"kind":"depl',
        'oyment","id":4,"version":2}\n\nevent: x\ndata: nonsense\n\n',
        'data:{"kind":"balance","id":7,"version":9}\n\n',
      ),
    );
    expect(hints).toEqual([
      { kind: 'deployment', id: 4, version: 2 },
      { kind: 'balance', id: 7, version: 9 },
    ]);
  });

  it('is closed on a line without an end before it fills the memory', async () => {
    await expect(all(stream(`data: ${'x'.repeat(70 * 1024)}`))).rejects.toThrow('line too long');
  });
});

describe('live connection', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    startSession('token-1', null);
  });
  it('sends the token and the client key in headers, reconnects after a break and then reloads everything', async () => {
    const calls: { url: string; authorization: string | undefined; key: string | undefined }[] = [];
    const answers = [
      () => Promise.resolve(new Response(stream('data: {"kind":"step","id":1,"version":1}\n\n'))),
      () => Promise.reject(new Error('no network')),
      () => Promise.resolve(new Response(stream('data: {"kind":"step","id":2,"version":1}\n\n'))),
    ];
    const fetch = jest.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
      const headers = init?.headers as Record<string, string>;
      calls.push({ url: url as string, authorization: headers.authorization, key: headers['x-api-key'] });
      return answers.shift()?.() ?? new Promise(() => undefined);
    });
    const hints: number[] = [];
    let reconnected = 0;
    const close = openLive({ onHint: ({ id }) => hints.push(id), onReconnected: () => (reconnected += 1) });
    await jest.advanceTimersByTimeAsync(1_000);
    expect([hints, reconnected]).toEqual([[1], 0]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect([hints, reconnected]).toEqual([[1, 2], 1]);
    expect(calls[0]).toEqual({ url: '/api/live', authorization: 'Bearer token-1', key: 'console' });
    close();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(3);
    fetch.mockRestore();
  });
});
