import { grantsSql } from './grants';
import { Baseline1763683200000 } from './migrations/0001-baseline';
import { OpenIntervals1764000010000 } from './migrations/0010-open-intervals';
import { GrowthIndexes1764030000000 } from './migrations/0030-growth-indexes';
import { LoginNetworks1764070000000 } from './migrations/0070-login-networks';
import { BillingFailures1764090000000 } from './migrations/0090-billing-failures';
import { OperatorAlerts1764091000000 } from './migrations/0091-operator-alerts';

/** In order. Classes, not globs: a bundle has no files to glob. */
const MIGRATIONS = [
  Baseline1763683200000,
  OpenIntervals1764000010000,
  GrowthIndexes1764030000000,
  LoginNetworks1764070000000,
  BillingFailures1764090000000,
  OperatorAlerts1764091000000,
];

/** The schema this code was built for: the name of the newest row in `migrations`. */
export const SCHEMA_VERSION = MIGRATIONS.map((Migration) => new Migration().name).at(-1) ?? '';

/** Any constant: all processes that migrate wait for the same lock (TypeORM takes none of its own). */
const MIGRATION_LOCK = 760_511;

/** Brings the schema up to date and sets the grants; safe to call from several processes at once, and again. */
export async function migrate(url: string): Promise<void> {
  // only who migrates loads it: it is the largest package, and the services do without
  const { DataSource } = await import('typeorm');
  const source = new DataSource({
    type: 'postgres',
    url,
    migrations: MIGRATIONS,
    installExtensions: false,
    extra: { max: 2 },
  });
  await source.initialize();
  const guard = source.createQueryRunner();
  try {
    await guard.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await source.runMigrations({ transaction: 'each' });
    await guard.query(grantsSql());
    await guard.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  } finally {
    await guard.release();
    await source.destroy();
  }
}
