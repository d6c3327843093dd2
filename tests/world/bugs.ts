import type { Tx } from '@moorage/server';
import type { Sabotage } from './installation';

/**
 * Wrong code, planted into running services: each changes one statement on its way to the database (or what a transport
 * does), as if somebody had written it so. The world has to find each by the invariant named. What only wrong rows can show
 * is planted in libs/testing/planted-bugs.ts, which has one for every invariant. Planted there alone: I1b, I2b, I3, I3c,
 * I5b, I6 and I12b (two histories each did not find the code tried here), I10 (its histories take minutes to end), and
 * I11, I11b, I14 and I17 (not played).
 */
export interface Bug {
  readonly does: string;
  /** An invariant's id. */
  readonly caught_by: string;
  readonly sabotage: Sabotage;
  /** The first history to look in, for what few of them show; otherwise the first of all. */
  readonly seed?: number;
}

/** Every statement that holds `find` is sent with `put` in its place; one that never comes by is a bug never planted. */
function statement(caught_by: string, does: string, find: string | RegExp, put: string): Bug {
  // a function, because of what `$1` means to replace()
  const wrong = (sql: string): string =>
    typeof find === 'string' ? sql.replace(find, () => put) : sql.replace(find, put);
  return {
    does,
    caught_by,
    sabotage: (_, parts) => ({
      ...parts,
      db: { ...parts.db, tx: (name, fn) => parts.db.tx(name, (tx) => fn(sabotaged(tx, wrong))) },
    }),
  };
}

function sabotaged(tx: Tx, wrong: (sql: string) => string): Tx {
  return {
    ...tx,
    query: (sql, params) => tx.query(wrong(sql), params),
    execute: (sql, params) => tx.execute(wrong(sql), params),
  };
}

export const BUGS: readonly Bug[] = [
  statement(
    'I1',
    'loses a micro-unit of every charge of the daily run',
    `'revenue', null, amount from charged`,
    `'revenue', null, amount - 1 from charged`,
  ),
  statement(
    'I1c',
    'forgets what a credit paid',
    'set remaining_micros = c.remaining_micros - t.amount',
    'set remaining_micros = c.remaining_micros',
  ),
  statement(
    'I3b',
    'dates the charge of a day at its end',
    `at time zone 'UTC', $4::timestamptz, hash`,
    `at time zone 'UTC' + interval '1 day', $4::timestamptz, hash`,
  ),
  statement(
    'I5c',
    'pays with the credit that ends last',
    'order by expires_at, credit_id))::bigint',
    'order by expires_at desc, credit_id desc))::bigint',
  ),
  statement('I18', 'charges 23 hours for a day', 'm.hourly_micros * 24', 'm.hourly_micros * 23'),
  statement(
    'I18b',
    'runs a deployment and opens no interval',
    /billable_from = (\$\d+)/,
    'billable_from = nullif($1::timestamptz, $1::timestamptz)',
  ),
  statement(
    'I12',
    'posts a payment and forgets that the session is paid',
    `set status = 'paid'`,
    `set status = 'open'`,
  ),
  {
    ...statement(
      'I13',
      'keeps no answers: a repeated order is a second one',
      'where k.created_at <= $6',
      'where k.created_at <= $6 or true',
    ),
    seed: 12,
  },
  statement(
    'I7',
    'never notes that a server may exist',
    'server_exists = coalesce($2, server_exists)',
    'server_exists = coalesce($2, server_exists) and false',
  ),
  statement(
    'I8',
    'moves a status without a new version',
    'set version = version + 1, status',
    'set version = version, status',
  ),
  statement(
    'I9',
    'forgets that the owner gave it up',
    /deleted_at = (\$\d+)/,
    'deleted_at = nullif($1::timestamptz, $1::timestamptz)',
  ),
];

/**
 * Reads the billable interval before it has the deployment's lock, and ends it only when it was open by then: as the delete
 * did before (the review's H1), so that a start of billing that it waited for is charged for ever. Beside it the constraint
 * that refuses such a row must be out of the way.
 */
export const READS_BEFORE_THE_LOCK: Bug & { readonly without: string } = {
  does: 'reads the interval before it has the lock',
  caught_by: 'I18b',
  without: 'alter table deployments drop constraint deployments_open_interval',
  sabotage: (_, parts) => ({
    ...parts,
    db: { ...parts.db, tx: (name, fn) => parts.db.tx(name, (tx) => fn(withoutLocks(tx))) },
  }),
};

function withoutLocks(tx: Tx): Tx {
  /** Deployments whose interval was open when the account was read; null: it was not read. */
  let open: ReadonlySet<number> | null = null;
  return {
    ...tx,
    async query<R extends object>(sql: string, params?: Parameters<Tx['query']>[1]): Promise<R[]> {
      if (/^select d\.id from deployments d[^]*order by d\.id for update/.test(sql.trim())) return [];
      const ends =
        /^update deployments set version = version \+ 1/.test(sql.trim()) && open?.has(Number(params?.[0])) === false;
      const wrong = ends
        ? sql.replace(/billable_to = (\$\d+)/, 'billable_to = nullif($1::timestamptz, $1::timestamptz)')
        : sql;
      const rows = await tx.query<R>(wrong, params);
      const [pots] = rows as { deployments?: readonly { id: number; to_ms: number | null }[] }[];
      if (open === null && Array.isArray(pots?.deployments)) {
        open = new Set(pots.deployments.filter(({ to_ms }) => to_ms === null).map(({ id }) => id));
      }
      return rows;
    },
  };
}
