import { Baseline1763683200000 } from '@moorage/database';
import pg from 'pg';

/**
 * Creates an empty database in the state left by commit b8fae6a, with the frozen baseline and its name in TypeORM's
 * table of migrations.
 */
export async function createBaseline(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const baseline = new Baseline1763683200000();
    await baseline.up({ query: (sql: string) => client.query(sql) } as never);
    await client.query(
      'create table migrations (id serial primary key, "timestamp" bigint not null, name varchar not null)',
    );
    await client.query('insert into migrations ("timestamp", name) values (1763683200000, $1)', [baseline.name]);
  } finally {
    await client.end();
  }
}
