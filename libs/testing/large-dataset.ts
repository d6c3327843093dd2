import pg from 'pg';
import { seedAccounts } from './many-accounts';

/** Number of rows in each table of the large data set. The nightly run uses more (`PLAN_ROWS=1000000`). */
export const GROWN_ROWS = Number(process.env.PLAN_ROWS ?? 100_000);

/**
 * Opens a database in which every table that grows has `GROWN_ROWS` rows (accounts half of that, the ledger and the
 * timeline more), to check query plans. It is created once per PostgreSQL server and only read, so concurrent suites
 * share it.
 */
export async function openGrown(): Promise<pg.Client> {
  const templateUrl = process.env.TEST_DATABASE_URL;
  if (templateUrl === undefined) throw new Error('TEST_DATABASE_URL is not set: run through jest');
  const template = new URL(templateUrl).pathname.slice(1);
  const name = `grown_${GROWN_ROWS}`;
  const urlOf = (database: string): string => Object.assign(new URL(templateUrl), { pathname: `/${database}` }).href;
  const admin = new pg.Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock(2)');
    const { rows } = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (rows.length === 0) {
      // Under another name until it is complete.
      await admin.query(`drop database if exists ${name}_half`);
      await admin.query('select pg_advisory_lock(1)');
      await admin.query(`create database ${name}_half template ${pg.escapeIdentifier(template)} strategy file_copy`);
      await admin.query('select pg_advisory_unlock(1)');
      await grow(urlOf(`${name}_half`));
      await admin.query(`alter database ${name}_half rename to ${name}`);
    }
  } finally {
    await admin.end();
  }
  const client = new pg.Client({ connectionString: urlOf(name), options: '-c TimeZone=UTC' });
  await client.connect();
  return client;
}

async function grow(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    await seedAccounts(client, GROWN_ROWS);
    for (const sql of HISTORY) await client.query(sql.replaceAll(':rows', String(GROWN_ROWS)));
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/**
 * Statements that spread everything else evenly over the past year. `:users`, the number of accounts above, is half of
 * `:rows`.
 */
const AT = `now() - interval '1 year' + i * interval '1 year' / :rows`;
const USER = '1 + i % (:rows / 2)';

const HISTORY = [
  // As many deployments again that were deleted.
  `insert into deployments (id, user_id, ref, client_name, client_id, package, server_type, cloud_provider, support_level,
     instance_hourly_micros, status, billable_from, billable_to, created_at, updated_at, deleted_at)
   select :rows + i, ${USER}, 'gone' || lpad(i::text, 12, '0'), 'gone-' || i, 'gone-' || i, 'pangolin', 'new', 'hetzner', 1, 35600,
     'DELETED', ${AT}, ${AT} + interval '1 day', ${AT}, ${AT}, ${AT} + interval '2 days' from generate_series(1, :rows) i`,
  `insert into meters (deployment_id, user_id, base_hourly_micros, hourly_micros, rate_from, charged_through, reckoned)
   select id, user_id, 35600, 35600, billable_from, billable_to::date, true from deployments where id > :rows`,
  `insert into unpaid_endings (deployment_id, user_id, due_at, ended_at, due_micros, available_micros, dismissed_at)
   select id, user_id, billable_to, billable_to, 854400, 0, billable_to from deployments where id > :rows`,
  `insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros)
   select id, billable_from, 1, 35600 from deployments where id > :rows`,
  `insert into interval_changes (deployment_id, user_id, billable_from, billable_to, actor, reason, written_at)
   select id, user_id, billable_from, billable_to, 'seed', 'seed', created_at from deployments`,
  `insert into credit_terms (credit_id, user_id, credit_type, amount_micros, expires_at, actor, reason, written_at)
   select id, user_id, credit_type, amount_micros, expires_at, 'seed', 'seed', granted_at from credits`,
  `insert into ledger_checkpoints (user_id, through_id, transactions, hash, state, written_at)
   select user_id, n, 1, '', '{}', '2026-11-20' from wallets, generate_series(1, 2) n`,
  // Two days of charges for everything that runs.
  `insert into ledger_transactions (user_id, type, amount_micros, description, deployment_id, charged_on, due_at, posted_at)
   select user_id, 'charge', -24 * hourly_micros, 'seed', deployment_id, date '2026-11-29' + day, date '2026-11-29' + day, date '2026-11-29' + day
   from meters, generate_series(0, 1) day where not reckoned`,
  `insert into ledger_lines (transaction_id, line_no, ledger_account, amount_micros)
   select id, line, case line when 1 then 'regular' else 'revenue' end, case line when 1 then amount_micros else -amount_micros end
   from ledger_transactions, generate_series(1, 2) line where type = 'charge'`,
  // All but the last thousand ledger ids belong to a closed month.
  `insert into audit_months (month, after_id, through_id, transactions, lines, ledger_accounts, digest, closed_at)
   select '2026-11-01', 0, max(id) - 1000, count(*), 2 * count(*), '{}', '', '2026-12-02' from ledger_transactions`,
  `insert into audit_accounts (through_id, user_id, regular_micros, owed_micros, amounts_micros)
   select through_id, user_id, regular_micros, owed_micros, regular_micros from audit_months, wallets`,
  `insert into audit_credits (through_id, credit_id, remaining_micros, granted_micros)
   select through_id, id, remaining_micros, amount_micros from audit_months, credits`,
  `insert into audit_deployments (through_id, deployment_id, charges, charged_through)
   select through_id, id, 1, '2026-11-30' from audit_months, deployments`,
  `insert into servers (deployment_id, provider, region, instance_type, provider_server_id, state, created_at, gone_at)
   select id, 'hetzner', 'fsn1', 'cpx22', id::text, case when id > :rows then 'gone' else 'exists' end, created_at, deleted_at
   from deployments where server_type = 'new'`,
  `insert into runs (deployment_id, plan, steps, position, state, started_at, finished_at)
   select d.id, 'create', '{a,b}', 2, 'done', d.created_at, d.created_at + interval '5 minutes' from deployments d`,
  `insert into deployment_steps (deployment_id, run_id, step, outcome, at)
   select r.deployment_id, r.id, 'step-' || s, 'done', r.started_at from runs r, generate_series(1, 3) s`,
  `insert into dns_checks (deployment_id, records, all_right, checked_at) select id, '[]', true, created_at from deployments`,
  // A thousand checks are due.
  `insert into reachability (deployment_id, due_at, host_due_at, names_due_at, state, since, checked_at, is_quiet)
   select id, now() + (id - 1000) * interval '1 minute', now() + (id - 1000) * interval '1 minute',
     now() + (id - 1000) * interval '1 minute', 'reachable', created_at, created_at, true from deployments where id <= :rows`,
  `insert into metrics (deployment_id, at, span_minutes, checks, response_ms)
   select id, created_at + span * interval '1 hour', 60, 60, '{100}' from deployments, generate_series(1, 2) span where id <= :rows`,
  // A hundred incidents are open.
  `insert into incidents (deployment_id, user_id, kind, subject, facts, began_at, ended_at, settled_at)
   select id, user_id, 'down', '', '{}', created_at, case when id > 100 then created_at end,
     case when id > 100 then created_at end from deployments where id <= :rows`,
  `insert into backup_repositories (deployment_id, mode, created_at, due_at, copied_at, tend_at)
   select id, 'real', created_at, now() + (id - 100) * interval '1 minute', now(), now() + (id - 100) * interval '1 minute'
   from deployments where id <= :rows`,
  `insert into backups (deployment_id, kind, state, requested_at, started_at, finished_at, snapshot_id)
   select id, 'scheduled', 'complete', created_at, created_at, created_at, 'snapshot-' || id from deployments where id <= :rows`,
  `insert into backup_buckets (deployment_id, endpoint, region, bucket, folder, state)
   select id, 'https://s3.example.com', 'us-east-1', 'bucket-' || id, '', 'ready' from deployments where id <= :rows`,
  `insert into deployment_ssh_keys (deployment_id, name, public_key, fingerprint, added_by, added_at)
   select id, 'laptop', 'ssh-ed25519 AAAA', 'SHA256:' || id, user_id, created_at from deployments`,
  `insert into deployment_ssh_key_states (deployment_id, wanted_since, applied_at)
   select id, created_at, created_at from deployments`,
  `insert into deployment_domains (deployment_id, host, kind, added_at)
   select id, 'www-' || id || '.example.com', 'redirect', created_at from deployments where id <= :rows`,
  `insert into restores (deployment_id, backup_id, taken_at, kind, state, requested_at, finished_at)
   select deployment_id, id, started_at, 'in_place', 'done', started_at, started_at from backups`,
  `insert into deployment_changes (deployment_id, kind, state, before, after, requested_at, finished_at)
   select id, 'configuration', 'done', '{}', '{}', created_at, created_at from deployments where id <= :rows`,
  `insert into moves (source_id, target_id, kind, state, requested_by, requested_at, switched_at, remove_at, finished_at)
   select id, id + 1, 'move', case when id <= 200 then 'waiting' else 'done' end, user_id, created_at, created_at,
     case when id <= 200 then created_at end, case when id > 200 then created_at end
   from deployments where id % 2 = 1 and id < :rows`,
  `insert into secrets (owner, name, key_id, nonce, ciphertext, created_at)
   select 'deployment:' || id, 'ADMIN_PASSWORD', 'k', '', '', created_at from deployments where id <= :rows`,
  `insert into vps_hosts (user_id, address, host_key_sha256, pinned_at)
   select ${USER}, '100.64.0.0'::inet + i, 'SHA256:x', ${AT} from generate_series(1, :rows) i`,
  `insert into vps_checks (user_id, address, state, asked_at, answered_at)
   select ${USER}, '100.64.0.0'::inet + i, 'passed', ${AT}, ${AT} from generate_series(1, :rows) i`,
  `insert into sessions (id, user_id, created_at, last_used_at, expires_at, ended_at)
   select 'session-' || i, ${USER}, ${AT}, ${AT}, ${AT} + interval '30 days', case when i % 2 = 0 then ${AT} end from generate_series(1, :rows) i`,
  `insert into user_tokens (user_id, purpose, token_hash, created_at, expires_at, used_at, revoked_at)
   select ${USER}, case i % 3 when 0 then 'api_token' else 'verify_email' end, 'hash-' || i, ${AT},
     case i % 3 when 0 then null else ${AT} + interval '1 day' end, null, case i % 2 when 0 then ${AT} end from generate_series(1, :rows) i`,
  `insert into sign_ins (user_id, at, kind, ip_address) select ${USER}, ${AT}, 'password', '203.0.113.7' from generate_series(1, :rows) i`,
  `insert into account_views (id, user_id, viewer_user_id, viewer_session_id, reason, started_at, expires_at)
   select 'view-' || i, ${USER}, 1, 'session', 'seed', ${AT}, ${AT} from generate_series(1, :rows) i`,
  `insert into referral_pairs (referred_user_id, referrer_user_id, network, state, doubts, verified_at, granted_at)
   select 1 + i, 1, ('100.' || i / 256 % 256 || '.' || i % 256 || '.0/24')::cidr, 'granted', '{}', ${AT}, ${AT}
   from generate_series(1, :rows / 2 - 1) i`,
  `insert into credit_requests (email, email_normalised, reason, language, created_at, state, decided_at, holder_user_id, code_hash, code_expires_at)
   select 'r' || i || '@example.com', 'r' || i || '@example.com', 'seed', 'en', ${AT}, 'approved', ${AT}, ${USER}, 'hash-' || i, ${AT}
   from generate_series(1, :rows) i`,
  `insert into recovery_codes (user_id, code_hash, created_at) select ${USER}, 'hash-' || i, ${AT} from generate_series(1, :rows) i`,
  `insert into data_exports (user_id, state, created_at, ready_at)
   select ${USER}, 'ready', ${AT}, ${AT} from generate_series(1, :rows) i`,
  `insert into idempotency_keys (user_id, key, request_hash, status, answer, created_at)
   select ${USER}, 'key-' || i, 'hash', 201, '{}', ${AT} from generate_series(1, :rows) i`,
  `insert into rate_limits (key, points, expire) select 'key-' || i, 1, extract(epoch from ${AT}) * 1000 from generate_series(1, :rows) i`,
  `insert into audit_records (actor_user_id, action, subject, facts, at)
   select ${USER}, 'seed', 'user:' || i, '{}', ${AT} from generate_series(1, :rows) i`,
  `insert into audit_findings (invariant, facts, found_at) select 'I1', jsonb_build_object('id', i), ${AT} from generate_series(1, :rows) i`,
  `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, status, payment_intent, created_at, paid_at)
   select 'cs_' || i, ${USER}, 1000, false, 'https://checkout.example', case i % 3 when 0 then 'expired' else 'paid' end, 'pi_' || i, ${AT}, ${AT}
   from generate_series(1, :rows) i`,
  `insert into payment_withdrawals (payment_intent, kind, withdrawn_micros) select 'pi_' || i, 'refund', 1 from generate_series(1, :rows) i`,
  `insert into payment_reversals (id, payment_intent, kind, amount_cents, status, created_at, seen_at)
   select 're_' || i, 'pi_' || i, 'refund', 1, 'succeeded', ${AT}, ${AT} from generate_series(1, :rows) i`,
  `insert into payment_movements (id, reversal_id, payment_intent, kind, amount_micros, posted_micros, created_at, posted_at)
   select 'txn_' || i, 're_' || i, 'pi_' || i, 'refund', 1, 1, ${AT}, ${AT} from generate_series(1, :rows) i`,
  `insert into refund_requests (id, payment_id, amount_cents, reason, actor_user_id, created_at)
   select gen_random_uuid(), 'cs_' || i, 1, 'seed', 1, ${AT} from generate_series(1, :rows) i`,
  `insert into payment_comparisons (from_at, to_at, compared, differences, at) select ${AT}, ${AT}, 1, 0, ${AT} from generate_series(1, :rows) i`,
  `insert into payment_differences (id, kind, payment_intent, our_micros, first_seen_at, last_seen_at, resolved_at)
   select 'txn_' || i, 'missing_there', 'pi_' || i, 1, ${AT}, ${AT}, ${AT} from generate_series(1, :rows) i`,
  `insert into saved_cards (user_id, customer, payment_method, brand, last4, exp_month, exp_year, test_mode, saved_at)
   select user_id, 'cus_' || user_id, 'pm_' || user_id, 'visa', '4242', 12, 2030, true, now() from wallets`,
  `insert into automatic_top_ups (user_id, enabled, threshold_micros, amount_cents, month_cap_cents, changed_at)
   select user_id, user_id % 50 = 0, 5000000, 1000, 5000, now() from wallets`,
  `insert into billing_details (user_id, name, lines, postal_code, city, country, changed_at)
   select user_id, 'Somebody', '{Street 1}', '10115', 'Berlin', 'DE', now() from wallets`,
  `insert into billing_document_counters (kind, year, last) values ('receipt', 2026, :rows)`,
  `insert into billing_documents (user_id, kind, number, issued_at, transaction_id, amount_micros, facts)
   select ${USER}, 'receipt', 'R-2026-' || i, ${AT}, -i, 10000000, '{}' from generate_series(1, :rows) i`,
  `insert into test_reversals (id, payment_intent, kind, amount_cents, created_at) select 're_test_' || i, 'pi_' || i, 'refund', 1, ${AT} from generate_series(1, :rows) i`,
  `insert into stripe_events (id, type, received_at, outcome, session_id, payment_intent)
   select 'evt_' || i, 'seed', ${AT}, 'posted', 'cs_' || i, 'pi_' || i from generate_series(1, :rows) i`,
  `insert into first_boot_tokens (deployment_id, run_id, token_hash, created_at)
   select id, id, 'hash-' || id, created_at from deployments where server_type = 'new'`,
  `insert into cloud_messages (provider, message_id, received_at) select 'aws', 'message-' || i, ${AT} from generate_series(1, :rows) i`,
  `insert into event_sequences (stream, aggregate_id, last_sequence) select 'deployment', i::text, 1 from generate_series(1, :rows) i`,
  // A week of events, the last of them sent just now.
  `insert into outbox (event_id, stream, event_name, version, aggregate_id, sequence, shard, correlation_id, occurred_at, data, sent_at)
   select gen_random_uuid(), 'deployment', 'deployment.status_changed', 1, i::text, 1, i % 8, 'c', at, '{}', at
   from generate_series(1, :rows) i, lateral (select now() - interval '7 days' * (:rows - i) / :rows as at) a`,
  `insert into inbox (consumer, event_id, stream, event_name, aggregate_id, sequence, envelope, arrived_at, handled_at, due_at)
   select consumer, event_id, stream, event_name, aggregate_id, sequence, '{}', sent_at, sent_at, sent_at
   from outbox, unnest('{api,provisioner,billing}'::text[]) consumer`,
  `insert into inbox_positions (consumer, stream, aggregate_id, last_sequence)
   select consumer, stream, aggregate_id, sequence from inbox`,
  // All consumers have everything but the last thousand.
  `insert into inbox_watermarks (consumer, stream, through_no, through_id)
   select consumer, 'deployment', sent_no, id from outbox, unnest('{api,provisioner,billing}'::text[]) consumer
   where id = (select max(id) - 1000 from outbox)`,
  `insert into work (kind, key, due_at, created_at)
   select case i % 4 when 0 then 'run' when 1 then 'send-mail' when 2 then 'dns-check' else 'reconcile' end, i::text,
     now() + i * interval '1 minute', now() from generate_series(1, :rows) i`,
  `insert into mails (cause, recipient, template, facts, created_at, sent_at)
   select 'cause-' || i, 'somebody' || i % 1000 || '@example.org', 'verified', '{}', ${AT}, ${AT} from generate_series(1, :rows) i`,
  // A thousand are waiting for a reply.
  `insert into support_messages (kind, user_id, name, email, subject, message, created_at, state, waiting_since, due_at, warn_at, last_at)
   select 'contact', ${USER}, 'Somebody', 'somebody' || i || '@example.org', 'seed', 'seed', ${AT},
     case when waits then 'open' else 'closed' end, case when waits then ${AT} end,
     case when waits and i % 2 = 0 then ${AT} end, case when waits and i % 2 = 0 then ${AT} end, ${AT}
   from generate_series(1, :rows) i, lateral (select i % (:rows / 1000) = 0 as waits) w`,
  `insert into support_entries (conversation_id, by, what, message, created_at)
   select i, 'support', 'message', 'seed', ${AT} from generate_series(1, :rows) i`,
  `insert into billing_runs (day, started_at, finished_at)
   select day, day, day from generate_series(date '2025-11-30', date '2026-11-29', interval '1 day') day`,
  `insert into billing_run_chunks (day, first_user_id, last_user_id, charged, settled, finished_at)
   select day, i, i, 1, 0, day from billing_runs, generate_series(1, :rows / 365) i`,
];
