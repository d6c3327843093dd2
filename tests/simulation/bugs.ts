import { STEP_MESSAGES } from '@moorage/domain';
import { type Ssh, StepError } from '@moorage/provisioner';
import type { Tx } from '@moorage/server';
import type { Sabotage } from './installation';
import type { ScenarioOptions } from './run-scenario';

/**
 * Incorrect code planted into running services. Each bug changes one statement on its way to the database (or the
 * behaviour of a transport), as if it had been written that way. The simulation has to detect each by the invariant
 * named. Errors that only incorrect rows can show are planted in tests/fixtures/planted-bugs.ts, which has one for every
 * invariant. Planted only there are I1b, I2b, I3, I3c, I5b, I6 and I12b (two histories each did not detect the code
 * tried here), I10 (its histories take minutes to end), and I3e, I11, I11b, I14 and I17 (not simulated).
 */
export interface Bug {
  readonly does: string;
  /** Id of an invariant (invariants.sql or ./invariants.ts) or of a rule of the auditors. */
  readonly caught_by: string;
  readonly sabotage?: Sabotage;
  /** Makes the transport to machines incorrect. */
  readonly wrongSsh?: (ssh: Ssh) => Ssh;
  /** Faults that reveal the bug. */
  readonly sky?: ScenarioOptions['sky'];
  /** First history to search, for bugs that only few histories reveal. Default: the first of all. */
  readonly seed?: number;
  /** True if it shows only while settling an account throws. */
  readonly throws?: true;
}

/**
 * Treats an empty successful response as the loss of every server, as before the review's H2. The fleet that the
 * breaker examines contains a hundred servers that the provider always shows, so ours, of which it shows none, are too
 * few to be suspicious.
 */
const BLIND_BREAKER: Sabotage = (_, parts) => ({
  ...parts,
  db: {
    ...parts.db,
    async tx<T>(name: string, fn: (tx: Tx) => Promise<T>): Promise<T> {
      const result = await parts.db.tx(name, fn);
      if (name === 'reconcile.read') {
        const readState = result as { running: readonly object[] };
        return { ...readState, running: [...readState.running, ...new Array<object>(100).fill(ALWAYS_SHOWN)] } as T;
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

/**
 * Treats "still at work" like any other error, as before the review's M8. After six of them the deployment has failed.
 */
const busyIsAnError = (ssh: Ssh): Ssh => ({
  async connect(target) {
    const session = await ssh.connect(target);
    const orError = <T extends { code: string }>(answer: T): T => {
      if (answer.code === 'BUSY') throw new StepError(STEP_MESSAGES.script_busy);
      return answer;
    };
    return {
      ...session,
      run: async (...requested) => orError(await session.run(...requested)),
      upload: async (...requested) => orError(await session.upload(...requested)),
    };
  },
});

/**
 * Replaces `find` by `put` in every statement that contains it. A statement that never occurs means that the bug was
 * never planted.
 */
function statement(caught_by: string, does: string, find: string | RegExp, put: string): Bug {
  // A function, because `$1` has a special meaning in a replacement text.
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
      // By its rows, or by a user who received the response of another request.
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
  // The review's M1.
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
 * Reads the billable interval before it has the deployment's lock, and ends the interval only if it was open at that
 * time, as the delete did before (the review's H1). A deployment whose billing starts while the delete waits is then
 * charged forever. The constraint that refuses such a row must be removed as well.
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
  /** Deployments whose interval was open when the account was read, or null if it was not read. */
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
      const [buckets] = rows as { deployments?: readonly { id: number; to_ms: number | null }[] }[];
      if (open === null && Array.isArray(buckets?.deployments)) {
        open = new Set(buckets.deployments.filter(({ to_ms }) => to_ms === null).map(({ id }) => id));
      }
      return rows;
    },
  };
}
