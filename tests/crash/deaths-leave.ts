import { expect } from '@jest/globals';
import { breachesOf, checkInvariants } from '@moorage/testing';
import { until } from '../journeys/person';
import type { Product } from '../journeys/product';
import { CANARY } from './customers';
import { type Death, told } from './kill';
import { namesOf, type Occasion } from './places';

/**
 * Of these every passing is a step of the work. Between two of them a step may do more; where it does, those places have
 * names of their own. (A death inside a step's last transaction leaves what a death before it leaves.)
 */
export const STEPWISE = ['run.begin.committed', 'work.finish.effected', 'work.finish.committed'];
export const END_OF_STEP = 'work.finish.committed';

/**
 * The step that a run stands at. Nobody waits out the time that only passes: what the dead held is free at once instead of
 * after half a minute, and a create without an answer is unsettled no longer.
 */
export async function standsAt(product: Product): Promise<string> {
  await product.sql('update work set leased_until = due_at where leased_until is not null');
  await product.sql(`update servers set asked_at = asked_at - interval '1 minute' where asked_at is not null`);
  const [run] = await product.sql<{ at: string }>(
    `select plan || ' ' || steps[position + 1] as at from runs where state = 'running' order by id desc limit 1`,
  );
  return run?.at ?? 'no run';
}

/**
 * Somebody died at every place of the occasion, and at each of these steps wherever a step is begun and ended: so often at
 * least, which holds even where the lists were emptied. (Who comes first, an event or the sweep, makes a few more of them.)
 */
export function expectDeaths(
  deaths: readonly Death[],
  occasion: Occasion,
  {
    atLeast,
    steps = [],
    stepwise = STEPWISE,
  }: { atLeast: number; steps?: readonly string[]; stepwise?: readonly string[] },
): void {
  process.stdout.write(`${occasion}: killed ${deaths.length} times, at ${told(deaths)}\n`);
  expect(deaths.length).toBeGreaterThanOrEqual(atLeast);
  const names = new Set(deaths.map(({ name }) => name));
  expect(namesOf(occasion).filter((name) => !names.has(name))).toEqual([]);
  const places = new Set(deaths.map(({ at, name }) => `${at}: ${name}`));
  const wanted = steps.flatMap((step) => stepwise.map((name) => `${step}: ${name}`));
  expect(wanted.filter((place) => !places.has(place))).toEqual([]);
}

const EVENTS_LATE_MS = 11 * 60_000;

/**
 * Waits until every event is handled and every run has ended; then every invariant holds, looked at so much later that no
 * event may still be under way, and no secret is found in a row or a log.
 */
export async function holdsInTheEnd(product: Product, secrets: readonly string[] = []): Promise<void> {
  const later = (await newestEvent(product)) + EVENTS_LATE_MS;
  await until(
    'an end of events and runs',
    async () => [
      ...(await product.sql(`select plan from runs where state = 'running'`)),
      ...(await product.sql('select kind, key from work where leased_until is not null')),
      ...(await breachesOf(product, { now: later, moment: 'quiet' })).filter(({ id }) => id.startsWith('I10')),
    ],
    (rows) => rows.length === 0,
  );
  await checkInvariants(product, { now: later, moment: 'quiet', canaries: [CANARY, ...secrets] });
  expect(product.log()).not.toMatch(new RegExp(`${CANARY}|PRIVATE KEY`));
}

/** The books, at a moment when everything due has been settled; events may still be under way. */
export function booksHold(product: Product, now: number): Promise<void> {
  return checkInvariants(product, { now, moment: 'settled', canaries: [CANARY] });
}

async function newestEvent(product: Product): Promise<number> {
  const [row] = await product.sql<{ at: string }>(
    `select extract(epoch from max(occurred_at)) * 1000 as at from outbox`,
  );
  return Math.ceil(Number(row?.at ?? 0));
}
