import { loginUrl, migrate, type Service, setLogins } from '@moorage/database';
import { startEmbeddedPostgres, systemRandom } from '@moorage/server';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const PASSWORDS = { api: 'bench-api', provisioner: 'bench-provisioner', billing: 'bench-billing' };

/** A PostgreSQL server of the benchmark with a migrated database. */
export interface BenchDatabase {
  /** URL of the owner. */
  readonly url: string;
  urlOf(service: Service): string;
  /** Runs a function with a connection of the owner. */
  withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
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
    const passed = await work({
      url: postgres.url,
      urlOf: (service) => loginUrl(postgres.url, service, PASSWORDS[service]),
      async withClient(use) {
        const client = new pg.Client({ connectionString: postgres.url, options: '-c TimeZone=UTC' });
        await client.connect();
        try {
          return await use(client);
        } finally {
          await client.end();
        }
      },
    });
    process.exitCode = passed ? 0 : 1;
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
