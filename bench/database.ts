import { loginUrl, migrate, type Service, setLogins } from '@moorage/database';
import { startEmbeddedPostgres, systemRandom } from '@moorage/server';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const PASSWORDS = { api: 'bench-api', provisioner: 'bench-provisioner', billing: 'bench-billing' };

/** A migrated database on a PostgreSQL server of the benchmark. */
export class BenchDatabase {
  /** @param url URL of the owner. */
  constructor(readonly url: string) {}

  urlOf(service: Service): string {
    return loginUrl(this.url, service, PASSWORDS[service]);
  }

  /** Runs a function with a connection of the owner. */
  async withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.url, options: '-c TimeZone=UTC' });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Runs a function with a copy of this database, which must have no connections while it is copied. */
  async withCopy<T>(work: (copy: BenchDatabase) => Promise<T>): Promise<T> {
    const admin = new BenchDatabase(Object.assign(new URL(this.url), { pathname: '/postgres' }).href);
    const template = new URL(this.url).pathname.slice(1);
    await admin.withClient(async (client) => {
      await client.query(`create database copy template ${pg.escapeIdentifier(template)} strategy file_copy`);
      await client.query('checkpoint');
    });
    try {
      return await work(new BenchDatabase(Object.assign(new URL(this.url), { pathname: '/copy' }).href));
    } finally {
      await admin.withClient((client) => client.query('drop database copy with (force)'));
    }
  }
}

/** Runs a benchmark with a new database, and removes the database afterwards. */
export async function withBenchDatabase(work: (database: BenchDatabase) => Promise<boolean>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'moorage-bench-'));
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres({
    folder,
    database: 'bench',
    settings: ['shared_buffers=256MB', 'max_wal_size=4GB'],
  });
  try {
    await migrate(postgres.url);
    await setLogins(postgres.url, PASSWORDS, systemRandom());
    process.exitCode = (await work(new BenchDatabase(postgres.url))) ? 0 : 1;
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
