import type { Instant } from '@moorage/domain';
import type { Random, Reads } from '@moorage/server';
import { PostgresDb } from '@moorage/server';
import { LessThan } from 'typeorm';
import { Installation } from './entities';
import { ensureLogins, type LoginSettings } from './logins';
import { migrate } from './migrate';

/**
 * Initialises the database as its owner, with the schema, the grants, a login for each service, and the key that
 * identifies this installation's servers. Safe to repeat.
 */
export async function initDatabase({
  settings,
  url,
  random,
}: {
  settings: LoginSettings;
  url: string;
  random: Random;
}): Promise<void> {
  await migrate(url);
  await ensureLogins({ settings, url, random });
  const db = await PostgresDb.open({ url, connections_max: 2 });
  try {
    await db.tx('installation.init', (tx) =>
      tx.execute('insert into installation (key, created_at) values ($1, now()) on conflict (id) do nothing', [
        random.text(16),
      ]),
    );
  } finally {
    await db.close();
  }
}

/** Returns the installation, or null if the database has not been initialised. */
export function findInstallation(reads: Reads): Promise<Installation | null> {
  return reads.repository(Installation).findOneBy({ id: 1 });
}

export function isInstalledBefore(reads: Reads, at: Instant): Promise<boolean> {
  return reads.repository(Installation).existsBy({ created_at: LessThan(at) });
}
