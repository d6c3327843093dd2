import { DAY_MS } from '@moorage/domain';

const KEY = 'moorage:package';
const DAYS_KEPT = 7;

/**
 * Remembers in this browser the package that a visitor chose before the signup. It survives the signup, the link in the
 * email and the first payment.
 */
export function rememberWantedPackage(name: string, now = Date.now()): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ name, until: now + DAYS_KEPT * DAY_MS }));
  } catch {
    // If storage is disabled, the package is chosen again.
  }
}

/** Returns the package chosen in the last seven days, or null. */
export function wantedPackage(now = Date.now()): string | null {
  try {
    const { name, until } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    return typeof name === 'string' && typeof until === 'number' && until > now ? name : null;
  } catch {
    return null;
  }
}

export function forgetWantedPackage(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Without storage there is none.
  }
}
