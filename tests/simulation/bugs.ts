import { STEP_MESSAGES } from '@moorage/domain';
import { type Ssh, StepError } from '@moorage/provisioner';
import type { Tx } from '@moorage/server';
import type { Sabotage } from './installation';
import type { PlayOptions } from './play';

/**
 * Wrong code, planted into running services: each changes one statement on its way to the database (or what a transport
 * does), as if somebody had written it so. The world has to find each by the invariant named. What only wrong rows can show
 * is planted in libs/testing/planted-bugs.ts, which has one for every invariant. Planted there alone: I1b, I2b, I3, I3c,
 * I5b, I6 and I12b (two histories each did not find the code tried here), I10 (its histories take minutes to end), and
 * I3e, I11, I11b, I14 and I17 (not played).
 */
export interface Bug {
  readonly does: string;
  /** The id of an invariant, of what auditors may not do, or of a law of ./laws.ts. */
  readonly caught_by: string;
  readonly sabotage?: Sabotage;
  /** What of the transport to machines is wrong. */
  readonly wrongSsh?: (ssh: Ssh) => Ssh;
  /** The weather that shows it. */
  readonly sky?: PlayOptions['sky'];
  /** The first history to look in, for what few of them show; otherwise the first of all. */
  readonly seed?: number;
  /** It shows only while settling one account throws. */
  readonly throws?: true;
}

/**
 * Takes "OK and empty" for the loss of every server, as before the review's H2: in the fleet that the breaker judges are a
 * hundred servers that the provider always shows, so that ours, of which it shows none, are too few to be strange.
 */
const BLIND_BREAKER: Sabotage = (_, parts) => ({
  ...parts,
  db: {
    ...parts.db,
    async tx<T>(name: string, fn: (tx: Tx) => Promise<T>): Promise<T> {
      const result = await parts.db.tx(name, fn);
      if (name === 'reconcile.read') {
        const look = result as { running: readonly object[] };
        return { ...look, running: [...look.running, ...new Array<object>(100).fill(ALWAYS_SHOWN)] } as T;
      }
      if (name !== 'sandbox.list') return result;
      const { answer } = result as { answer: readonly object[] | null };
      if (answer === null) return result;
      const shown = { id: '0', name: 'other', region: 'fsn1', state: 'running', address: null, labels: {} };
      return { ...result, answer: [...answer, { ...shown, created_at: 0 }] };
    },
  },
});
const ALWAYS_SHOWN = { deployment_id: 0, region: 'fsn1', provider_server_id: '0', lost_seen_at: null };

/** "Still at work" is an error like any other, as before the review's M8: six of them, and the deployment has failed. */
const busyIsAnError = (ssh: Ssh): Ssh => ({
  async connect(target) {
    const session = await ssh.connect(target);
    const orError = <T extends { code: string }>(answer: T): T => {
      if (answer.code === 'BUSY') throw new StepError(STEP_MESSAGES.script_busy);
      return answer;
    };
    return {
      ...session,
      run: async (...asked) => orError(await session.run(...asked)),
      upload: async (...asked) => orError(await session.upload(...asked)),
    };
  },
});

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
  {
    does: 'takes a script that is still at work for an error',
    caught_by: 'W2',
    wrongSsh: busyIsAnError,
    sky: 'connections break',
  },
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
      // by its rows, or by who asked and was answered with another one
      '(?:I13|key-\\d+)',
      'keeps no answers: a repeated order is a second one',
      'where k.created_at <= $6',
      'where k.created_at <= $6 or true',
    ),
    seed: 7,
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
  // the review's M1
  {
    ...statement(
      'A3',
      'lets one account that throws exempt everybody from the audit',
      'left join billing_failures f on f.user_id = d.user_id',
      'left join (select min(day) as day from billing_failures) f on true',
    ),
    throws: true,
  },
  {
    does: 'takes "OK and empty" of a provider for the loss of every server',
    caught_by: 'W1',
    sabotage: BLIND_BREAKER,
    sky: 'clouds forget',
  },
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
