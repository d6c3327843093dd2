import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../database/migrate';
import { startEmbeddedPostgres } from '../server/embedded-postgres';

/**
 * One real PostgreSQL for the whole run; suites copy the migrated template database. `TEST_DATABASE_URL` (an owner's url
 * to the database to use as template) takes another server.
 */
export default async function setup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL !== undefined) return;
  const folder = await mkdtemp(join(tmpdir(), 'moorage-tests-'));
  await chmod(folder, 0o755); // the unprivileged server must pass when we are root
  const postgres = await startEmbeddedPostgres({ folder, database: 'moorage_template', unsafeFast: true });
  await migrate(postgres.url);
  process.env.TEST_DATABASE_URL = postgres.url;
  (globalThis as { moorageTestPostgres?: unknown }).moorageTestPostgres = { postgres, folder };
}
