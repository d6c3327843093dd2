import pg from 'pg';
import { DataSource, type EntityManager, type EntitySchema, type MixedList, type QueryRunner } from 'typeorm';
import type { Checkpoints } from './checkpoints';
import { NO_CHECKPOINTS } from './checkpoints';

/** A value as `pg` takes it. Instants travel as ISO text, amounts as bigint. */
export type SqlValue =
  string | number | bigint | boolean | null | Buffer | readonly (string | number | bigint | null)[];

export interface Tx {
  readonly name: string;
  /** Rows in snake_case: timestamptz is a number of milliseconds, date is text, bigint is text (see `bigint()`). */
  query<R extends object>(sql: string, params?: readonly SqlValue[]): Promise<R[]>;
  /** The number of rows an INSERT, UPDATE or DELETE touched. */
  execute(sql: string, params?: readonly SqlValue[]): Promise<number>;
  /** The entity layer on the same transaction: for writes of single rows and admin lists. */
  readonly entities: EntityManager;
  /** When this transaction began, by the database's clock, in milliseconds. */
  transactionTime(): Promise<number>;
  /** Runs after a successful commit, never after a rollback; errors in it are reported, not thrown. */
  afterCommit(run: () => void | Promise<void>): void;
}

/** What only reads. */
export type Reads = Pick<Tx, 'query' | 'transactionTime'>;

export interface Db {
  /**
   * The one door to the database. A checkpoint lies before the transaction begins and after it has committed
   * (`name` and `name.committed`). Serialization failures and deadlocks are tried again, `attempts_max` times in all,
   * so `fn` must have no effect outside the database.
   */
  tx<T>(name: string, fn: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * For what asks often and finds nothing most of the time: no transaction around it, so every statement sees what is
   * committed when it begins, and costs one round trip instead of three. One checkpoint lies before it (`name`).
   */
  look<T>(name: string, fn: (reads: Reads) => Promise<T>): Promise<T>;
  readonly checkpoints: Checkpoints;
  readonly url: string;
  /** Where LISTEN and other session-bound things get a connection of their own. */
  connect(): Promise<pg.Client>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DbOptions {
  readonly url: string;
  /** Every connection acts as this role; none: as the user of the url (migrations, tests' own looks). */
  readonly role?: string;
  readonly entities?: MixedList<string | (new () => unknown) | EntitySchema>;
  readonly connections_max?: number;
  /** How long a caller waits for a row that somebody holds, and for one statement; none: for ever (set-based runs take their time). */
  readonly lock_timeout_ms?: number;
  readonly statement_timeout_ms?: number;
  /**
   * How long a transaction may stand still between two statements (a minute where left out); then the database ends it:
   * a process that froze in the middle of one must not keep a wallet from everybody.
   */
  readonly idle_in_transaction_ms?: number;
  /** How long a caller waits for a connection, a free one or a new one; none: for ever. */
  readonly connect_timeout_ms?: number;
  readonly checkpoints?: Checkpoints;
  /** Another kind of connection than pg's own. */
  readonly client?: typeof pg.Client;
  readonly onError?: (error: unknown) => void;
  /** Shown in pg_stat_activity; a test that crashes an actor finds its connections by it. */
  readonly application_name?: string;
}

const TRANSACTION_ATTEMPTS_MAX = 5;
const IDLE_IN_TRANSACTION_MS = 60_000;
/** serialization_failure, deadlock_detected */
const RETRIED = new Set(['40001', '40P01']);

/** `date` stays text, `timestamptz` becomes milliseconds; int8 stays text (only money columns become bigint, by their mapper). */
export const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    if (oid === pg.types.builtins.DATE) return (text: string) => text;
    if (oid === pg.types.builtins.TIMESTAMPTZ) return parseTimestamp;
    return pg.types.getTypeParser(oid, format);
  },
};

/** `2026-12-01 00:00:00.001+00` (the session runs in UTC) to milliseconds. */
function parseTimestamp(text: string): number {
  return Date.parse(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`);
}

/** A bigint column of a raw row. */
export function bigint(text: string | number | bigint): bigint {
  return BigInt(text);
}

export async function openDb(options: DbOptions): Promise<Db> {
  const checkpoints = options.checkpoints ?? NO_CHECKPOINTS;
  const onError = options.onError ?? (() => undefined);
  const settings = [
    '-c TimeZone=UTC',
    `-c idle_in_transaction_session_timeout=${options.idle_in_transaction_ms ?? IDLE_IN_TRANSACTION_MS}`,
    ...(options.role === undefined ? [] : [`-c role=${options.role}`]),
    ...(options.lock_timeout_ms === undefined ? [] : [`-c lock_timeout=${options.lock_timeout_ms}`]),
    ...(options.statement_timeout_ms === undefined ? [] : [`-c statement_timeout=${options.statement_timeout_ms}`]),
  ].join(' ');
  const source = new DataSource({
    type: 'postgres',
    url: options.url,
    entities: options.entities ?? [],
    applicationName: options.application_name ?? 'moorage',
    extra: {
      max: options.connections_max ?? 10,
      types: TYPES,
      options: settings,
      connectionTimeoutMillis: options.connect_timeout_ms ?? 0,
      ...(options.client === undefined ? {} : { Client: options.client }),
    },
    installExtensions: false,
    poolErrorHandler: onError,
  });
  await source.initialize();

  async function once<T>(name: string, fn: (tx: Tx) => Promise<T>): Promise<T> {
    const runner = source.createQueryRunner();
    const committed: (() => void | Promise<void>)[] = [];
    let result: T;
    try {
      await runner.startTransaction();
      result = await fn(transaction(name, runner, committed));
      await runner.commitTransaction();
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(onError);
      throw error;
    } finally {
      await runner.release().catch(onError);
    }
    await checkpoints.at(`${name}.committed`);
    for (const run of committed) await Promise.resolve().then(run).catch(onError);
    return result;
  }

  return {
    url: options.url,
    checkpoints,
    async tx(name, fn) {
      await checkpoints.at(name);
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(name, fn);
        } catch (error) {
          if (attempt >= TRANSACTION_ATTEMPTS_MAX || !RETRIED.has(sqlState(error) ?? '')) throw error;
        }
      }
    },
    async look(name, fn) {
      await checkpoints.at(name);
      const runner = source.createQueryRunner();
      try {
        return await fn(transaction(name, runner, []));
      } finally {
        await runner.release().catch(onError);
      }
    },
    async connect() {
      const client = new pg.Client({ connectionString: options.url, options: settings, types: TYPES });
      client.on('error', onError);
      await client.connect();
      return client;
    },
    async ping() {
      await source.query('select 1');
    },
    async close() {
      if (source.isInitialized) await source.destroy();
    },
  };
}

/** The five-character SQLSTATE of a database error, through TypeORM's wrapping. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : undefined;
}

/** The constraint a unique or check violation names. */
export function violatedConstraint(error: unknown): string | undefined {
  const found = (error as { driverError?: { constraint?: unknown } } | null)?.driverError?.constraint;
  return typeof found === 'string' ? found : undefined;
}

function transaction(name: string, runner: QueryRunner, committed: (() => void | Promise<void>)[]): Tx {
  let began: Promise<number> | undefined;
  const run = (sql: string, params: readonly SqlValue[] = []) => runner.query(sql, params.map(toPg), true);
  const tx: Tx = {
    name,
    entities: runner.manager,
    query: async <R>(sql: string, params?: readonly SqlValue[]) => (await run(sql, params)).records as R[],
    execute: async (sql, params) => (await run(sql, params)).affected ?? 0,
    transactionTime: () =>
      (began ??= tx.query<{ now: number }>('select now() as now').then(([row]) => {
        if (row === undefined) throw new Error('the database has no time');
        return row.now;
      })),
    afterCommit: (run) => void committed.push(run),
  };
  return tx;
}

/** pg renders a bigint by String(), but an array only by its own rules: numbers inside must be text already. */
function toPg(value: SqlValue): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (!isList(value)) return value;
  return value.map((item) => (typeof item === 'bigint' ? item.toString() : item));
}

function isList(value: SqlValue): value is readonly (string | number | bigint | null)[] {
  return Array.isArray(value);
}
