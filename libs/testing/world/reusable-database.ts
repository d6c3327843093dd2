import type { Service } from '@moorage/database';
import type { Checkpoints, Db } from '@moorage/server';
import { type TestDatabase, testDatabase } from '../database';

/**
 * A database for many simulated histories. After each history its rows are restored. Its connections stay open, because
 * new connections with cold caches cost more than a whole history.
 */
export interface ReusableDatabase {
  readonly database: TestDatabase;
  /** Opens a database connection. The same name returns the same connection, with the new checkpoints. */
  open(service: Service, name: string, checkpoints: Checkpoints): Promise<Db>;
  /** Saves the current state as the beginning, or as another named moment to restore. */
  store(moment?: string): Promise<void>;
  /**
   * Restores every row and every sequence of that moment. Tables are rewritten on disk, so that a seed meets the same
   * order of rows.
   */
  restore(moment?: string): Promise<void>;
  drop(): Promise<void>;
}

export async function createReusableDatabase(): Promise<ReusableDatabase> {
  const database = await testDatabase();
  await database.sql('create schema beginning');
  // A deadlock is a finding, and need not take a second to detect.
  await database.sql(
    `do $$ begin execute format('alter database %I set deadlock_timeout = ''20ms''', current_database()); end $$`,
  );
  const doors = new Map<string, { readonly db: Db; checkpoints: Checkpoints }>();
  return {
    database,
    async open(service, name, checkpoints) {
      const known = doors.get(name);
      if (known !== undefined) {
        known.checkpoints = checkpoints;
        return known.db;
      }
      const at: Checkpoints = { at: (place) => doors.get(name)?.checkpoints.at(place) ?? Promise.resolve() };
      const options = { service, application_name: name, checkpoints: at, connections_max: 40 };
      const db = await database.open(options);
      doors.set(name, { db, checkpoints });
      return db;
    },
    async store(moment = BEGINNING) {
      if (moment !== BEGINNING) await database.sql(`drop schema if exists ${moment} cascade; create schema ${moment}`);
      await database.sql(keepSql(moment));
    },
    async restore(moment = BEGINNING) {
      // Sessions that a failed history left open.
      await database.sql(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()
           and (state like 'idle in transaction%' or (state = 'active' and application_name like 'world %'))`,
      );
      await database.sql(`select ${moment}.restore()`);
    },
    drop: () => database.drop(),
  };
}

const BEGINNING = 'beginning';

/** Statements that save the rows of a moment in a separate schema, with a function that restores them. */
const keepSql = (moment: string): string => `
create table ${moment}.sequences (name text, last_value bigint, is_called boolean);
do $keep$
declare
  named text;
begin
  for named in select tablename from pg_tables where schemaname = 'public' order by 1 loop
    execute format('create table ${moment}.%I as table public.%I', named, named);
  end loop;
  for named in select sequencename from pg_sequences where schemaname = 'public' order by 1 loop
    execute format('insert into ${moment}.sequences select %L, last_value, is_called from public.%I', named, named);
  end loop;
end $keep$;
create function ${moment}.restore() returns void language plpgsql as $restore$
declare
  named text;
  touched text[] = '{}';
  filled boolean;
begin
  -- neither the refusal to change the books nor foreign keys
  set local session_replication_role = replica;
  for named in select tablename from pg_tables where schemaname = 'public' order by 1 loop
    execute format('select exists (select 1 from public.%I) or exists (select 1 from ${moment}.%I)', named, named) into filled;
    if filled then touched = touched || named; end if;
  end loop;
  execute 'truncate ' || (select string_agg(format('public.%I', t), ', ') from unnest(touched) t) || ' cascade';
  foreach named in array touched loop
    execute format('insert into public.%I overriding system value select * from ${moment}.%I', named, named);
  end loop;
  perform setval(format('public.%I', s.name)::regclass, s.last_value, s.is_called) from ${moment}.sequences s;
end $restore$`;
