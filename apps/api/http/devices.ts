import { hasUnprintable } from '@moorage/domain';
import bowser from 'bowser';

const USER_AGENT_LENGTH_MAX = 300;

/**
 * Returns a User-Agent header in the form in which it is stored, or null if it is missing or none that a browser sends.
 */
export function storedUserAgent(header: string | undefined): string | null {
  const text = header?.slice(0, USER_AGENT_LENGTH_MAX).trim() ?? '';
  return text === '' || hasUnprintable(text) ? null : text;
}

export interface Device {
  readonly browser: string | null;
  readonly system: string | null;
}

/** Derives the device from a User-Agent header. It is a hint for the owner and proves nothing. */
export function deviceOf(userAgent: string | null): Device {
  if (userAgent === null) return { browser: null, system: null };
  const { browser, os } = bowser.parse(userAgent);
  // The library returns an empty name for what it does not recognise.
  return { browser: browser.name || null, system: os.name || null };
}
