import { CONSTANTS } from '@moorage/domain';
import { clientKeyHeader } from './api';
import { currentSession } from './session';

/** Notice that something of this kind has changed. Never contains the data itself. */
export interface Hint {
  readonly kind: 'deployment' | 'step' | 'balance' | 'account' | 'support';
  readonly id: number;
  readonly version: number;
}

const AGAIN_MS = [1_000, 2_000, 5_000, 15_000, 30_000];

interface LiveEvents {
  readonly onHint: (hint: Hint) => void;
  /** Called after a gap in the connection, when events may have been missed and everything shown must reload. */
  readonly onReconnected: () => void;
}

/**
 * Reads server-sent events with fetch, so that the token is sent in a header. Reconnects automatically with growing
 * delays. Polling continues meanwhile. Returns a function that closes the stream.
 */
export function openLive({ onHint, onReconnected }: LiveEvents): () => void {
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new AbortController();

  const connect = async (): Promise<void> => {
    const token = currentSession()?.token;
    if (token === undefined || ended.signal.aborted) return;
    try {
      const response = await fetch(`${CONSTANTS.apiBasePath}/live`, {
        headers: { ...clientKeyHeader(), authorization: `Bearer ${token}`, accept: 'text/event-stream' },
        signal: ended.signal,
      });
      if (!response.ok || response.body === null) throw new Error(`live stream responded with ${response.status}`);
      if (tries > 0) onReconnected();
      tries = 0;
      for await (const hint of hintsIn(response.body)) onHint(hint);
      throw new Error('the stream has ended');
    } catch {
      if (ended.signal.aborted) return;
      timer = setTimeout(() => void connect(), AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]);
      tries += 1;
    }
  };
  void connect();
  return () => {
    ended.abort();
    clearTimeout(timer);
  };
}

const BUFFER_MAX = 64 * 1024;

/** Yields the hints of a stream. Ignores comments, other fields and malformed lines. */
export async function* hintsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Hint> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    buffer += decoder.decode(value, { stream: true });
    if (buffer.length > BUFFER_MAX) throw new Error('line too long');
    const lines = buffer.split(/\r?\n/);
    buffer = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data:')) continue;
      const hint = readHint(line.slice('data:'.length));
      if (hint !== null) yield hint;
    }
  }
}

function readHint(text: string): Hint | null {
  try {
    const read = JSON.parse(text) as Partial<Hint>;
    return typeof read.kind === 'string' && typeof read.id === 'number' ? (read as Hint) : null;
  } catch {
    return null;
  }
}
