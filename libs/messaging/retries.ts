import { type Random, sqlState, violatedConstraint } from '@moorage/server';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** What lies between the tries of a delivery: ten tries within about an hour, then it is parked. */
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

/** Milliseconds until the next try after `failures` of them; null: give up and park. */
export function deliveryDelay(failures: number, random: Random): number | null {
  const delay = DELIVERY_DELAYS_MS[failures - 1];
  return delay === undefined ? null : jittered(delay, random);
}

/** Work is never given up for an exception: it is tried again ever more slowly. */
export function workDelay(failures: number, random: Random): number {
  const exponent = Math.min(Math.max(failures, 1), 20) - 1;
  return jittered(Math.min(WORK_DELAY_FIRST_MS * 2 ** exponent, WORK_DELAY_MAX_MS), random);
}

/** Up to a fifth more or less, so that what failed together does not come back together. */
function jittered(ms: number, random: Random): number {
  return Math.round(ms * (0.8 + 0.4 * random.fraction()));
}

const WORD = /^[\w.-]{1,60}$/;

/**
 * What a row may remember of an error: its class and code. Never the message, which can hold what a customer typed or a
 * secret that a server answered with.
 */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = (error as { code?: unknown }).code;
  return [error.name, sqlState(error) ?? code, violatedConstraint(error)]
    .filter((word) => typeof word === 'string' && WORD.test(word))
    .join(' ');
}
