import { rm } from 'node:fs/promises';
import type { EmbeddedPostgres } from '../server/embedded-postgres';

export default async function teardown(): Promise<void> {
  const started = (globalThis as { moorageTestPostgres?: { postgres: EmbeddedPostgres; folder: string } })
    .moorageTestPostgres;
  if (started === undefined) return;
  await started.postgres.stop();
  await rm(started.folder, { recursive: true, force: true });
}
