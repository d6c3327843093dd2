import { migrate } from '../database/migrate';
import { startEmbeddedPostgres } from '../server/embedded-postgres';
import { makeRunFolder, postgresIn, removeLeftBehind } from './run-folder';
import { setTestLogins } from './test-logins';

/**
 * One real PostgreSQL for the whole run; suites copy the migrated template database. `TEST_DATABASE_URL` (an owner's url
 * to the database to use as template) takes another server.
 */
export default async function setup(): Promise<void> {
  await removeLeftBehind();
  if (process.env.TEST_DATABASE_URL !== undefined) return;
  const folder = await makeRunFolder();
  const postgres = await startEmbeddedPostgres({
    folder: postgresIn(folder),
    database: 'moorage_template',
    unsafeFast: true,
  });
  await migrate(postgres.url);
  await setTestLogins(postgres.url);
  process.env.TEST_DATABASE_URL = postgres.url;
  (globalThis as { moorageTestPostgres?: unknown }).moorageTestPostgres = { postgres, folder };
}
