import { migrate } from '../database/migrate';
import { startEmbeddedPostgres } from '../server/embedded-postgres';
import { makeRunFolder, postgresIn, removeLeftBehind } from './run-folder';
import { setTestLogins } from './test-logins';

/**
 * Starts a real PostgreSQL for the whole run. Suites copy its migrated template database. `TEST_DATABASE_URL` (an
 * owner's URL of a template database) selects another server, which is logged. In CI only the tests' own server is
 * allowed.
 */
export default async function setup(): Promise<void> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && process.env.CI)
    throw new Error('TEST_DATABASE_URL is set: unset it, in CI the tests start a PostgreSQL server of their own.');
  await removeLeftBehind();
  if (given !== undefined)
    return console.warn(`TEST_DATABASE_URL is set: the tests use the PostgreSQL server at ${new URL(given).host}.`);
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
