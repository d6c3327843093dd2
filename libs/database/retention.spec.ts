import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, instant, iso } from '@moorage/domain';
import { handClock, insertUser, testDatabase, type TestDatabase } from '@moorage/testing';
import { SERVICES } from './grants';
import { Retirement, RETENTION } from './retention';

const NOW = instant('2026-12-01T12:00:00Z');
const before = (days: number): string => iso(NOW - days * DAY_MS);

describe('retention', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  const tick = async (service: (typeof SERVICES)[number]): Promise<number> =>
    new Retirement({ db: await database.open({ service }), clock: handClock(NOW), service }).tick();

  it('defines for every table of the schema how its rows end', async () => {
    const tables = await database.sql<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    expect(Object.keys(RETENTION).sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  it('names a file that removes the rows if they are removed by code', () => {
    for (const [table, retention] of Object.entries(RETENTION)) {
      const [file] = retention.ends === 'by its own code' ? (/\S+\.ts$/.exec(retention.where) ?? []) : [];
      if (file !== undefined)
        expect([table, readFileSync(file, 'utf8')]).toEqual([table, expect.stringContaining(`delete from ${table}`)]);
    }
  });

  it('lets every service remove its rows, including from empty tables', async () => {
    for (const service of SERVICES) expect(await tick(service)).toBe(0);
  });

  it('removes expired rows in batches and keeps the rest', async () => {
    const owner = await database.open({ connections_max: 1 });
    const user = await owner.tx('user', (tx) => insertUser(tx, { at: NOW, isAdmin: true }));
    const insert = (sql: string, ...values: unknown[]) => database.sql(sql, values);
    await insert(
      `insert into sessions (id, user_id, created_at, last_used_at, expires_at)
       select 'old-' || i, $1::int, $2::timestamptz, $2::timestamptz, $2::timestamptz from generate_series(1, 2500) i
       union all select 'young', $1::int, $3::timestamptz, $3::timestamptz, $3::timestamptz`,
      user,
      before(8),
      before(6),
    );
    await insert(
      `insert into user_tokens (user_id, purpose, token_hash, created_at, expires_at, revoked_at) values
         ($1, 'verify_email', 'expired', $2, $2, null), ($1, 'verify_email', 'lately', $2, $3, null),
         ($1, 'api_token', 'in force', $2, null, null), ($1, 'api_token', 'revoked', $2, null, $2)`,
      user,
      before(31),
      before(29),
    );
    await insert(
      `insert into stripe_events (id, type, received_at, outcome) values
         ('old', 'x', $1, 'posted'), ('old and waiting', 'x', $1, 'waiting'), ('young', 'x', $2, 'posted')`,
      before(401),
      before(399),
    );
    await insert(
      `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, status, created_at) values
         ('left open', $1, 500, true, '-', 'open', $2), ('expired', $1, 500, true, '-', 'expired', $2),
         ('paid', $1, 500, true, '-', 'paid', $2), ('young', $1, 500, true, '-', 'open', $3)`,
      user,
      before(91),
      before(89),
    );
    await insert(
      `insert into mails (cause, recipient, template, facts, created_at) values ('old', 'x', 'x', '{}', $1), ('young', 'x', 'x', '{}', $2)`,
      before(91),
      before(89),
    );
    await insert(
      `insert into idempotency_keys (user_id, key, request_hash, status, answer, created_at)
       values ($1, 'old', 'x', 201, '{}', $2), ($1, 'young', 'x', 201, '{}', $3)`,
      user,
      before(1.1),
      before(0.9),
    );
    await insert(`insert into billing_runs (day, started_at) values ('2026-10-31', now()), ('2026-11-02', now())`);
    await insert(
      `insert into billing_run_chunks (day, first_user_id, last_user_id, charged, settled, finished_at)
       select day, 1, 1, 0, 0, now() from billing_runs`,
    );
    await insert(
      `insert into audit_findings (invariant, facts, found_at, last_found_at)
       values ('I1', '{}', $1, $1), ('I2', '{}', $1, $2)`,
      before(401),
      before(1),
    );

    expect(await tick('api')).toBe(2_500 + 2 + 1 + 2 + 1 + 1);
    expect(await tick('billing')).toBe(2);
    const left = async (column: string, table: string): Promise<unknown[]> =>
      (await database.sql<{ name: unknown }>(`select ${column} as name from ${table} order by 1`)).map(
        ({ name }) => name,
      );
    expect(await left('id', 'sessions')).toEqual(['young']);
    expect(await left('token_hash', 'user_tokens')).toEqual(['in force', 'lately']);
    expect(await left('id', 'stripe_events')).toEqual(['old and waiting', 'young']);
    expect(await left('id', 'checkout_sessions')).toEqual(['paid', 'young']);
    expect(await left('cause', 'mails')).toEqual(['young']);
    expect(await left('key', 'idempotency_keys')).toEqual(['young']);
    expect(await left('day', 'billing_run_chunks')).toEqual(['2026-11-02']);
    expect(await left('invariant', 'audit_findings')).toEqual(['I2']);
    for (const service of SERVICES) expect(await tick(service)).toBe(0);
  });
});
