import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product } from '../journeys/product';
import { type Customer, customers, order, untilAll, untilNone } from './customers';
import { ledgerHolds, expectDeaths, eventuallyHolds } from './state-after-crash';
import { hunt, type Life, LONG_MS, startProductToKill, stopped } from './kill';

/** Number of user ids in a chunk of the daily run. */
const CHUNK_USERS = 5_000;
const INSIDE_AND_BETWEEN = ['billing.chunk', 'billing.chunk.inside', 'billing.chunk.committed'];
const HOUR_MS = 60 * 60_000;
/** Daily price of Pangolin at Hetzner cpx22, in micro-units. */
const DAY_MICROS = 35_600 * 24;

let product: Product;
let rich: Customer[];
let poor: Customer;
/** Midnight after the first charges. */
let midnight: number;
let died: string[];

beforeAll(async () => {
  product = await startProductToKill();
  const all = await customers(product, [2_000, 2_000, 2_000, 800], CHUNK_USERS);
  rich = all.slice(0, 3);
  poor = all[3]!;
  for (const [n, customer] of rich.entries()) await order(customer, `night-${n}`);
  // The balance covers the first afternoon but not the whole next day.
  await order(poor, 'poor', { support_level: 3 });
  await untilAll(product, 'READY', 60_000);
  await eventuallyHolds(product);
  for (const proc of product.processes) await stopped(proc);
  const [row] = await product.sql<{ at: string }>(
    `select extract(epoch from date_trunc('day', max(posted_at)) + interval '1 day') * 1000 as at from ledger_transactions`,
  );
  midnight = Number(row?.at);
}, LONG_MS);
afterAll(() => product.stop());

describe('daily run', () => {
  it(
    'charges every account once, wherever it is killed: before, inside and between its chunks',
    async () => {
      const deaths = await hunt(product, {
        life: runAt(midnight),
        stepwise: INSIDE_AND_BETWEEN,
        at: async () => `${(await finishedChunks()).length} chunks`,
        over: async () => (await nights('billing_runs')).length > 0,
      });
      // Three names at each of four chunks, or of three. A chunk is skipped while the database has not yet noticed that
      // its runner is dead.
      expectDeaths(deaths, 'daily run', { atLeast: 25 });
      died = deaths.map(({ name }) => name);
      for (const name of INSIDE_AND_BETWEEN)
        expect(deaths.filter((death) => death.name === name).length).toBeGreaterThanOrEqual(3);

      expect(await product.ops('billing:run', '--at', iso(midnight))).toMatchObject({ code: 0 });
      expect(await finishedChunks()).toHaveLength(4);
      expect(await charges()).toEqual(rich.map(({ id }) => ({ user_id: id, micros: -DAY_MICROS })));
      expect(await product.sql('select user_id from meters where grace_period_day is not null')).toEqual([
        { user_id: poor.id },
      ]);
      await ledgerHolds(product, midnight);
    },
    LONG_MS,
  );

  it(
    'ends an unpaid deployment once after its grace period, wherever it is killed',
    async () => {
      const later = midnight + HOUR_MS;
      const ended = async (): Promise<boolean> =>
        (await product.sql(`select 1 from deployments where status = 'DESTROYING'`)).length > 0;
      const deaths = await hunt(product, {
        life: runAt(later),
        stepwise: [],
        known: died.filter((name) => !name.startsWith('billing.settle')),
        at: () => Promise.resolve('the end of a hold'),
        over: ended,
      });
      expect(deaths.map(({ name }) => name)).toEqual(['billing.settle', 'billing.settle.committed']);
      expect(await product.ops('billing:run', '--at', iso(later))).toMatchObject({ code: 0 });
      expect(await charges()).toEqual(rich.map(({ id }) => ({ user_id: id, micros: -DAY_MICROS })));
      expect(await product.sql(`select 1 from outbox where event_name = 'balance.depleted'`)).toHaveLength(1);

      await product.spawn('all-in-one', { LAB_CLOCK_OFFSET_MS: String(later - Date.now()) });
      await untilNone(product, 'DESTROYING');
      await eventuallyHolds(product);
      expect((await product.ops('billing:audit')).code).toBe(0);
    },
    LONG_MS,
  );
});

function runAt(at: number): Life {
  return async (settings) => {
    const { code, out } = await product.opsWith(settings, 'billing:run', '--at', iso(at));
    if (code !== null && code !== 0) throw new Error(`billing:run: ${code} ${out}`);
  };
}

const iso = (at: number): string => new Date(at).toISOString();

const finishedChunks = (): Promise<object[]> => nights('billing_run_chunks');

/** Returns what is finished of the day that begins at midnight. The timer may have finished the current day before. */
function nights(table: 'billing_runs' | 'billing_run_chunks'): Promise<object[]> {
  return product.sql(`select 1 from ${table} where day = $1 and finished_at is not null`, [iso(midnight).slice(0, 10)]);
}

/** Returns the charges of the daily run by account. */
function charges(): Promise<object[]> {
  return product.sql(
    `select user_id, sum(amount_micros)::int as micros from ledger_transactions
     where type = 'charge' and due_at = $1 group by user_id order by user_id`,
    [iso(midnight)],
  );
}
