import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { GRANTS, privilegesOf, roleOf, SERVICES } from './grants';

/** Privileges on whole tables, and on columns of tables without a grant on the whole table. */
const PRIVILEGES = `
select table_name, array_agg(privilege) as privileges from (
  select table_name, lower(privilege_type) as privilege from information_schema.role_table_grants
  where grantee = $1 and table_schema = 'public'
  union all
  select c.table_name, lower(c.privilege_type) || ' ' || c.column_name from information_schema.role_column_grants c
  where c.grantee = $1 and c.table_schema = 'public' and not exists (
    select from information_schema.role_table_grants t
    where (t.grantee, t.table_schema, t.table_name, t.privilege_type) = (c.grantee, c.table_schema, c.table_name, c.privilege_type)
  )
) granted group by table_name order by table_name collate "C"`;

/** Splits `update (status, version)` into `update status` and `update version`. */
function eachColumn(privilege: string): string[] {
  const [, word, columns] = /^(\w+) \((.*)\)$/.exec(privilege) ?? [];
  return columns === undefined ? [privilege] : columns.split(', ').map((column) => `${word} ${column}`);
}

describe('database grants', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  it('match the table of grants exactly for every table and service', async () => {
    const tables = await database.sql<{ table_name: string }>(
      `select table_name from information_schema.tables where table_schema = 'public'`,
    );
    expect(tables.map((t) => t.table_name).sort()).toEqual(Object.keys(GRANTS).sort());
    for (const service of SERVICES) {
      const found = await database.sql<{ table_name: string; privileges: string[] }>(PRIVILEGES, [roleOf(service)]);
      const wanted = Object.entries(GRANTS)
        .map(([table_name, row]) => ({ table_name, privileges: privilegesOf(row[service]).flatMap(eachColumn).sort() }))
        .filter(({ privileges }) => privileges.length > 0);
      expect(found.map(({ table_name, privileges }) => ({ table_name, privileges: [...privileges].sort() }))).toEqual(
        wanted.sort((one, other) => (one.table_name < other.table_name ? -1 : 1)),
      );
    }
  });

  it('let the provisioner read no money and billing no secret', async () => {
    const provisioner = await database.open({ service: 'provisioner' });
    const billing = await database.open({ service: 'billing' });
    await expect(provisioner.tx('look', (tx) => tx.query('select * from wallets'))).rejects.toThrow(
      /permission denied/,
    );
    await expect(billing.tx('look', (tx) => tx.query('select * from secrets'))).rejects.toThrow(/permission denied/);
  });

  it('reject changing or removing a ledger row, even for the table owner', async () => {
    for (const sql of [
      'update ledger_transactions set description = description',
      'delete from ledger_lines',
      'truncate ledger_lines',
    ]) {
      await expect(database.sql(sql)).rejects.toThrow(/append-only/);
    }
    const api = await database.open({ service: 'api' });
    await expect(api.tx('forge', (tx) => tx.execute('delete from ledger_lines'))).rejects.toThrow(
      /permission denied|append-only/,
    );
  });

  it.each(SERVICES)('apply to the %s, whose login has no other role and cannot switch to another', async (service) => {
    const db = await database.open({ service, connections_max: 1 });
    const tried = async (...statements: string[]): Promise<string | undefined> =>
      db
        .tx('test.escape', async (tx) => {
          for (const statement of statements) await tx.query(statement);
        })
        .then(
          () => undefined,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
    const [who] = await db.read('test.who', (tx) =>
      tx.query('select session_user::text as session, current_user::text as current'),
    );
    expect(who).toEqual({ session: roleOf(service), current: roleOf(service) });
    const owner = (await database.sql<{ name: string }>('select current_user::text as name'))[0]?.name ?? '';
    // Attempts to return to the session's own user, which is the service.
    const forbidden =
      service === 'provisioner' ? 'update wallets set regular_micros = 0' : 'delete from deployment_steps';
    for (const way of ['set role none', 'reset role', 'reset session authorization'])
      expect(await tried(way, forbidden)).toMatch(/permission denied/);
    for (const other of [owner, ...SERVICES.filter((name) => name !== service).map(roleOf)])
      expect(await tried(`set role ${other}`)).toMatch(/permission denied to set role/);
    expect(await tried(`set session authorization ${owner}`)).toMatch(/permission denied/);
    expect(await tried('alter table ledger_lines disable trigger all')).toMatch(/must be owner/);
    expect(await tried('create table escape (id integer)')).toMatch(/permission denied/);
    expect(await tried('set session_replication_role = replica')).toMatch(/permission denied/);
    expect(await tried(`alter role ${roleOf(service)} superuser`)).toMatch(/permission denied/);
  });
});
