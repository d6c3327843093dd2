import { randomBytes, randomUUID } from 'node:crypto';

/** The only source of randomness, so that the simulation can replay a history from its seed. */
export abstract class Random {
  abstract readonly bytes: (count: number) => Buffer;
  abstract readonly uuid: () => string;
  /** Returns `length` characters, evenly distributed over `alphabet` (at most 256 characters). */
  abstract readonly text: (length: number, alphabet?: string) => string;
  /** Returns x with 0 <= x < 1, for jitter and never for secrets. */
  abstract readonly fraction: () => number;
}

export const LOWER_ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Creates a cryptographically secure source. */
export function systemRandom(): Random {
  return {
    bytes: (count) => randomBytes(count),
    uuid: () => randomUUID(),
    text: (length, alphabet = LOWER_ALPHANUMERIC) => pick(length, alphabet, (count) => randomBytes(count)),
    fraction: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  };
}

/** Returns random values from a 32-bit seed (mulberry32). For tests only, because nothing it generates is secret. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => Math.floor(next() * 256)));
  return {
    bytes,
    uuid: () => {
      const hex = bytes(16).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
    text: (length, alphabet = LOWER_ALPHANUMERIC) => pick(length, alphabet, bytes),
    fraction: next,
  };
}

/** Picks characters by rejection sampling, because a plain modulo would favour the first characters. */
function pick(length: number, alphabet: string, bytes: (count: number) => Buffer): string {
  const limit = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of bytes(length)) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}
