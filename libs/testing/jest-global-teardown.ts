import type { EmbeddedPostgres } from '../server/embedded-postgres';
import { removeRunFolder } from './run-folder';

export default async function teardown(): Promise<void> {
  const started = (globalThis as { moorageTestPostgres?: { postgres: EmbeddedPostgres; folder: string } })
    .moorageTestPostgres;
  if (started === undefined) return;
  await started.postgres.stop();
  await removeRunFolder(started.folder);
  // In watch mode Jest runs the set-up again in this process.
  delete process.env.TEST_DATABASE_URL;
}
