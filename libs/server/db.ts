import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { Checkpoints } from './checkpoints';
import { NO_CHECKPOINTS } from './checkpoints';
import { openRepositories, type ReadRepository } from './repositories';
import type { SqlValue, Statements } from './statements';

export interface Tx extends Statements {
  readonly name: string;
  /** Returns a TypeORM repository, which sends statements and throws errors like `query` and `execute`. */
  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E>;
  /** Returns the time at which this transaction began, by the database's clock, in milliseconds. */
  transactionTime(): Promise<number>;
  /** Runs a function after a successful commit, and never after a rollback. Its errors are reported, not thrown. */
  afterCommit(run: () => void | Promise<void>): void;
}

/** Read-only access. */
export interface Reads extends Pick<Tx, 'query' | 'transactionTime'> {
  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): ReadRepository<E>;
}

export interface TxOptions {
  /**
   * False lets the commit return before it is on disk. A crash of the database may then undo it, so it is only for what
   * would be done again. A later durable commit makes it durable too. Default true.
   */
  readonly durable?: boolean;
}

/** Port to a PostgreSQL database. */
export abstract class Db {
  /**
   * Runs a transaction, and is the only way to do so. A checkpoint precedes its begin and another follows its commit
   * (`name` and `name.committed`). Serialization failures and deadlocks are retried, 5 attempts in total,
   * so `fn` must have no effect outside the database.
   */
  abstract readonly tx: <T>(name: string, fn: (tx: Tx) => Promise<T>, options?: TxOptions) => Promise<T>;
  /**
   * Reads outside a transaction (autocommit), for queries that run often and mostly find nothing. Every statement sees
   * what is committed when it begins, and costs one round trip instead of three. One checkpoint precedes it (`name`).
   */
  abstract readonly read: <T>(name: string, fn: (reads: Reads) => Promise<T>) => Promise<T>;
  abstract readonly checkpoints: Checkpoints;
  abstract readonly url: string;
  /** Opens a dedicated connection for LISTEN and other session-bound uses. */
  abstract readonly connect: () => Promise<pg.Client>;
  abstract readonly ping: () => Promise<void>;
  abstract readonly close: () => Promise<void>;
}

export interface DbOptions {
  readonly url: string;
  readonly connections_max?: number;
  /**
   * Maximum time to wait for a locked row and for a statement, in milliseconds. Default: unlimited, because set-based
   * runs take long.
   */
  readonly lock_timeout_ms?: number;
  readonly statement_timeout_ms?: number;
  /**
   * Maximum idle time between two statements of a transaction in milliseconds, by default a minute. The database then
   * ends the session, so that a process that froze in a transaction cannot keep a wallet locked.
   */
  readonly idle_in_transaction_ms?: number;
  /** Maximum time to wait for a free or new connection, in milliseconds. Default: unlimited. */
  readonly connect_timeout_ms?: number;
  readonly checkpoints?: Checkpoints;
  /** Connection class to use in place of pg's own. */
  readonly client?: typeof pg.Client;
  readonly onError?: (error: unknown) => void;
  /** Name in pg_stat_activity. Tests that crash a process find its connections by this name. */
  readonly application_name?: string;
}

/** Both statements in one round trip. */
const START_ASYNCHRONOUS = 'start transaction; set local synchronous_commit = off';
const TRANSACTION_ATTEMPTS_MAX = 5;
const IDLE_IN_TRANSACTION_MS = 60_000;
/**
 * Time after which an unused connection is closed. It is longer than a minute, so that tasks which run every minute do
 * not connect each time (4,096 rounds of a hash on both sides).
 */
const UNUSED_MS = 150_000;
/** SQLSTATEs serialization_failure and deadlock_detected. */
const RETRIED = new Set(['40001', '40P01']);

/**
 * Parsers of column types. `date` stays text, `timestamptz` becomes milliseconds, and int8 stays text (only money
 * columns become bigint, by their mapper).
 */
export const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    if (oid === pg.types.builtins.DATE) return (text: string) => text;
    if (oid === pg.types.builtins.TIMESTAMPTZ) return parseTimestamp;
    return pg.types.getTypeParser(oid, format);
  },
};

/** Converts `2026-12-01 00:00:00.001+00` (the session runs in UTC) to milliseconds. */
function parseTimestamp(text: string): number {
  return Date.parse(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`);
}

/** Converts a bigint column of a raw row. */
export function bigint(text: string | number | bigint): bigint {
  return BigInt(text);
}

type Repositories = Awaited<ReturnType<typeof openRepositories>>;

/**
 * A PostgreSQL database with a pool of 10 connections by default. Its methods are properties, so that a copy of the
 * object with other methods is a database too.
 */
export class PostgresDb extends Db {
  /** @throws when the first connection fails. */
  static async open(options: DbOptions): Promise<PostgresDb> {
    const db = new PostgresDb(options, await openRepositories());
    // A wrong address is detected at start-up.
    await db.connected(() => Promise.resolve());
    return db;
  }

  readonly url: string;
  readonly checkpoints: Checkpoints;
  private readonly onError: (error: unknown) => void;
  /** Settings of every session. */
  private readonly settings: string;
  private readonly pool: pg.Pool;
  /** Functions that release the connections in use. */
  private readonly inUse = new Set<(broken?: Error) => void>();

  private constructor(
    options: DbOptions,
    private readonly repositories: Repositories,
  ) {
    super();
    this.url = options.url;
    this.checkpoints = options.checkpoints ?? NO_CHECKPOINTS;
    this.onError = options.onError ?? (() => undefined);
    this.settings = sessionSettings(options);
    this.pool = new pg.Pool({
      connectionString: options.url,
      application_name: options.application_name ?? 'moorage',
      max: options.connections_max ?? 10,
      idleTimeoutMillis: UNUSED_MS,
      types: TYPES,
      options: this.settings,
      connectionTimeoutMillis: options.connect_timeout_ms ?? 0,
      ...(options.client === undefined ? {} : { Client: options.client }),
    });
    this.pool.on('error', this.onError);
    // While a connection is handed over it has no error listener, and an error event without a listener ends the
    // process. The error shows at its next statement.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  readonly tx: Db['tx'] = async (name, fn, options = {}) => {
    await this.checkpoints.at(name);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.runTransaction(name, fn, options);
      } catch (error) {
        if (attempt >= TRANSACTION_ATTEMPTS_MAX || !RETRIED.has(sqlState(error) ?? '')) throw error;
      }
    }
  };

  readonly read: Db['read'] = async (name, fn) => {
    await this.checkpoints.at(name);
    const { repositories } = this;
    return this.connected((client) => fn(transaction(name, client, { committed: [], repositories })));
  };

  readonly connect: Db['connect'] = async () => {
    const client = new pg.Client({ connectionString: this.url, options: this.settings, types: TYPES });
    client.on('error', this.onError);
    await client.connect();
    return client;
  };

  readonly ping: Db['ping'] = async () => {
    await this.connected((client) => runQuery(client, 'select 1'));
  };

  readonly close: Db['close'] = async () => {
    if (this.pool.ending) return;
    for (const release of this.inUse) release(new Error('the connection pool is closed'));
    await this.pool.end();
  };

  /**
   * Runs a function with a connection. A broken connection leaves the pool immediately, so that another can take its
   * place while its user is still waiting.
   */
  private async connected<T>(use: (client: pg.PoolClient, breaks: (error: Error) => void) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    const release = (broken?: Error): void => {
      if (!this.inUse.delete(release)) return;
      client.off('error', release);
      client.release(broken);
    };
    this.inUse.add(release);
    client.on('error', release);
    try {
      return await use(client, release);
    } finally {
      release();
    }
  }

  private async runTransaction<T>(name: string, fn: (tx: Tx) => Promise<T>, { durable }: TxOptions): Promise<T> {
    const { repositories } = this;
    const committed: (() => void | Promise<void>)[] = [];
    const result = await this.connected(async (client, breaks) => {
      await runQuery(client, durable === false ? START_ASYNCHRONOUS : 'start transaction');
      try {
        const value = await fn(transaction(name, client, { committed, repositories }));
        const { command } = await runQuery(client, 'commit');
        // PostgreSQL responds like this when a statement failed and `fn` continued. Nothing was stored, and the caller
        // must know.
        if (command !== 'COMMIT') throw new Error(`${name} swallowed a database error: nothing was committed`);
        return value;
      } catch (error) {
        await runQuery(client, 'rollback').catch((failed: Error) => {
          breaks(failed);
          this.onError(failed);
        });
        throw error;
      }
    });
    await this.checkpoints.at(`${name}.committed`);
    for (const run of committed) await Promise.resolve().then(run).catch(this.onError);
    return result;
  }
}

function sessionSettings(options: DbOptions): string {
  return [
    '-c TimeZone=UTC',
    `-c idle_in_transaction_session_timeout=${options.idle_in_transaction_ms ?? IDLE_IN_TRANSACTION_MS}`,
    ...(options.lock_timeout_ms === undefined ? [] : [`-c lock_timeout=${options.lock_timeout_ms}`]),
    ...(options.statement_timeout_ms === undefined ? [] : [`-c statement_timeout=${options.statement_timeout_ms}`]),
  ].join(' ');
}

/** Returns the five-character SQLSTATE of a database error. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : undefined;
}

/** Returns the name of the constraint that was violated (unique or check). */
export function violatedConstraint(error: unknown): string | undefined {
  const found = (error as { driverError?: { constraint?: unknown } } | null)?.driverError?.constraint;
  return typeof found === 'string' ? found : undefined;
}

function transaction(
  name: string,
  client: pg.PoolClient,
  { committed, repositories }: { committed: (() => void | Promise<void>)[]; repositories: Repositories },
): Tx {
  let began: Promise<number> | undefined;
  const tx: Tx = {
    name,
    query: async <R>(sql: string, params?: readonly SqlValue[]) => (await runQuery(client, sql, params)).rows as R[],
    execute: async (sql, params) => (await runQuery(client, sql, params)).rowCount ?? 0,
    // `this` is the object that the caller used, so a wrapper of `query` also applies to the statements of
    // repositories.
    repository(entity) {
      return repositories(this, entity);
    },
    transactionTime: () =>
      (began ??= tx.query<{ now: number }>(NOW).then(([row]) => {
        if (row === undefined) throw new Error('select now() returned no row');
        return row.now;
      })),
    afterCommit: (run) => void committed.push(AsyncResource.bind(run)),
  };
  return tx;
}

const PREPARED = new Map<string, string>();

/**
 * Marks a statement as a named prepared statement, which each connection plans once. Planning is half of the database's
 * cost of a short statement. Use it for statements with the same best plan for all values and with explicit columns (a
 * `*` that gains a column by a migration fails on connections that prepared it before).
 *
 * @returns The same text.
 */
export function prepared(sql: string): string {
  PREPARED.set(sql, PREPARED.get(sql) ?? `prepared ${PREPARED.size}`);
  return sql;
}

const NOW = prepared('select now() as now');

/** Error returned by the database. Its message and detail can contain row values, so they must not be logged. */
class QueryFailedError extends Error {
  override readonly name = 'QueryFailedError';
  constructor(readonly driverError: Error) {
    super(driverError.message);
  }
}

async function runQuery(client: pg.PoolClient, sql: string, params?: readonly SqlValue[]): Promise<pg.QueryResult> {
  const name = PREPARED.get(sql);
  const values = params?.map(toPg);
  try {
    return await (name === undefined
      ? client.query(sql, values)
      : client.query({ name, text: sql, values: values ?? [] }));
  } catch (error) {
    throw error instanceof Error ? new QueryFailedError(error) : error;
  }
}

/** Converts a value for pg, which renders a single bigint by String() but not the numbers in an array. */
function toPg(value: SqlValue): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (!isList(value)) return value;
  return value.map((item) => (typeof item === 'bigint' ? item.toString() : item));
}

function isList(value: SqlValue): value is readonly (string | number | bigint | null)[] {
  return Array.isArray(value);
}
