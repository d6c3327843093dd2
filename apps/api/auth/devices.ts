import { hasUnprintable } from '@moorage/domain';
import bowser from 'bowser';

const USER_AGENT_LENGTH_MAX = 300;

/** A User-Agent header as it is kept; null: none, or one that no browser sends. */
export function keptUserAgent(header: string | undefined): string | null {
  const text = header?.slice(0, USER_AGENT_LENGTH_MAX).trim() ?? '';
  return text === '' || hasUnprintable(text) ? null : text;
}

export interface Device {
  readonly browser: string | null;
  readonly system: string | null;
}

/** What a User-Agent header says of itself: a hint for its owner, proof of nothing. */
export function deviceOf(userAgent: string | null): Device {
  if (userAgent === null) return { browser: null, system: null };
  const { browser, os } = bowser.parse(userAgent);
  // what it does not know is an empty name
  return { browser: browser.name || null, system: os.name || null };
}
