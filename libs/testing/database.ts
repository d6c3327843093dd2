import { AsyncLocalStorage } from 'node:async_hooks';
import { loginUrl, type Service } from '@moorage/database';
import { type Db, type DbOptions, PostgresDb, TYPES } from '@moorage/server';
import pg from 'pg';
import { noteStatement } from './statements';
import { TEST_PASSWORDS } from './test-logins';

/** Session that carries the current statement. */
export interface Requested {
  pid: number | null;
}
export const asking = new AsyncLocalStorage<Requested>();

/** A fresh copy of the migrated schema, used only by this suite. */
export interface TestDatabase {
  /** URL of the owner. */
  readonly url: string;
  urlOf(service: Service): string;
  /** Opens a connection with the role and grants of a service, or as the owner. */
  open(options?: Partial<DbOptions> & { readonly service?: Service }): Promise<Db>;
  /** Runs a query of the test as the owner. */
  sql<R extends object>(text: string, params?: readonly unknown[]): Promise<R[]>;
  drop(): Promise<void>;
}

/**
 * Creates a test database.
 *
 * @param options `copyOf` is the URL of another test database to copy in place of the empty template. It must have no
 * connections.
 */
export async function testDatabase({ copyOf }: { copyOf?: string } = {}): Promise<TestDatabase> {
  const templateUrl = templateUrlOf();
  const template = new URL(copyOf ?? templateUrl);
  return newDatabase(
    templateUrl,
    (name) => `create database ${name} template ${pg.escapeIdentifier(template.pathname.slice(1))} strategy file_copy`,
  );
}

/** Creates a database without a schema, for tests of the migrations. */
export function emptyDatabase(): Promise<TestDatabase> {
  return newDatabase(templateUrlOf(), (name) => `create database ${name} template template0`);
}

function templateUrlOf(): string {
  const templateUrl = process.env.TEST_DATABASE_URL;
  if (templateUrl === undefined)
    throw new Error('TEST_DATABASE_URL is not set: run through jest, whose global set-up starts PostgreSQL');
  return templateUrl;
}

async function newDatabase(templateUrl: string, create: (name: string) => string): Promise<TestDatabase> {
  const name = `t_${process.pid}_${++counter}_${Math.floor(process.hrtime()[1])}`;
  await asAdmin(templateUrl, create(name));
  const url = new URL(templateUrl);
  url.pathname = `/${name}`;
  const own = new pg.Pool({ connectionString: url.href, max: 2, types: TYPES, options: '-c TimeZone=UTC' });
  own.on('error', () => undefined);
  const opened: Db[] = [];
  const client = planRecording();
  const urlOf = (service: Service): string => loginUrl(url.href, service, TEST_PASSWORDS[service]);
  return {
    url: url.href,
    urlOf,
    async open({ service, ...options } = {}) {
      const db = await PostgresDb.open({
        url: service === undefined ? url.href : urlOf(service),
        client,
        ...options,
      });
      opened.push(db);
      return db;
    },
    sql: async <R extends object>(text: string, params: readonly unknown[] = []) =>
      (await own.query<R>(text, [...params])).rows,
    async drop() {
      for (const db of opened) await db.close();
      await own.end();
      await asAdmin(templateUrl, `drop database ${name} with (force)`);
    },
  };
}

/**
 * Waits until a session of this database waits for a lock, or until `isOver` returns true.
 *
 * @throws Error after 45 seconds.
 */
export async function untilLockWait(
  database: TestDatabase,
  { isOver = () => false }: { isOver?: () => boolean } = {},
): Promise<void> {
  const deadline = performance.now() + LOCK_WAIT_MS;
  while (!isOver()) {
    const waiting = await database.sql(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (waiting.length > 0) return;
    if (performance.now() > deadline) throw new Error('nobody waits for a lock');
  }
}

/**
 * Returns the sessions that wait for a lock whose holder is idle in a transaction (or waits in this way itself).
 * Sessions that wait for a working session, or in a cycle, will soon continue and are not included.
 */
export async function lockWaits(database: Pick<TestDatabase, 'sql'>): Promise<ReadonlySet<number>> {
  const rows = await database.sql<{ pid: number; holders: { pid: number; still: boolean }[] }>(LOCK_WAITS);
  const waiting = new Map(rows.map(({ pid, holders }) => [pid, holders]));
  const stands = (pid: number, seen: readonly number[]): boolean => {
    const holders = waiting.get(pid) ?? [];
    return (
      holders.length > 0 &&
      !seen.includes(pid) &&
      holders.every((holder) => holder.still || stands(holder.pid, [...seen, pid]))
    );
  };
  return new Set([...waiting.keys()].filter((pid) => stands(pid, [])));
}

const LOCK_WAITS = `
select w.pid, json_agg(json_build_object('pid', h.pid, 'still', coalesce(a.state like 'idle in transaction%', false))) as holders
from (select distinct l.pid from pg_locks l join pg_stat_activity s on s.pid = l.pid
      where not l.granted and s.datname = current_database()) w
cross join lateral unnest(pg_blocking_pids(w.pid)) h(pid)
left join pg_stat_activity a on a.pid = h.pid
group by w.pid`;

const LOCK_WAIT_MS = 45_000;
let counter = 0;

/**
 * Runs a statement as administrator. CREATE DATABASE copies a template only while there are no connections to it, so
 * two workers take turns.
 */
async function asAdmin(templateUrl: string, sql: string): Promise<void> {
  const url = new URL(templateUrl);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(1)');
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Records a statement in both of its forms, as text and values or as an object with both. */
function note(requested: unknown, values: unknown): void {
  const one = typeof requested === 'object' && requested !== null ? requested : { text: requested, values };
  if ('text' in one && typeof one.text === 'string')
    noteStatement(one.text, 'values' in one && Array.isArray(one.values) ? one.values : []);
}

/**
 * Returns a client class that prepares every statement. The same few hundred statements recur, and planning them is
 * half of the server's work. (The product only prepares its most frequent statements.)
 */
function planRecording(): typeof pg.Client {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `planned ${names.size}`;
    names.set(text, name);
    return name;
  };
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const send = this.query.bind(this) as (...given: unknown[]) => unknown;
      const prepared = (text: unknown, values: unknown, ...rest: unknown[]): unknown => {
        note(text, values);
        const requested = asking.getStore();
        // A property of pg that its types omit.
        if (requested !== undefined) requested.pid = (this as unknown as { processID: number | null }).processID;
        return typeof text === 'string' && Array.isArray(values) && values.length > 0
          ? send({ name: nameOf(text), text, values }, ...rest)
          : send(text, values, ...rest);
      };
      this.query = prepared as typeof this.query;
    }
  };
}
