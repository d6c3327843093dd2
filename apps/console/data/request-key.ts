import { useRef } from 'react';

const KEY_BYTES = 16;

/** randomUUID needs https, which a console on a laptop does not have; this does not. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export interface RequestKey {
  /** The key for this content: the same as before, as long as the content is. */
  of(content: unknown): string;
  /** It was done: the same content is something new from now on. */
  done(): void;
}

/**
 * The Idempotency-Key of a form or dialog that moves money. It lives through every retry, so that a request whose answer was
 * lost is not done twice, and ends when something else is asked for.
 */
export function useRequestKey(): RequestKey {
  const current = useRef<{ content: string; key: string } | null>(null);
  return {
    of(content) {
      const text = JSON.stringify(content);
      if (current.current?.content !== text) current.current = { content: text, key: randomKey() };
      return current.current.key;
    },
    done() {
      current.current = null;
    },
  };
}
