import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '@moorage/contracts';
import { startEmbeddedPostgres } from '@moorage/server';

/** The database as its owner: what migrates, and where services then connect with their roles. */
export interface OwnerDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * DATABASE_URL, or the embedded server of DATA_DIR. `leaveRunning`: an embedded server that ran before this call goes on
 * after it (an operator's command beside the running product); the product itself always stops its server.
 */
export async function ownerDatabase(
  settings: Settings,
  { leaveRunning }: { leaveRunning: boolean },
): Promise<OwnerDatabase> {
  if (settings.DATABASE_URL !== undefined) return { url: settings.DATABASE_URL, stop: () => Promise.resolve() };
  await mkdir(settings.DATA_DIR, { recursive: true });
  const postgres = await startEmbeddedPostgres({ folder: join(settings.DATA_DIR, 'postgres') });
  return { url: postgres.url, stop: () => (leaveRunning && postgres.tookOver ? Promise.resolve() : postgres.stop()) };
}
