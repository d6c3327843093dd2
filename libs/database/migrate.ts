import type { Reads } from '@moorage/server';
import { DataSource, type QueryRunner } from 'typeorm';
import { grantsSql } from './grants';
import { Baseline1763683200000 } from './migrations/0001-baseline';
import { OpenIntervals1764000010000 } from './migrations/0010-open-intervals';
import { ProvableBooks1764020000000 } from './migrations/0020-provable-books';
import { GrowthIndexes1764030000000 } from './migrations/0030-growth-indexes';
import { Retention1764031000000 } from './migrations/0031-retention';
import { DeploymentsOfUser1764032000000 } from './migrations/0032-deployments-of-user';
import { ProviderBreakers1764040000000 } from './migrations/0040-provider-breakers';
import { PricesOfOneInstant1764041000000 } from './migrations/0041-prices-of-one-instant';
import { LoginNetworks1764070000000 } from './migrations/0070-login-networks';
import { BillingFailures1764090000000 } from './migrations/0090-billing-failures';
import { OperatorAlerts1764091000000 } from './migrations/0091-operator-alerts';
import { FailuresWithoutLock1764099000000 } from './migrations/0099-failures-without-lock';
import { UnwantedDeployments1764092000000 } from './migrations/0092-unwanted-deployments';
import { LedgerByDay1764100000000 } from './migrations/0100-ledger-by-day';
import { OrderOfSending1764110000000 } from './migrations/0110-order-of-sending';
import { AuditByMonths1764111000000 } from './migrations/0111-audit-by-months';
import { ChecksWithoutRuns1764112000000 } from './migrations/0112-checks-without-runs';
import { Catalogues1764113000000 } from './migrations/0113-catalogues';
import { CertificatesPerHost1764114000000 } from './migrations/0114-certificates-per-host';
import { StandardNames1764115000000 } from './migrations/0115-standard-names';
import { MessagesAndLanguages1764201600000 } from './migrations/0116-messages-and-languages';
import { AccountsOfPeople1764288000000 } from './migrations/0117-accounts-of-people';
import { RowsOfExports1764374400000 } from './migrations/0118-rows-of-exports';
import { ViewsOfAccounts1764460800000 } from './migrations/0119-views-of-accounts';
import { ReferralsAndFreeCredits1764547200000 } from './migrations/0120-referrals-and-free-credits';
import { MailsOfAccounts1764633600000 } from './migrations/0121-mails-of-accounts';
import { Conversations1764720000000 } from './migrations/0122-conversations';
import { ChangesOfDeployments1764806400000 } from './migrations/0123-changes-of-deployments';
import { RunsThatChangeTheDomain1764892800000 } from './migrations/0124-runs-that-change-the-domain';
import { Reachability1764979200000 } from './migrations/0125-reachability';
import { CorrelationOfWork1765065600000 } from './migrations/0126-correlation-of-work';
import { Payments1765152000000 } from './migrations/0127-payments';
import { AutomaticTopUp1765238400000 } from './migrations/0128-automatic-top-up';
import { BillingDocuments1765324800000 } from './migrations/0129-billing-documents';
import { LiveClouds1764130000000 } from './migrations/0130-live-clouds';
import { FaultsOfClouds1764132000000 } from './migrations/0132-faults-of-clouds';
import { StrengthOfCredentials1765411200000 } from './migrations/0140-strength-of-credentials';
import { DocumentFiles1765497600000 } from './migrations/0141-document-files';
import { Activity1765584000000 } from './migrations/0142-activity';
import { Mailboxes1764142000000 } from './migrations/0145-mailboxes';
import { TaxRates1766102400000 } from './migrations/0143-tax-rates';
import { RepairsOfPayments1766188800000 } from './migrations/0144-repairs-of-payments';
import { HashesOfDocuments1766275200000 } from './migrations/0146-hashes-of-documents';
import { NetworksOfTokens1766016000000 } from './migrations/0147-networks-of-tokens';
import { RefusedPlaces1766448000000 } from './migrations/0148-refused-places';
import { KeysOfMessages1766361600000 } from './migrations/0150-keys-of-messages';
import { RefusedMailsAndFoldedNames1766620800000 } from './migrations/0154-refused-mails-and-folded-names';
import { Backups1766707200000 } from './migrations/0156-backups';
import { BackupDownloads1766793600000 } from './migrations/0158-backup-downloads';
import { TidyingAfterRestores1766880000000 } from './migrations/0160-tidying-after-restores';
import { ClosedAccounts1766923200000 } from './migrations/0161-closed-accounts';
import { BackupBuckets1766966400000 } from './migrations/0162-backup-buckets';
import { CloudCallbacks1767052800000 } from './migrations/0164-cloud-callbacks';
import { ProviderChecks1767139200000 } from './migrations/0166-provider-checks';
import { CloudLeaks1767225600000 } from './migrations/0168-cloud-leaks';
import { StaleBackups1767312000000 } from './migrations/0170-stale-backups';
import { ChangesOfRunningDeployments1767340800000 } from './migrations/0172-changes-of-running-deployments';
import { SshKeys1767398400000 } from './migrations/0174-ssh-keys';
import { Moves1767484800000 } from './migrations/0176-moves';
import { SudoUsersAndHandOvers1767571200000 } from './migrations/0178-sudo-users-and-hand-overs';
import { DeletedFrom1767657600000 } from './migrations/0180-deleted-from';
import { SizesOfRunningServers1767744000000 } from './migrations/0184-sizes-of-running-servers';
import { FurtherDomains1767830400000 } from './migrations/0182-further-domains';
import { DnsChecksOfChanges1767916800000 } from './migrations/0186-dns-checks-of-changes';
import { Watching1767916900000 } from './migrations/0187-watching';
import { ContainerLogs1767917000000 } from './migrations/0188-container-logs';
import { Releases1768003400000 } from './migrations/0189-releases';
import { Reboots1768003500000 } from './migrations/0190-reboots';
import { AnnouncedVersions1768003800000 } from './migrations/0193-announced-versions';
import { ImageChecks1768003900000 } from './migrations/0194-image-checks';
import { PlatformNames1768004000000 } from './migrations/0195-platform-names';
import { SortedDeployments1768004100000 } from './migrations/0196-sorted-deployments';
import { rowSecuritySql } from './row-security';

/** Migrations in order. They are classes instead of a glob, because a bundle has no files to match. */
const MIGRATIONS = [
  Baseline1763683200000,
  OpenIntervals1764000010000,
  ProvableBooks1764020000000,
  GrowthIndexes1764030000000,
  Retention1764031000000,
  DeploymentsOfUser1764032000000,
  ProviderBreakers1764040000000,
  PricesOfOneInstant1764041000000,
  LoginNetworks1764070000000,
  BillingFailures1764090000000,
  OperatorAlerts1764091000000,
  UnwantedDeployments1764092000000,
  FailuresWithoutLock1764099000000,
  LedgerByDay1764100000000,
  OrderOfSending1764110000000,
  AuditByMonths1764111000000,
  ChecksWithoutRuns1764112000000,
  Catalogues1764113000000,
  CertificatesPerHost1764114000000,
  StandardNames1764115000000,
  MessagesAndLanguages1764201600000,
  AccountsOfPeople1764288000000,
  RowsOfExports1764374400000,
  ViewsOfAccounts1764460800000,
  ReferralsAndFreeCredits1764547200000,
  MailsOfAccounts1764633600000,
  Conversations1764720000000,
  ChangesOfDeployments1764806400000,
  RunsThatChangeTheDomain1764892800000,
  Reachability1764979200000,
  CorrelationOfWork1765065600000,
  Payments1765152000000,
  AutomaticTopUp1765238400000,
  BillingDocuments1765324800000,
  LiveClouds1764130000000,
  FaultsOfClouds1764132000000,
  StrengthOfCredentials1765411200000,
  DocumentFiles1765497600000,
  Activity1765584000000,
  Mailboxes1764142000000,
  NetworksOfTokens1766016000000,
  TaxRates1766102400000,
  RepairsOfPayments1766188800000,
  HashesOfDocuments1766275200000,
  KeysOfMessages1766361600000,
  RefusedPlaces1766448000000,
  RefusedMailsAndFoldedNames1766620800000,
  Backups1766707200000,
  BackupDownloads1766793600000,
  TidyingAfterRestores1766880000000,
  ClosedAccounts1766923200000,
  BackupBuckets1766966400000,
  CloudCallbacks1767052800000,
  ProviderChecks1767139200000,
  CloudLeaks1767225600000,
  StaleBackups1767312000000,
  ChangesOfRunningDeployments1767340800000,
  SshKeys1767398400000,
  Moves1767484800000,
  SudoUsersAndHandOvers1767571200000,
  DeletedFrom1767657600000,
  SizesOfRunningServers1767744000000,
  FurtherDomains1767830400000,
  DnsChecksOfChanges1767916800000,
  Watching1767916900000,
  ContainerLogs1767917000000,
  Releases1768003400000,
  Reboots1768003500000,
  AnnouncedVersions1768003800000,
  ImageChecks1768003900000,
  PlatformNames1768004000000,
  SortedDeployments1768004100000,
];

/**
 * Migrations that this code requires in `migrations`. More may be present, because a newer version expands before it
 * contracts.
 */
const NEEDED = MIGRATIONS.map((Migration) => new Migration().name);

/** Newest migration that this code was built for. */
export const SCHEMA_VERSION = NEEDED.at(-1) ?? '';

/**
 * Returns whether all migrations that this code requires are applied. Newer migrations of a rolling upgrade do not
 * matter.
 */
export async function isSchemaReady(tx: Reads): Promise<boolean> {
  const [row] = await tx.query<{ applied: number }>(
    'select count(distinct name)::int as applied from migrations where name = any($1)',
    [NEEDED],
  );
  return row?.applied === NEEDED.length;
}

/** Arbitrary constant, so that all migrating processes wait for the same lock (TypeORM takes none). */
const MIGRATION_LOCK = 760_511;

/** Updates the schema and sets the grants. Safe to repeat and to call from several processes at once. */
export async function migrate(url: string): Promise<void> {
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
    await refuseOldServer(guard);
    await refuseForeignBaseline(guard);
    await source.runMigrations({ transaction: 'each' });
    await guard.query(grantsSql());
    await guard.query(rowSecuritySql());
    await guard.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  } finally {
    await guard.release();
    await source.destroy();
  }
}

/** Oldest PostgreSQL version that the schema was tested with. */
const OLDEST_SERVER = 15;

async function refuseOldServer(guard: QueryRunner): Promise<void> {
  const [row] = (await guard.query('show server_version_num')) as { server_version_num: string }[];
  const refusal = serverRefusal(Number(row?.server_version_num));
  if (refusal !== null) throw refusal;
}

/** Returns why a PostgreSQL of this `server_version_num` (150004 is 15.4) is not supported, or null if it is. */
export function serverRefusal(versionNumber: number): Error | null {
  const version = Math.floor(versionNumber / 10_000);
  if (version >= OLDEST_SERVER) return null;
  return new Error(`DATABASE_URL: the server is PostgreSQL ${version}; Moorage needs ${OLDEST_SERVER} or newer.`);
}

/**
 * Rejects databases with an outdated baseline. Until b8fae6a the baseline was edited in place under the same name, so a
 * database of an earlier checkout claims this schema but has another. Its columns and indexes reveal this while only
 * the baseline is applied.
 */
async function refuseForeignBaseline(guard: QueryRunner): Promise<void> {
  if (!(await guard.hasTable('migrations'))) return;
  const applied = (await guard.query('select name from migrations')) as { name: string }[];
  if (applied.length !== 1 || applied[0]?.name !== NEEDED[0]) return;
  const [row] = (await guard.query(FINGERPRINT)) as { fingerprint: string }[];
  if (row?.fingerprint === BASELINE_FINGERPRINT) return;
  throw new Error(
    'this database was created by a development version before commit b8fae6a, whose schema cannot be upgraded: move its data folder away (or drop the database) and start again',
  );
}

/**
 * Selects the columns and indexes of the baseline's tables as a text that is the same in every supported version of
 * PostgreSQL.
 */
export const FINGERPRINT = `
select md5(string_agg(fact, E'\\n' order by fact collate "C")) as fingerprint from (
  select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as fact
    from information_schema.columns where table_schema = 'public' and table_name <> 'migrations'
  union all
  select indexdef from pg_indexes where schemaname = 'public' and tablename <> 'migrations'
) facts`;

export const BASELINE_FINGERPRINT = 'dcb668749d293d6c46721e7630afdc66';
