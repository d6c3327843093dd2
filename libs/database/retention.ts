import {
  CERTIFICATE_WINDOW_MS,
  CONSTANTS,
  DAY_MS,
  METRICS_RETENTION_MS,
  MINUTE_MS,
  PLATFORM_NAME_HELD_MS,
} from '@moorage/domain';
import { type Clock, type Db, iso } from '@moorage/server';
import type { Service } from './grants';

/** Retention of each table. A test compares the table below with the schema. */
export type Retention =
  /** The named service removes rows older than this in batches, using an index on `column` (with the same `where`). */
  | { readonly ends: 'by age'; readonly by: Service; readonly rules: readonly AgeRule[] }
  /** Dedicated code removes the rows or limits their number. `where` names its location. */
  | { readonly ends: 'by its own code'; readonly where: string }
  /** The rows are never removed, for the stated reason. */
  | { readonly ends: 'never'; readonly because: string };

export interface AgeRule {
  /** Start of the retention time. Rows with null are not removed. */
  readonly column: string;
  readonly retention_ms: number;
  readonly where?: string;
}

const never = (because: string): Retention => ({ ends: 'never', because });
const ownCode = (where: string): Retention => ({ ends: 'by its own code', where });
const byAge = (by: Service, ...rules: readonly AgeRule[]): Retention => ({ ends: 'by age', by, rules });

const BOOKS = 'the ledger is kept in full: a balance is the sum of its entries';
const ONE_PER_ACCOUNT = 'one row per account; an erased account keeps its number and loses personal data';
const ONE_PER_DEPLOYMENT = 'one row per deployment, kept as long as the ledger refers to it';

/** More than a year, so that the same month of the previous year can be compared. */
const YEAR_AND_MORE = 400 * DAY_MS;

export const RETENTION: Readonly<Record<string, Retention>> = {
  installation: never('one row'),
  migrations: never('one row per migration'),

  users: never(ONE_PER_ACCOUNT),
  // Network and device are personal data. The audit record remains.
  audit_origins: byAge('api', { column: 'at', retention_ms: 365 * DAY_MS }),
  // A session lasts at most 30 days, whether or not it was ended earlier.
  sessions: byAge('api', { column: 'expires_at', retention_ms: 7 * DAY_MS }),
  // The audit record of each remains.
  account_views: byAge('api', { column: 'expires_at', retention_ms: 7 * DAY_MS }),
  referral_pairs: never('one row per referred account, because a pair is credited once'),
  account_mailboxes: never(
    'a hash for each confirmed address of an account: a mailbox receives credits once, even after erasure',
  ),
  credit_requests: byAge('api', { column: 'created_at', retention_ms: YEAR_AND_MORE, where: `state <> 'waiting'` }),
  sign_ins: byAge('api', { column: 'at', retention_ms: 180 * DAY_MS }),
  recovery_codes: ownCode('ten per account: apps/api/auth/two-factor.service.ts'),
  data_exports: byAge('api', { column: 'created_at', retention_ms: CONSTANTS.dataExportRetentionMs }),
  // An API token may be valid indefinitely. An account has at most 20 of them.
  user_tokens: byAge(
    'api',
    { column: 'expires_at', retention_ms: 30 * DAY_MS, where: 'expires_at is not null' },
    { column: 'revoked_at', retention_ms: 30 * DAY_MS, where: 'revoked_at is not null' },
  ),
  idempotency_keys: byAge('api', { column: 'created_at', retention_ms: CONSTANTS.idempotencyKeyMs }),
  rate_limits: ownCode('apps/api/http/rate-limiter.service.ts'),
  login_networks: ownCode('fifty per account, each for ninety days: apps/api/auth/known-networks.repository.ts'),
  audit_records: never('who did what with whose money: append-only; one row per manual action'),

  wallets: never(ONE_PER_ACCOUNT),
  credits: never(BOOKS),
  ledger_transactions: never(BOOKS),
  ledger_lines: never(BOOKS),
  interval_changes: never(BOOKS),
  credit_terms: never(BOOKS),
  ledger_seals: never('one row per daily run'),
  ledger_checkpoints: never('an account state from which replays start: append-only, like the ledger it proves'),
  meters: never(ONE_PER_DEPLOYMENT),
  unpaid_endings: never(ONE_PER_DEPLOYMENT),
  billing_runs: never('one row per day'),
  billing_run_chunks: byAge('billing', { column: 'day', retention_ms: 30 * DAY_MS }),
  billing_failures: never('one row per account that cannot be settled, removed once it can'),
  operator_alerts: ownCode('apps/api/alerts/alert-mail.service.ts'),
  operator_checks: never('one row per check'),
  audit_findings: byAge('billing', { column: 'last_found_at', retention_ms: YEAR_AND_MORE }),
  audits: byAge('billing', { column: 'at', retention_ms: YEAR_AND_MORE }),
  audit_months: never('one row per month: append-only, like the ledger it describes'),
  // Data of the newest closed month. It is replaced when the next month is closed.
  audit_accounts: ownCode('apps/billing/audit/months.ts'),
  audit_credits: ownCode('apps/billing/audit/months.ts'),
  audit_deployments: ownCode('apps/billing/audit/months.ts'),
  // Paid sessions belong to the ledger.
  checkout_sessions: byAge('api', { column: 'created_at', retention_ms: 90 * DAY_MS, where: `status <> 'paid'` }),
  payment_withdrawals: never(BOOKS),
  payment_reversals: never(BOOKS),
  payment_movements: never(BOOKS),
  refund_requests: never('who refunded whose money and why; one row per manual action'),
  payment_comparisons: byAge('api', { column: 'at', retention_ms: YEAR_AND_MORE }),
  payment_differences: byAge('api', {
    column: 'resolved_at',
    retention_ms: YEAR_AND_MORE,
    where: 'resolved_at is not null',
  }),
  test_reversals: never('records of the simulated payment provider: an administrator creates them one at a time'),
  saved_cards: never(ONE_PER_ACCOUNT),
  automatic_top_ups: never(ONE_PER_ACCOUNT),
  billing_details: never(ONE_PER_ACCOUNT),
  billing_document_counters: never('one row per kind of document and year'),
  tax_rates: never('one row per change; receipts are issued by it'),
  billing_document_files: never('as long as the document whose bytes it contains'),
  billing_documents: never(
    'tax law requires issued documents to be kept for years, including those of erased accounts: append-only',
  ),
  // Stripe repeats an event for days, and manually for a month. The posting also has its own unique cause.
  stripe_events: byAge('api', { column: 'received_at', retention_ms: YEAR_AND_MORE, where: `outcome <> 'waiting'` }),

  backup_repositories: never(ONE_PER_DEPLOYMENT),
  backup_buckets: never(ONE_PER_DEPLOYMENT),
  deployment_ssh_keys: never('at most 20 per deployment'),
  deployment_ssh_key_states: never(ONE_PER_DEPLOYMENT),
  // The provisioner removes a row with its lines within a minute after the last reader. These are those of a provisioner
  // that is gone.
  log_follows: byAge('api', { column: 'wanted_until', retention_ms: 10 * MINUTE_MS }),
  log_lines: ownCode('removed with their follow, at most 2,000 each: apps/provisioner/logs/follow-logs.use-case.ts'),
  log_searches: ownCode('removed with their follow, at most five each: apps/api/logs/deployment-logs.service.ts'),
  container_restarts: byAge('api', {
    column: 'finished_at',
    retention_ms: 40 * DAY_MS,
    where: `state <> 'asked'`,
  }),
  // The list shows failed and removed backups for as long as a level retains backups.
  backups: byAge('api', {
    column: 'finished_at',
    retention_ms: 40 * DAY_MS,
    where: `state in ('failed', 'removed')`,
  }),
  backup_downloads: byAge('api', {
    column: 'requested_at',
    retention_ms: 30 * DAY_MS,
    where: `state in ('failed', 'expired')`,
  }),
  restores: byAge('api', {
    column: 'finished_at',
    retention_ms: 40 * DAY_MS,
    where: `state not in ('running', 'undoing')`,
  }),
  deployment_changes: byAge('api', {
    column: 'finished_at',
    retention_ms: 40 * DAY_MS,
    where: `state in ('done', 'failed')`,
  }),
  deployment_domains: ownCode(
    'at most ten per deployment; removed with it: apps/provisioner/domains/apply-domains.use-case.ts',
  ),
  moves: byAge('api', {
    column: 'finished_at',
    retention_ms: YEAR_AND_MORE,
    where: `state not in ('running', 'waiting')`,
  }),
  deployments: never(ONE_PER_DEPLOYMENT),
  update_settings: never(ONE_PER_DEPLOYMENT),
  platform_names: byAge('api', {
    column: 'released_at',
    retention_ms: PLATFORM_NAME_HELD_MS,
    where: 'released_at is not null',
  }),
  platform_records: ownCode('removed with the DNS records: apps/provisioner/platform-dns'),
  platform_certificates: byAge('api', { column: 'requested_at', retention_ms: CERTIFICATE_WINDOW_MS }),
  image_checks: ownCode('one row per image in the manifests: libs/database/images.ts'),
  version_checks: never(ONE_PER_ACCOUNT),
  version_notices: ownCode('removed with their deployment: libs/database/version-notices.ts'),
  release_rollouts: never('at most one row per release in the manifests'),
  deployment_rates: never(
    'one row per change of level or size, at most one of each an hour; the ledger is recomputed from them',
  ),
  secrets: ownCode('removed with their owner: apps/provisioner'),
  // Append-only, even for the owner. It records what was done on customers' machines and is evidence in disputes. A run
  // adds about forty rows. Readers select by deployment or the newest rows, so growth costs only disk space.
  deployment_steps: never('the record of what was done on whose machine: append-only; a run adds about forty rows'),

  runs: ownCode('the newest twenty per deployment: apps/provisioner/runs/run-store.ts'),
  provider_breakers: never('one row per provider'),
  provider_checks: never('one row per provider'),
  provider_credentials: never('one row per provider'),
  cloud_leaks: ownCode('deleted a year after they ended: apps/provisioner/leaks/find-leaks.use-case.ts'),
  refused_places: ownCode(
    'one row per size and region, for an hour: apps/provisioner/servers/provider-trust.policy.ts',
  ),
  servers: never(ONE_PER_DEPLOYMENT),
  // Longer than any run that creates a server.
  first_boot_tokens: byAge('api', { column: 'created_at', retention_ms: 7 * DAY_MS }),
  // Longer than any provider repeats a message.
  cloud_messages: byAge('api', { column: 'received_at', retention_ms: 14 * DAY_MS }),
  catalogues: never('one row per provider'),
  cloud_budgets: never('one row per token'),
  vps_hosts: never('first seen host key of a machine: without it a stranger would be trusted'),
  vps_checks: ownCode('apps/provisioner/lifecycle/recovery-sweep.service.ts'),
  dns_checks: never(ONE_PER_DEPLOYMENT),
  reachability: never(ONE_PER_DEPLOYMENT),
  metrics: byAge('api', { column: 'at', retention_ms: METRICS_RETENTION_MS + DAY_MS }),
  incidents: byAge('api', {
    column: 'ended_at',
    retention_ms: METRICS_RETENTION_MS + DAY_MS,
    where: 'settled_at is not null',
  }),
  sandbox_servers: ownCode('apps/provisioner/clouds/sandbox/sandbox.cloud.ts'),
  sandbox_faults: ownCode('apps/provisioner/clouds/sandbox/faults.ts'),
  sandbox_state: never('a handful of names'),

  // A number assigned twice would be dropped as a duplicate.
  event_sequences: never('one row per account, deployment or support message'),
  outbox: ownCode('libs/messaging/sweep.ts'),
  inbox: ownCode('libs/messaging/sweep.ts'),
  inbox_positions: never('one row per event sequence and reader'),
  inbox_watermarks: never('one row per stream that a service reads'),
  work: ownCode('rows are deleted when their work is done: libs/messaging/work.ts'),
  mails: byAge('api', { column: 'created_at', retention_ms: 90 * DAY_MS }),
  support_messages: byAge('api', { column: 'last_at', retention_ms: 365 * DAY_MS }),
  support_entries: ownCode('with their conversation'),
};

const BATCH = 1_000;
/** Limit of batches per run. A table with more rows continues at the next tick. */
const BATCHES_MAX = 20;
export const RETIRE_EVERY_MS = 10 * 60_000;

/**
 * Returns the delete statement for a batch. `$1` is the instant before which rows expire. The outer condition checks
 * again, because a row may have changed since it was found.
 */
export function retireSql(table: string, { column, where = 'true' }: AgeRule): string {
  return `delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${where} and ${column} < $1 order by ${column} limit ${BATCH}
  )) and ${where} and ${column} < $1`;
}

/** Removes the expired rows of the tables that a service ends by age, in short transactions. */
export class Retirement {
  constructor(private readonly options: { readonly db: Db; readonly clock: Clock; readonly service: Service }) {}

  /** Removes a bounded number of expired rows, and returns their number. */
  async tick(): Promise<number> {
    let rows = 0;
    for (const [table, retention] of Object.entries(RETENTION)) {
      if (retention.ends !== 'by age' || retention.by !== this.options.service) continue;
      for (const rule of retention.rules) rows += await this.retire(table, rule);
    }
    return rows;
  }

  private async retire(table: string, rule: AgeRule): Promise<number> {
    const { db, clock } = this.options;
    let rows = 0;
    for (let batch = 0; batch < BATCHES_MAX; batch++) {
      const gone = await db.tx('retire', async (tx) =>
        tx.execute(retireSql(table, rule), [iso((await clock.now(tx)) - rule.retention_ms)]),
      );
      rows += gone;
      if (gone < BATCH) break;
    }
    return rows;
  }
}
