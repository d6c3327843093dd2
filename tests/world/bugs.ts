import type { Tx } from '@moorage/server';
import type { Sabotage } from './installation';
import { ADMIN_PASSWORD } from './people';

/**
 * Wrong code, planted into running services: each changes one statement on its way to the database (or what a transport
 * does), as if somebody had written it so. The world has to find each by the invariant named. What only wrong rows can show
 * is planted in libs/testing/planted-bugs.ts.
 */
export interface Bug {
  readonly does: string;
  /** An invariant's id, or words of what people were told. */
  readonly caught_by: string;
  readonly sabotage: Sabotage;
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
    `'revenue', null, s.amount`,
    `'revenue', null, s.amount - 1`,
  ),
  statement(
    'I1b',
    'debits the wallet twice for what was charged once',
    'w.regular_micros - s.amount',
    'w.regular_micros - 2 * s.amount',
  ),
  statement(
    'I1c',
    'forgets what a credit paid',
    'set remaining_micros = c.remaining_micros - f.amount',
    'set remaining_micros = c.remaining_micros',
  ),
  statement('I2b', 'shows an hour less than it took', `'charge', -d.amount`, `'charge', -d.amount + d.hourly_micros`),
  statement(
    'I3',
    'leaves an account alone in which something is in the way',
    'from accounts where not payable',
    'from accounts where false',
  ),
  statement(
    'I3b',
    'dates the charge of a day at its end',
    `at time zone 'UTC', $4::timestamptz`,
    `at time zone 'UTC' + interval '1 day', $4::timestamptz`,
  ),
  statement(
    'I3c',
    'goes on charging the price before the level change',
    'update meters set hourly_micros = $4, rate_from = $2 where',
    'update meters set hourly_micros = least($4, hourly_micros), rate_from = $2 where',
  ),
  statement('I5b', 'lets locked credits pay', `w.regular_micros >= $5::bigint`, `$5::bigint is not null`),
  statement(
    'I5c',
    'pays with the credit that ends last',
    'order by c.expires_at, c.id)',
    'order by c.expires_at desc, c.id desc)',
  ),
  statement('I18', 'charges 23 hours for a day', 'm.hourly_micros * 24', 'm.hourly_micros * 23'),
  statement(
    'I18b',
    'destroys and leaves the interval open',
    /billable_to = (\$\d+)/,
    'billable_to = nullif($1::timestamptz, $1::timestamptz)',
  ),
  statement(
    'I12',
    'posts a payment and forgets that the session is paid',
    `set status = 'paid'`,
    `set status = 'open'`,
  ),
  statement(
    'I12b',
    'forgets what Stripe has taken back',
    'values ($1, $2, $3)\n     on conflict (payment_intent',
    'values ($1, $2, $3::bigint / 2)\n     on conflict (payment_intent',
  ),
  statement(
    'was answered with',
    'keeps no answers: a repeated order is a second one',
    'from idempotency_keys where user_id = $1 and key = $2',
    'from idempotency_keys where false and user_id = $1 and key = $2',
  ),
  statement(
    'I7',
    'never notes that a server may exist',
    'server_exists = coalesce($2, server_exists)',
    'server_exists = coalesce($2, server_exists) and false',
  ),
  statement(
    'I6',
    'asks for a server without looking for one first',
    `and provider = $1 and region = $2 and labels`,
    `and false and provider = $1 and region = $2 and labels`,
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
  {
    does: 'loses events, and nobody looks for them',
    caught_by: 'I10',
    sabotage: (_, parts) => ({
      ...parts,
      network: {
        ...parts.network,
        events: {
          ...parts.network.events,
          publish: (batch) => parts.network.events.publish(batch.filter(({ sequence }) => sequence % 3 !== 0)),
        },
      },
      db: {
        ...parts.db,
        tx: (name, fn) =>
          parts.db.tx(name, (tx) =>
            fn(name === 'sweep.missed' ? sabotaged(tx, (sql) => `select * from (${sql}) nothing where false`) : tx),
          ),
      },
    }),
  },
  statement(
    'I11',
    'passes over an event',
    'do update set last_sequence = excluded.last_sequence',
    'do update set last_sequence = excluded.last_sequence + (p.last_sequence % 2)',
  ),
  statement(
    'I11b',
    'leaves a gap in the numbers of an aggregate',
    'last_sequence = event_sequences.last_sequence + excluded.last_sequence',
    'last_sequence = event_sequences.last_sequence + excluded.last_sequence + (event_sequences.last_sequence % 2)',
  ),
  statement(
    'I14',
    'forgets when to go on',
    'set due_at = $4, because = $5',
    `set due_at = $4::timestamptz + interval '100 days', because = $5`,
  ),
  statement(
    'I17',
    'writes a password into the timeline',
    'message, at) values ($1, $2, $3, $4, $5, $6)',
    `message, at) values ($1, $2, $3, $4, coalesce($5, '${ADMIN_PASSWORD}'), $6)`,
  ),
];
