import { type Random, sqlState, violatedConstraint } from '@moorage/server';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Delays between the attempts of a delivery. After ten attempts in about an hour it is parked. */
const DELIVERY_DELAYS_MS = [
  1 * SECOND,
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  1 * MINUTE,
  3 * MINUTE,
  7 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
];

const WORK_DELAY_FIRST_MS = 1 * SECOND;
const WORK_DELAY_MAX_MS = 10 * MINUTE;

/**
 * Returns the milliseconds until the next attempt after `failures` failures, or null if the delivery has to be parked.
 */
export function deliveryDelay(failures: number, random: Random): number | null {
  const delay = DELIVERY_DELAYS_MS[failures - 1];
  return delay === undefined ? null : jittered(delay, random);
}

/**
 * Returns the milliseconds until the next attempt of work that threw an exception. Work is never given up because of
 * exceptions, but the delay grows.
 */
export function workDelay(failures: number, random: Random): number {
  const exponent = Math.min(Math.max(failures, 1), 20) - 1;
  return jittered(Math.min(WORK_DELAY_FIRST_MS * 2 ** exponent, WORK_DELAY_MAX_MS), random);
}

/** Varies a delay by up to 20 % in either direction, so that work that failed together is not retried together. */
function jittered(ms: number, random: Random): number {
  return Math.round(ms * (0.8 + 0.4 * random.fraction()));
}

const WORD = /^[\w.-]{1,60}$/;

/**
 * Returns the class and code of an error, which is all that a row may store. The message is never stored, because it
 * can contain customer input or a secret from a server's response.
 */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = (error as { code?: unknown }).code;
  return [error.name, sqlState(error) ?? code, violatedConstraint(error)]
    .filter((word) => typeof word === 'string' && WORD.test(word))
    .join(' ');
}
