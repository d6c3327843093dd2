/**
 * Grants per service (docs/adr/0009-grants-per-service.md).
 *
 * The api posts what a user or Stripe causes, and billing posts what is due by time. The provisioner has no grant on
 * money, and billing has none on secrets. This table is authoritative. The migration applies it, and a test compares it
 * with the database.
 *
 * The letters are s = select, i = insert, u = update, d = delete. Column lists limit a select or an update to those
 * columns. row-security.ts limits some tables to a service's own rows (docs/adr/0039-least-rights-per-service.md).
 */
export const SERVICES = ['api', 'provisioner', 'billing'] as const;
export type Service = (typeof SERVICES)[number];

type Rights = '' | 's' | 'si' | 'sid' | 'siu' | 'siud' | 'su' | 'sud' | 'sd' | 'i';
/** Grants on a whole table (letters) and on single columns (lists). */
interface Columns {
  readonly table: Rights;
  readonly select?: readonly string[];
  readonly update?: readonly string[];
}
type Grant = Rights | Columns;
type Row = Readonly<Record<Service, Grant>>;

const all = (rights: Rights): Row => ({ api: rights, provisioner: rights, billing: rights });

/** Columns written by Deployments.move and the related methods (libs/database/deployments.ts). */
const MOVED = [
  'version',
  'status',
  'desired',
  'destroy_reason',
  'failure_reason',
  'failure_code',
  'failure_facts',
  'billable_from',
  'billable_to',
  'updated_at',
  'deleted_at',
  'server_exists',
  'instance_ip',
  'restart_from',
  'lost_from',
  'deleted_from',
  'undo_until',
  'dns_retried_at',
  'restarted_at',
];
/** Columns with configuration values, which the provisioner writes only to reverse a failed change. */
const CONFIGURED = ['config', 'domain', 'admin_subdomain', 'static_page_subdomain', 'komodo_host_ip'];
/** Grants on received deliveries. Only the outcome is updated, never the received data. */
const DELIVERED: Columns = { table: 'si', update: ['handled_at', 'attempts', 'due_at', 'parked_at', 'last_error'] };

export const GRANTS: Readonly<Record<string, Row>> = {
  installation: { api: 'si', provisioner: 's', billing: 's' },
  users: {
    api: 'siu',
    provisioner: '',
    // Needed by the daily verification, for pairs of referrals and the existence of an administrator.
    billing: { table: '', select: ['id', 'referred_by_user_id', 'is_admin', 'deactivated_at'] },
  },
  sessions: { api: 'siud', provisioner: '', billing: '' },
  user_tokens: { api: 'siud', provisioner: '', billing: '' },
  account_views: { api: 'siud', provisioner: '', billing: '' },
  referral_pairs: { api: 'siu', provisioner: '', billing: '' },
  account_mailboxes: { api: 'sid', provisioner: '', billing: '' },
  credit_requests: {
    api: 'siud',
    provisioner: '',
    billing: { table: '', select: ['id', 'decided_at', 'code_expires_at', 'credit_id'] },
  },
  sign_ins: { api: 'sid', provisioner: '', billing: '' },
  recovery_codes: { api: 'siud', provisioner: '', billing: '' },
  data_exports: { api: 'siud', provisioner: '', billing: '' },
  login_networks: { api: 'siud', provisioner: '', billing: '' },
  idempotency_keys: { api: 'siud', provisioner: '', billing: '' },
  rate_limits: { api: 'siud', provisioner: '', billing: '' },
  audit_records: { api: 'si', provisioner: 'si', billing: 's' },
  audit_origins: { api: 'sid', provisioner: '', billing: '' },
  // Every service raises and resolves alerts. The api emails them and deletes old alerts.
  operator_alerts: { api: 'siud', provisioner: 'siu', billing: 'siu' },
  operator_checks: all('siu'),
  // Each service compares the applied migrations with those it was built for.
  migrations: all('s'),

  wallets: { api: 'siu', provisioner: '', billing: 'siu' },
  credits: { api: 'siu', provisioner: '', billing: 'siu' },
  ledger_transactions: { api: 'si', provisioner: '', billing: 'si' },
  ledger_lines: { api: 'si', provisioner: '', billing: 'si' },
  credit_terms: { api: 'si', provisioner: '', billing: 'si' },
  ledger_seals: { api: 's', provisioner: '', billing: 'si' },
  ledger_checkpoints: { api: '', provisioner: '', billing: 'si' },
  meters: { api: 'siu', provisioner: '', billing: 'siu' },
  billing_runs: { api: 's', provisioner: '', billing: 'siu' },
  billing_run_chunks: { api: 's', provisioner: '', billing: 'siud' },
  billing_failures: { api: 's', provisioner: '', billing: 'siud' },
  audit_findings: { api: 's', provisioner: '', billing: 'siud' },
  audits: { api: 's', provisioner: '', billing: 'sid' },
  audit_months: { api: 's', provisioner: '', billing: 'si' },
  audit_accounts: { api: '', provisioner: '', billing: 'sid' },
  audit_credits: { api: '', provisioner: '', billing: 'sid' },
  audit_deployments: { api: '', provisioner: '', billing: 'sid' },
  checkout_sessions: { api: 'siud', provisioner: '', billing: 's' },
  // Used by an older version. Payment movements have replaced it.
  payment_withdrawals: { api: 's', provisioner: '', billing: 's' },
  payment_reversals: { api: 'siu', provisioner: '', billing: 's' },
  payment_movements: { api: 'si', provisioner: '', billing: 's' },
  refund_requests: { api: 'siu', provisioner: '', billing: '' },
  payment_comparisons: { api: 'sid', provisioner: '', billing: '' },
  payment_differences: { api: 'siud', provisioner: '', billing: '' },
  test_reversals: { api: 'si', provisioner: '', billing: '' },
  saved_cards: { api: 'siud', provisioner: '', billing: '' },
  automatic_top_ups: { api: 'siud', provisioner: '', billing: '' },
  billing_details: { api: 'siud', provisioner: '', billing: '' },
  billing_document_counters: { api: 'siu', provisioner: '', billing: 's' },
  billing_documents: { api: 'si', provisioner: '', billing: 's' },
  tax_rates: { api: 'siu', provisioner: '', billing: '' },
  billing_document_files: { api: 'si', provisioner: '', billing: '' },
  stripe_events: { api: 'siud', provisioner: '', billing: 's' },

  deployments: {
    api: 'siu',
    provisioner: { table: 's', update: [...MOVED, 'stack_outdated', 'instance_type', 'release', ...CONFIGURED] },
    // The ledger applies the price of another size.
    billing: { table: 's', update: [...MOVED, 'instance_hourly_micros'] },
  },
  deployment_rates: { api: 'si', provisioner: 's', billing: 'si' },
  unpaid_endings: { api: 'siu', provisioner: '', billing: 'si' },
  // Removed by age through the api.
  metrics: { api: 'sd', provisioner: 'siud', billing: '' },
  incidents: { api: { table: 'sd', update: ['conversation_id'] }, provisioner: 'siu', billing: '' },
  reachability: { api: 's', provisioner: 'siu', billing: { table: '', select: ['deployment_id', 'state'] } },
  // The api requests backups and restores, and ends the backups of an erased account. The provisioner writes their
  // results.
  backup_repositories: { api: { table: 's', update: ['ends_at'] }, provisioner: 'siu', billing: '' },
  backups: { api: 'sid', provisioner: 'siu', billing: '' },
  // Requested and downloaded through the api, prepared by the provisioner.
  backup_downloads: { api: { table: 'sid', update: ['link_hash', 'link_expires_at'] }, provisioner: 'su', billing: '' },
  // Set and removed by the api. The provisioner checks and fills the bucket, and removes it with the repository.
  backup_buckets: {
    api: 'siud',
    provisioner: {
      table: 'sd',
      update: [
        'state',
        'checked_at',
        'copying_since',
        'copied_at',
        'copied_backup_id',
        'failures',
        'retry_at',
        'failure_reason',
        'failure_code',
        'failure_facts',
      ],
    },
    billing: '',
  },
  // Added and removed by the api. The provisioner applies them to the server.
  deployment_ssh_keys: { api: 'sid', provisioner: 's', billing: '' },
  // Requested and read through the api. The provisioner follows the logs and ends the rows.
  log_follows: {
    api: { table: 'sid', update: ['wanted_until'] },
    provisioner: {
      table: 'sd',
      update: ['state', 'message', 'message_code', 'message_facts', 'containers', 'left_out', 'floor'],
    },
    billing: '',
  },
  log_lines: { api: 's', provisioner: 'sid', billing: '' },
  log_searches: {
    api: 'sid',
    provisioner: { table: 's', update: ['state', 'lines', 'left_out', 'answered_at'] },
    billing: '',
  },
  // Requested through the api, carried out by the provisioner.
  container_restarts: {
    api: 'sid',
    provisioner: {
      table: 's',
      update: ['state', 'finished_at', 'failure_reason', 'failure_code', 'failure_facts'],
    },
    billing: '',
  },
  deployment_ssh_key_states: {
    api: 'siud',
    provisioner: {
      table: 's',
      update: ['applied_at', 'failures', 'retry_at', 'failure_reason', 'failure_code', 'failure_facts'],
    },
    billing: '',
  },
  // Added and removed by the api. The provisioner checks the names, sets up the redirects and ends the rows.
  deployment_domains: {
    api: { table: 'sid', update: ['removed_at'] },
    provisioner: {
      table: 'sd',
      update: [
        'deployment_id',
        'given_up_at',
        'record',
        'certificate',
        'checked_at',
        'applied_at',
        'failure_reason',
        'failure_code',
        'failure_facts',
      ],
    },
    billing: '',
  },
  restores: { api: { table: 'sid', update: ['state', 'finished_at', 'undo_until'] }, provisioner: 'siu', billing: '' },
  // Requested through the api. The provisioner applies or undoes a change.
  deployment_changes: {
    api: 'sid',
    provisioner: {
      table: 's',
      update: ['state', 'taken_back_at', 'finished_at', 'failure_reason', 'failure_code', 'failure_facts'],
    },
    // The price of a requested size.
    billing: { table: '', select: ['id', 'deployment_id', 'kind', 'after', 'requested_by', 'requested_at'] },
  },
  // Decided by administrators. The provisioner stops a rollout that fails.
  release_rollouts: {
    api: 'siu',
    provisioner: { table: 's', update: ['state', 'changed_at', 'changed_by'] },
    billing: '',
  },
  update_settings: { api: 'siu', provisioner: '', billing: '' },
  // Given by the api with an order. The provisioner passes a name on within a move, and releases it with its records.
  platform_names: { api: 'siud', provisioner: { table: 's', update: ['deployment_id', 'released_at'] }, billing: '' },
  platform_records: { api: '', provisioner: 'siud', billing: '' },
  platform_certificates: { api: 'sid', provisioner: '', billing: '' },
  image_checks: { api: 'siud', provisioner: '', billing: '' },
  version_checks: { api: 'siu', provisioner: '', billing: '' },
  version_notices: { api: 'siud', provisioner: '', billing: '' },
  // Ordered through the api. The provisioner follows their progress, and billing removes the old server in time.
  moves: {
    api: 'sid',
    provisioner: { table: 's', update: ['state', 'switched_at', 'remove_at', 'finished_at'] },
    billing: 's',
  },
  interval_changes: { api: 'si', provisioner: 'i', billing: 'si' },
  secrets: { api: 'siud', provisioner: 'siud', billing: '' },
  deployment_steps: { api: 's', provisioner: 'si', billing: 's' },

  runs: { api: 's', provisioner: 'siud', billing: '' },
  servers: { api: 's', provisioner: 'siu', billing: 's' },
  // Written when a server is ordered, and used when the server calls the api.
  first_boot_tokens: { api: { table: 'sd', update: ['used_at'] }, provisioner: 'si', billing: '' },
  cloud_messages: { api: 'sid', provisioner: 's', billing: '' },
  // An administrator confirms the project.
  provider_breakers: {
    api: { table: 's', update: ['confirmed_project_id', 'confirmed_at'] },
    provisioner: 'siu',
    billing: 's',
  },
  // The api requests checks and stores credentials. The provisioner carries out the checks and tests the credentials.
  provider_checks: { api: { table: 'si', update: ['requested_at'] }, provisioner: 'siu', billing: '' },
  provider_credentials: { api: 'siu', provisioner: 'siu', billing: '' },
  // Found by the provisioner. An administrator decides through the api.
  cloud_leaks: {
    api: { table: 's', update: ['state', 'decided_by', 'decided_at', 'reason', 'failure', 'failure_words'] },
    provisioner: 'siud',
    billing: '',
  },
  refused_places: { api: 's', provisioner: 'siud', billing: '' },
  catalogues: { api: 's', provisioner: 'siu', billing: '' },
  cloud_budgets: { api: { table: '', select: ['name', 'blocked_until'] }, provisioner: 'siu', billing: '' },
  vps_hosts: { api: 'sd', provisioner: 'siu', billing: '' },
  vps_checks: { api: 'sid', provisioner: 'sud', billing: '' },
  dns_checks: { api: 'sd', provisioner: 'siud', billing: '' },
  sandbox_servers: { api: 's', provisioner: 'siud', billing: '' },
  sandbox_faults: { api: '', provisioner: 'siud', billing: '' },
  sandbox_state: { api: '', provisioner: 'siu', billing: '' },

  // The api and billing publish and sweep for all three services. The provisioner has access to its own rows only.
  event_sequences: all('siu'),
  outbox: {
    api: { table: 'sid', update: ['sent_at'] },
    provisioner: 'si',
    billing: { table: 'sid', update: ['sent_at'] },
  },
  inbox: { api: { ...DELIVERED, table: 'sid' }, provisioner: DELIVERED, billing: { ...DELIVERED, table: 'sid' } },
  inbox_positions: all('siu'),
  inbox_watermarks: { api: 'siu', provisioner: 's', billing: 'siu' },
  work: { api: 'siud', provisioner: 'siud', billing: 's' },
  mails: { api: 'siud', provisioner: '', billing: '' },
  support_messages: { api: 'siud', provisioner: '', billing: '' },
  support_entries: { api: 'si', provisioner: '', billing: '' },
};

/** Sequences named in statements or column defaults. Identity columns need no grant beyond insert. */
const SEQUENCES: Readonly<Record<Service, readonly string[]>> = {
  api: ['ledger_transactions_id_seq', 'outbox_sent_no', 'work_fencing_tokens'],
  provisioner: ['ledger_transactions_id_seq', 'work_fencing_tokens'],
  billing: ['ledger_transactions_id_seq', 'outbox_sent_no', 'work_fencing_tokens'],
};

export const roleOf = (service: Service): string => `moorage_${service}`;

const WORDS = { s: 'select', i: 'insert', u: 'update', d: 'delete' } as const;

/** Returns the privileges of a grant as written before `on`, such as `select` or `update (status, version)`. */
export function privilegesOf(grant: Grant): string[] {
  const { table, select, update }: Columns = typeof grant === 'string' ? { table: grant } : grant;
  const onTable = [...table].map((right) => WORDS[right as keyof typeof WORDS]);
  const onColumns = Object.entries({ select, update }).flatMap(([word, columns]) =>
    columns === undefined ? [] : [`${word} (${columns.join(', ')})`],
  );
  return [...onTable, ...onColumns];
}

/**
 * Returns SQL that creates the roles if they do not exist (they belong to the cluster) and sets exactly the grants of
 * the table.
 */
export function grantsSql(): string {
  const lines: string[] = [];
  for (const service of SERVICES) {
    const role = roleOf(service);
    lines.push(
      `do $$ begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end $$;`,
      `grant usage on schema public to ${role};`,
      `revoke all on all tables in schema public from ${role};`,
      `revoke all on all sequences in schema public from ${role};`,
      ...SEQUENCES[service].map((sequence) => `grant usage, select on ${sequence} to ${role};`),
    );
    for (const [table, row] of Object.entries(GRANTS)) {
      const privileges = privilegesOf(row[service]);
      if (privileges.length > 0) lines.push(`grant ${privileges.join(', ')} on ${table} to ${role};`);
    }
  }
  return lines.join('\n');
}
