import type { Random, Tx } from '@moorage/server';
import { openDb } from '@moorage/server';
import { ensureLogins, type LoginSettings } from './logins';
import { migrate } from './migrate';

/**
 * "Database initialisation", as the owner: schema, grants, a login for each service, and the key by which this
 * installation knows its servers again. Safe to repeat.
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
  const db = await openDb({ url, connections_max: 2 });
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

/** 16 characters; labels our servers at the providers. */
export async function installationKey(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ key: string }>('select key from installation');
  if (row === undefined) throw new Error('this database was not initialised: run `npm run db:init`');
  return row.key;
}
