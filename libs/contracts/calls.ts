import { ACCOUNT_CALLS } from './account';
import { ACTIVITY_CALLS } from './activity';
import { ADMIN_OVERVIEW_CALLS } from './admin-overview';
import { ADMIN_PAYMENTS_CALLS } from './admin-payments';
import { ADMIN_REFERRALS_CALLS } from './admin-referrals';
import { ADMIN_SUPPORT_CALLS } from './admin-support';
import { ADMIN_USERS_CALLS } from './admin-users';
import { AUTH_CALLS } from './auth';
import { BACKUP_BUCKET_CALLS } from './backup-bucket';
import { BACKUP_DOWNLOADS_CALLS } from './backup-downloads';
import { BACKUPS_CALLS } from './backups';
import { BILLING_DOCUMENTS_CALLS } from './billing-documents';
import { AUTOMATIC_TOP_UP_CALLS } from './automatic-top-up';
import type { Call } from './call';
import { CATALOGUE_CALLS } from './catalogue';
import { CLOUD_CALLBACKS_CALLS } from './cloud-callbacks';
import { CONSOLE_CALLS } from './console';
import { CONVERSATIONS_CALLS } from './conversations';
import { DEPLOYMENTS_CALLS } from './deployments';
import { FURTHER_DOMAINS_CALLS } from './further-domains';
import { HEALTH_CALLS } from './health';
import { LEAKS_CALLS } from './leaks';
import { LIVE_CALLS } from './live';
import { LOGS_CALLS } from './logs';
import { MAILBOX_CALLS } from './mailbox';
import { MAILS_CALLS } from './mails';
import { MOVES_CALLS } from './moves';
import { OWNER_RECORDS_CALLS } from './owner-records';
import { PAYMENTS_CALLS } from './payments';
import { PRICING_CALLS } from './pricing';
import { PROGRESS_CALLS } from './progress';
import { PROVIDERS_CALLS } from './providers';
import { QUEUES_CALLS } from './queues';
import { REFERRALS_CALLS } from './referrals';
import { RESIZE_CALLS } from './resize';
import { UPDATES_CALLS } from './updates';
import { SERVERS_CALLS } from './servers';
import { SSH_KEYS_CALLS } from './ssh-keys';
import { SUPPORT_CALLS } from './support';
import { USERS_CALLS } from './users';
import { WALLET_CALLS } from './wallet';
import { WATCH_CALLS } from './watch';

/** All calls, grouped by the feature that serves them. Each feature's file defines its own calls. */
export const CALLS = {
  auth: AUTH_CALLS,
  users: USERS_CALLS,
  account: ACCOUNT_CALLS,
  activity: ACTIVITY_CALLS,
  adminOverview: ADMIN_OVERVIEW_CALLS,
  adminUsers: ADMIN_USERS_CALLS,
  catalogue: CATALOGUE_CALLS,
  pricing: PRICING_CALLS,
  servers: SERVERS_CALLS,
  deployments: DEPLOYMENTS_CALLS,
  backups: BACKUPS_CALLS,
  moves: MOVES_CALLS,
  backupDownloads: BACKUP_DOWNLOADS_CALLS,
  backupBucket: BACKUP_BUCKET_CALLS,
  sshKeys: SSH_KEYS_CALLS,
  logs: LOGS_CALLS,
  furtherDomains: FURTHER_DOMAINS_CALLS,
  ownerRecords: OWNER_RECORDS_CALLS,
  watch: WATCH_CALLS,
  progress: PROGRESS_CALLS,
  resize: RESIZE_CALLS,
  updates: UPDATES_CALLS,
  wallet: WALLET_CALLS,
  billingDocuments: BILLING_DOCUMENTS_CALLS,
  referrals: REFERRALS_CALLS,
  adminReferrals: ADMIN_REFERRALS_CALLS,
  payments: PAYMENTS_CALLS,
  automaticTopUp: AUTOMATIC_TOP_UP_CALLS,
  adminPayments: ADMIN_PAYMENTS_CALLS,
  cloudCallbacks: CLOUD_CALLBACKS_CALLS,
  live: LIVE_CALLS,
  support: SUPPORT_CALLS,
  conversations: CONVERSATIONS_CALLS,
  adminSupport: ADMIN_SUPPORT_CALLS,
  mails: MAILS_CALLS,
  mailbox: MAILBOX_CALLS,
  console: CONSOLE_CALLS,
  providers: PROVIDERS_CALLS,
  leaks: LEAKS_CALLS,
  queues: QUEUES_CALLS,
  health: HEALTH_CALLS,
} as const satisfies Record<string, Readonly<Record<string, Call>>>;

/** All calls in a flat list. */
export const ALL_CALLS: readonly Call[] = Object.values<Readonly<Record<string, Call>>>(CALLS).flatMap((rows) =>
  Object.values(rows),
);
