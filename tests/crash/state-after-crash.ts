import { expect } from '@jest/globals';
import { breachesOf, checkInvariants } from '@moorage/testing';
import { until } from '../journeys/customer';
import type { Product } from '../journeys/product';
import { CANARY } from './customers';
import { type Death, reported } from './kill';
import { namesOf, type Occasion } from './places';

/**
 * Names of which every passing is a step of the work. If a step does more between two of them, those places have
 * separate names. (A death inside a step's last transaction leaves the same state as a death before it.)
 */
export const STEPWISE = ['run.begin.committed', 'work.finish.effected', 'work.finish.committed'];
export const END_OF_STEP = 'work.finish.committed';

/**
 * Returns the current step of a run. It also skips waiting times, by freeing the leases of the dead process immediately
 * instead of after half a minute, and by no longer treating a create without a response as unsettled.
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
 * Checks that processes died at every place of the occasion, and at each step wherever a step begins and ends.
 * `atLeast` is a lower bound that applies even if the lists were emptied. (A few more deaths occur depending on whether
 * an event or the sweep comes first.)
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
  process.stdout.write(`${occasion}: killed ${deaths.length} times, at ${reported(deaths)}\n`);
  expect(deaths.length).toBeGreaterThanOrEqual(atLeast);
  const names = new Set(deaths.map(({ name }) => name));
  expect(namesOf(occasion).filter((name) => !names.has(name))).toEqual([]);
  const places = new Set(deaths.map(({ at, name }) => `${at}: ${name}`));
  const wanted = steps.flatMap((step) => stepwise.map((name) => `${step}: ${name}`));
  expect(wanted.filter((place) => !places.has(place))).toEqual([]);
}

const EVENTS_LATE_MS = 11 * 60_000;

/**
 * Waits until every event is handled and every run has ended. Then checks every invariant, at a time so much later that
 * no event can still be on its way, and checks that no secret is in a row or log.
 */
export async function eventuallyHolds(product: Product, secrets: readonly string[] = []): Promise<void> {
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

/** Checks the ledger when everything due has been settled. Events may still be on their way. */
export function ledgerHolds(product: Product, now: number): Promise<void> {
  return checkInvariants(product, { now, moment: 'settled', canaries: [CANARY] });
}

async function newestEvent(product: Product): Promise<number> {
  const [row] = await product.sql<{ at: string }>(
    `select extract(epoch from max(occurred_at)) * 1000 as at from outbox`,
  );
  return Math.ceil(Number(row?.at ?? 0));
}
