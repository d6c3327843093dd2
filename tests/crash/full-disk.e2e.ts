import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DatabaseServer, databaseServer } from '../journeys/database-server';
import { noonOffset } from '../journeys/first-deployment';
import { type Answer, person, until } from '../journeys/customer';
import { type Product, startProduct } from '../journeys/product';
import { BUSY, shownRefusal } from './busy';
import { type Customer, customers, draft, order, untilAll } from './customers';
import { ledgerHolds, eventuallyHolds } from './state-after-crash';
import { LONG_MS } from './kill';

const DISK_MB = 256;
/** Settings for a small write-ahead log, which is written before anything else. */
const SETTINGS = ['min_wal_size=32MB', 'max_wal_size=64MB', 'autovacuum=off'];
const TRIES_MAX = 400;
const REFUSED_IN_A_ROW = 5;
/**
 * Number of days to charge. The charges of a single day may fit into the free space of existing pages, those of a month
 * do not.
 */
const DAYS = 30;
const SERVES_AGAIN_MS = 15_000;

let server: DatabaseServer;
let product: Product;
let ada: Customer;
let bob: Customer;
let admin: ReturnType<typeof person>;

/** Starts the product on a small separate disk (`databaseServer`). Needs Linux and root. */
beforeAll(async () => {
  product = await startProduct(
    ['api', 'billing', 'provisioner'],
    { LAB_CLOCK_OFFSET_MS: noonOffset() },
    { database: async (folder) => (server = await databaseServer(folder, { settings: SETTINGS, disk_mb: DISK_MB })) },
  );
  [ada, bob] = (await customers(product, [50_000, 50_000])) as [Customer, Customer];
  admin = person(product, 'admin@moorage.localhost', 'journey-admin');
  await admin.login();
  await order(ada, 'before-ada');
  await order(bob, 'before-bob');
  await untilAll(product, 'READY', 60_000);
}, LONG_MS);
afterAll(() => product.stop(), LONG_MS);

/** F10. Nothing can be stored any more, and everything can be read. */
describe('database whose disk is full', () => {
  const stored: { readonly key: string; readonly answer: Answer<unknown> }[] = [];
  const refused: string[] = [];
  let unkeyed = 0;
  /** Number of orders that still fitted, and the keys of those that did not. */
  let ordered = 0;
  const refusedOrders: string[] = [];
  const adjust = (key: string | null): Promise<Answer<unknown>> =>
    admin.call(
      'POST',
      `/billing/admin/users/${ada.id}/adjust-balance`,
      { amount: 1 },
      key === null ? {} : { 'idempotency-key': key },
    );
  const run = (key: string): Promise<Answer<unknown>> =>
    ada.call('POST', '/deployments', draft(key), { 'idempotency-key': key });

  it(
    'rejects writes with a message and Retry-After, and still serves reads',
    async () => {
      await fill();
      await untilRefused(async (n) => {
        const key = `full-${n}`;
        const answer = await adjust(key);
        if (answer.status === 200) stored.push({ key, answer });
        else refused.push(key);
        return answer;
      });
      // The tables of the keys are full by now, so this tests the ledger.
      await untilRefused(async () => {
        const answer = await adjust(null);
        if (answer.status === 200) unkeyed++;
        return answer;
      });
      // Each table has its own free space, so a few orders may still fit.
      await untilRefused(async (n) => {
        const key = `full-order-${n}`;
        const answer = await run(key);
        if (answer.status === 201) ordered++;
        else refusedOrders.push(key);
        return answer;
      }, 201);
      const [list, balance] = await Promise.all([bob.call('GET', '/deployments'), bob.call('GET', '/billing/balance')]);
      expect([list.status, balance.status]).toEqual([200, 200]);
      expect(list.body).toEqual([expect.objectContaining({ status: 'READY' })]);
    },
    LONG_MS,
  );

  it(
    'charges no account partially, and the daily run reports its failure',
    async () => {
      expect((await product.ops('billing:run', '--at', await midnight(DAYS))).code).not.toBe(0);
      // Accounts are charged either completely or not at all.
      await ledgerHolds(product, Date.parse(await midnight(1)) - 60_000);
    },
    LONG_MS,
  );

  it(
    'continues automatically when space is available, and does each thing once',
    async () => {
      await free();
      const [first] = refused as [string];
      await until(
        'an answer',
        () => adjust(first),
        ({ status }) => status === 200,
        SERVES_AGAIN_MS,
      );
      for (const key of refused) expect([key, (await adjust(key)).status]).toEqual([key, 200]);
      for (const { key, answer } of stored) expect([key, (await adjust(key)).body]).toEqual([key, answer.body]);
      expect(await product.sql(`select count(*)::int from ledger_transactions where type = 'adjustment'`)).toEqual([
        { count: stored.length + refused.length + unkeyed },
      ]);
      expect((await run(refusedOrders[0] as string)).status).toBe(201);
      await untilAll(product, 'READY', 60_000);
      await eventuallyHolds(product);
    },
    LONG_MS,
  );

  it(
    'recovers in the same way after the server crashed because not even its WAL could be written',
    async () => {
      await fill();
      // Until a new file of the write-ahead log is required, without which nothing works.
      await until(
        'a crash of the server',
        async () => {
          await product
            .sql(`select pg_switch_wal(), pg_logical_emit_message(true, 'fill', repeat('x', 1000000))`)
            .catch(() => undefined);
          return server.log();
        },
        (log) => /PANIC: .*No space left on device/.test(log),
      );
      const key = 'without-a-log';
      const answer = await until(
        'a refusal',
        () => adjust(key),
        ({ status }) => status !== 200,
        SERVES_AGAIN_MS,
      );
      expect(shownRefusal(answer)).toEqual(BUSY);
      for (const { child } of product.processes) expect([child.exitCode, child.signalCode]).toEqual([null, null]);
      await free();
      // Its recovery may have ended, or may still wait for data that could not be written.
      await server.end('immediate');
      await server.start();
      await until(
        'an answer',
        () => adjust(key),
        ({ status }) => status === 200,
        SERVES_AGAIN_MS,
      );
      expect((await run('after-the-log')).status).toBe(201);
      await untilAll(product, 'READY', 90_000);
      await eventuallyHolds(product);
    },
    LONG_MS,
  );

  it(
    'notifies operators in the log at once, and by an alert when it can be stored',
    async () => {
      expect(product.log()).toContain('database out of disk, memory or connections; statements are rejected');
      const alerts = await until(
        'an alert',
        () =>
          product.sql<{ subject: string; state: string }>(
            `select subject, facts ->> 'sql_state' as state from operator_alerts where kind = 'database_short'`,
          ),
        (rows) => rows.some(({ subject }) => subject === 'api'),
      );
      expect(alerts).toContainEqual({ subject: 'api', state: '53100' });
    },
    LONG_MS,
  );

  it(
    'completes the daily run once, with every ledger invariant intact',
    async () => {
      const at = await midnight(DAYS);
      expect(await product.ops('billing:run', '--at', at)).toMatchObject({ code: 0 });
      expect(
        await product.sql(
          `select count(*)::int, count(distinct deployment_id)::int as deployments from ledger_transactions
           where type = 'charge' and due_at = $1`,
          [at],
        ),
      ).toEqual([{ count: 4 + ordered, deployments: 4 + ordered }]);
      await ledgerHolds(product, Date.parse(at));
    },
    LONG_MS,
  );
});

/** Repeats a call until it is refused. Rows fit into existing pages until these are full. */
async function untilRefused(send: (n: number) => Promise<Answer<unknown>>, accepted = 200): Promise<void> {
  for (let n = 0, row = 0; row < REFUSED_IN_A_ROW; n++) {
    expect(n).toBeLessThan(TRIES_MAX);
    const answer = await send(n);
    if (answer.status !== accepted) expect(shownRefusal(answer)).toEqual(BUSY);
    row = answer.status === accepted ? 0 : row + 1;
  }
}

const filler = (): string => join(server.data, 'filler');

/** Fills the disk until not a single page fits. */
async function fill(): Promise<void> {
  await product.sql('checkpoint');
  await product.sql('select pg_switch_wal()');
  const file = await open(filler(), 'w');
  try {
    // A write that does not fit is truncated, and the next write is refused.
    for (const block = Buffer.alloc(1 << 20); ;) await file.write(block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}

const free = (): Promise<void> => rm(filler());

/** Returns the end of the given day, counted from the day of the first posting. */
async function midnight(days: number): Promise<string> {
  const [row] = await product.sql<{ at: number }>(
    `select (extract(epoch from date_trunc('day', min(posted_at)) + $1 * interval '1 day') * 1000)::float8 as at from ledger_transactions`,
    [days],
  );
  return new Date(row?.at ?? 0).toISOString();
}
