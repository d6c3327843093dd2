import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { instant } from '@moorage/domain';
import { breachesOf, checkInvariants, HEALTHY, PLANTED_ROWS, type TestDatabase, testDatabase } from '@moorage/testing';
import { findBreaches, INVARIANTS, parseInvariants } from './invariants';

const LOOK = { now: instant('2026-12-03T10:00:00Z'), moment: 'quiet', canaries: ['canary-password'] } as const;
/** Late enough that work which is stuck is detected. */
const LATER = { ...LOOK, now: instant('2026-12-03T23:59:59Z') };

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await database.sql(HEALTHY);
});
afterAll(() => database.drop());

describe('ledger invariants', () => {
  it('hold in an empty database', async () => {
    const empty = await testDatabase();
    await checkInvariants(empty, LOOK);
    await empty.drop();
  });

  it('hold in a healthy database', () => checkInvariants(database, LOOK));

  it('can be read by the service that audits the ledger', async () => {
    const db = await database.open({ service: 'billing' });
    const books = INVARIANTS.filter(({ reads }) => reads === 'books');
    const breaches = await db.tx('audit', (tx) => findBreaches((sql, params) => tx.query(sql, params), books, LOOK));
    expect(breaches).toEqual([]);
    expect(books.length).toBeGreaterThan(20);
    await db.close();
  });

  it('are each broken by a planted bug', () => {
    const planted = new Set(PLANTED_ROWS.map(({ caught_by }) => caught_by));
    expect(INVARIANTS.map(({ id }) => id).filter((id) => !planted.has(id))).toEqual([]);
  });

  it.each(PLANTED_ROWS.map((bug) => [bug.caught_by, bug.does, bug.sql]))(
    '%s detects code that %s',
    async (id, _, sql) => {
      const client = await (await database.open()).connect();
      try {
        // Never committed, so the next test starts with a healthy database.
        await client.query(`begin; set local session_replication_role = replica; ${sql}`);
        const query = {
          sql: async <R extends object>(text: string, params: readonly unknown[] = []) =>
            (await client.query<R>(text, [...params])).rows,
        };
        const breaches = await breachesOf(query, LATER);
        expect(breaches.map((breach) => breach.id)).toContain(id);
      } finally {
        await client.end();
      }
    },
  );

  it('are rejected if malformed or duplicate because an unused query proves nothing', () => {
    expect(() => parseInvariants('-- name: I1\nselect 1')).toThrow('not an invariant');
    const one = '-- name: I1 A title\n-- when: always\n-- reads: books\nselect 1\n';
    expect(() => parseInvariants(one + one)).toThrow('I1');
    expect(() => parseInvariants('')).toThrow('none');
  });
});
