import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { Checkpoints } from './checkpoints';
import { NO_CHECKPOINTS } from './checkpoints';
import { openRepositories, type ReadRepository } from './repositories';
import type { SqlValue, Statements } from './statements';

export interface Tx extends Statements {
  readonly name: string;
  /** TypeORM's, whose statements are sent as those of `query` and `execute`, with their errors. */
  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E>;
  /** When this transaction began, by the database's clock, in milliseconds. */
  transactionTime(): Promise<number>;
  /** Runs after a successful commit, never after a rollback; errors in it are reported, not thrown. */
  afterCommit(run: () => void | Promise<void>): void;
}

/** What only reads. */
export interface Reads extends Pick<Tx, 'query' | 'transactionTime'> {
  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): ReadRepository<E>;
}

export abstract class Db {
  /**
   * The only way to open a transaction. A checkpoint precedes its begin and another follows its commit
   * (`name` and `name.committed`). Serialization failures and deadlocks are tried again, `attempts_max` times in all,
   * so `fn` must have no effect outside the database.
   */
  abstract readonly tx: <T>(name: string, fn: (tx: Tx) => Promise<T>) => Promise<T>;
  /**
   * Reads outside a transaction (autocommit), for queries that run often and mostly find nothing: every statement sees what
   * is committed when it begins, and costs one round trip instead of three. One checkpoint precedes it (`name`).
   */
  abstract readonly read: <T>(name: string, fn: (reads: Reads) => Promise<T>) => Promise<T>;
  abstract readonly checkpoints: Checkpoints;
  abstract readonly url: string;
  /** Where LISTEN and other session-bound things get a connection of their own. */
  abstract readonly connect: () => Promise<pg.Client>;
  abstract readonly ping: () => Promise<void>;
  abstract readonly close: () => Promise<void>;
}

export interface DbOptions {
  readonly url: string;
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
  const repositories = await openRepositories();
  const settings = [
    '-c TimeZone=UTC',
    `-c idle_in_transaction_session_timeout=${options.idle_in_transaction_ms ?? IDLE_IN_TRANSACTION_MS}`,
    ...(options.lock_timeout_ms === undefined ? [] : [`-c lock_timeout=${options.lock_timeout_ms}`]),
    ...(options.statement_timeout_ms === undefined ? [] : [`-c statement_timeout=${options.statement_timeout_ms}`]),
  ].join(' ');
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.application_name ?? 'moorage',
    max: options.connections_max ?? 10,
    types: TYPES,
    options: settings,
    connectionTimeoutMillis: options.connect_timeout_ms ?? 0,
    ...(options.client === undefined ? {} : { Client: options.client }),
  });
  pool.on('error', onError);
  // while one is handed over nobody listens to it, and an error to which nobody listens ends the process; its next statement tells
  pool.on('connect', (client) => client.on('error', () => undefined));

  /** Gives back the connections that are in use. */
  const inUse = new Set<(broken?: Error) => void>();

  /** One that broke leaves the pool at once, and another may take its place, whatever its user still waits for. */
  async function connected<T>(use: (client: pg.PoolClient, breaks: (error: Error) => void) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    const giveBack = (broken?: Error): void => {
      if (!inUse.delete(giveBack)) return;
      client.off('error', giveBack);
      client.release(broken);
    };
    inUse.add(giveBack);
    client.on('error', giveBack);
    try {
      return await use(client, giveBack);
    } finally {
      giveBack();
    }
  }

  async function once<T>(name: string, fn: (tx: Tx) => Promise<T>): Promise<T> {
    const committed: (() => void | Promise<void>)[] = [];
    const result = await connected(async (client, breaks) => {
      await ask(client, 'start transaction');
      try {
        const value = await fn(transaction(name, client, { committed, repositories }));
        const { command } = await ask(client, 'commit');
        // so PostgreSQL answers when a statement had failed and `fn` went on: nothing is stored, and that must be known
        if (command !== 'COMMIT') throw new Error(`${name} swallowed an error of the database: nothing was committed`);
        return value;
      } catch (error) {
        await ask(client, 'rollback').catch((failed: Error) => {
          breaks(failed);
          onError(failed);
        });
        throw error;
      }
    });
    await checkpoints.at(`${name}.committed`);
    for (const run of committed) await Promise.resolve().then(run).catch(onError);
    return result;
  }

  // an address that is wrong shows at the start
  await connected(() => Promise.resolve());

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
    async read(name, fn) {
      await checkpoints.at(name);
      return connected((client) => fn(transaction(name, client, { committed: [], repositories })));
    },
    async connect() {
      const client = new pg.Client({ connectionString: options.url, options: settings, types: TYPES });
      client.on('error', onError);
      await client.connect();
      return client;
    },
    async ping() {
      await connected((client) => ask(client, 'select 1'));
    },
    async close() {
      if (pool.ending) return;
      for (const giveBack of inUse) giveBack(new Error('the door to the database is closed'));
      await pool.end();
    },
  };
}

/** The five-character SQLSTATE of a database error. */
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

function transaction(
  name: string,
  client: pg.PoolClient,
  {
    committed,
    repositories,
  }: { committed: (() => void | Promise<void>)[]; repositories: Awaited<ReturnType<typeof openRepositories>> },
): Tx {
  let began: Promise<number> | undefined;
  const tx: Tx = {
    name,
    query: async <R>(sql: string, params?: readonly SqlValue[]) => (await ask(client, sql, params)).rows as R[],
    execute: async (sql, params) => (await ask(client, sql, params)).rowCount ?? 0,
    // of the object it is asked of: what stands around `query` stands around a repository's statements too
    repository(entity) {
      return repositories(this, entity);
    },
    transactionTime: () =>
      (began ??= tx.query<{ now: number }>(NOW).then(([row]) => {
        if (row === undefined) throw new Error('the database has no time');
        return row.now;
      })),
    afterCommit: (run) => void committed.push(AsyncResource.bind(run)),
  };
  return tx;
}

const PREPARED = new Map<string, string>();

/**
 * A named prepared statement: each connection plans it once, and planning is half of what a short one costs the database.
 * For statements whose best plan is the same whatever their values, and which list their columns (a `*` that
 * gains a column by a migration is refused on connections that know it without).
 */
export function prepared(sql: string): string {
  PREPARED.set(sql, PREPARED.get(sql) ?? `prepared ${PREPARED.size}`);
  return sql;
}

const NOW = prepared('select now() as now');

/** What the database answered instead. Its message and detail can hold values of rows: they are not for a log. */
class QueryFailedError extends Error {
  override readonly name = 'QueryFailedError';
  constructor(readonly driverError: Error) {
    super(driverError.message);
  }
}

async function ask(client: pg.PoolClient, sql: string, params?: readonly SqlValue[]): Promise<pg.QueryResult> {
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

/** pg renders a bigint by String(), but an array only by its own rules: numbers inside must be text already. */
function toPg(value: SqlValue): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (!isList(value)) return value;
  return value.map((item) => (typeof item === 'bigint' ? item.toString() : item));
}

function isList(value: SqlValue): value is readonly (string | number | bigint | null)[] {
  return Array.isArray(value);
}
