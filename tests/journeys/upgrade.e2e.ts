import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createBaseline } from '@moorage/testing';
import pg from 'pg';
import { until } from './customer';
import { startProduct } from './product';

/**
 * State that commit b8fae6a left when it was killed at 2026-12-07T00:20Z (fixtures/README.md). It has four accounts
 * with credits, payments and charged days, a deployment in its grace period, a deployment in progress with a running
 * run, an order of which no service has been notified, and the ledger as that commit itself continued it until
 * `billed_until`.
 */
interface Fixture {
  readonly secrets_key: string;
  readonly sequences: Readonly<Record<string, string>>;
  readonly tables: Readonly<Record<string, readonly object[]>>;
  readonly billed_until: string;
  readonly billed: {
    readonly wallets: readonly { user_id: number; regular_micros: string; owed_micros: string }[];
    readonly credits: readonly { id: number; remaining_micros: string }[];
    readonly ledger: readonly string[];
  };
}

const KILLED_AT = Date.parse('2026-12-07T00:20:30Z');
const [IN_FLIGHT, ORDERED] = [6, 7];

describe('data folder of commit b8fae6a', () => {
  it('is upgraded in place, completes work in transit and continues billing to the micro-unit', async () => {
    const fixture = JSON.parse(
      await readFile(join('tests', 'journeys', 'fixtures', 'b8fae6a.json'), 'utf8'),
    ) as Fixture;
    const product = await startProduct(
      ['all-in-one'],
      { LAB_CLOCK_OFFSET_MS: String(KILLED_AT - Date.now()) },
      {
        async before({ databaseUrl, dataDir }) {
          await writeFile(join(dataDir, 'secrets.key'), fixture.secrets_key, { mode: 0o600 });
          await load(databaseUrl, fixture);
        },
      },
    );
    try {
      const arrived = await until(
        'both orders',
        () =>
          product.sql<{ id: number; status: string }>(
            'select id, status from deployments where id = any($1) order by id',
            [[IN_FLIGHT, ORDERED]],
          ),
        (rows) => rows.every(({ status }) => status === 'READY' || status.endsWith('FAILED')),
      );
      expect(arrived).toEqual([
        { id: IN_FLIGHT, status: 'READY' },
        { id: ORDERED, status: 'READY' },
      ]);
      const run = await product.ops('billing:run', '--at', fixture.billed_until);
      expect(run).toMatchObject({ code: 0 });

      const old = `deployment_id is distinct from ${IN_FLIGHT} and deployment_id is distinct from ${ORDERED}`;
      const ledger = await product.sql<Record<string, string | number | null>>(
        `select type, user_id, deployment_id, charged_on::text, amount_micros::text from ledger_transactions
         where ${old} order by user_id, due_at, id`,
      );
      expect(ledger.map((row) => Object.values(row).join(' '))).toEqual(fixture.billed.ledger);
      // Only the two orders add charges. Without them every balance is that of the old version.
      expect(
        await product.sql(
          `select w.user_id, owed_micros::text,
             (regular_micros - coalesce((select sum(amount_micros) from ledger_transactions t where t.user_id = w.user_id and not (${old})), 0))::text as regular_micros
           from wallets w order by user_id`,
        ),
      ).toEqual(fixture.billed.wallets);
      expect(await product.sql('select id, remaining_micros::text from credits order by id')).toEqual(
        fixture.billed.credits,
      );
      // At that time, because a run ahead of its day would be reported.
      const then = String(Date.parse(fixture.billed_until) - Date.now());
      expect(await product.opsWith({ LAB_CLOCK_OFFSET_MS: then }, 'billing:audit')).toEqual({
        code: 0,
        out: expect.stringContaining('All invariants of the ledger hold'),
      });
    } finally {
      await product.stop();
    }
  }, 600_000);
});

/** Fills the frozen baseline with the rows of the fixture. */
async function load(databaseUrl: string, { tables, sequences }: Fixture): Promise<void> {
  await createBaseline(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('delete from migrations');
    await client.query('set session_replication_role = replica');
    for (const [table, rows] of Object.entries(tables)) {
      await client.query(
        `insert into ${pg.escapeIdentifier(table)} overriding system value
         select * from json_populate_recordset(null::${pg.escapeIdentifier(table)}, $1)`,
        [JSON.stringify(rows)],
      );
    }
    for (const [name, value] of Object.entries(sequences))
      await client.query('select setval($1::regclass, $2)', [name, value]);
  } finally {
    await client.end();
  }
}
