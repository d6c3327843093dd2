-- A small healthy installation on 3 December 2026 at 10:00, written by hand. The invariants hold, and every planted bug
-- has something to break. Account 2 was invited by account 3, used its free credit, paid 10.00, has run a server since
-- 1 December and had an own server for an evening.

insert into installation (key, created_at) values ('healthy-key', '2026-11-01T00:00:00Z');

insert into users (id, username, email, email_normalised, password_hash, is_admin, is_verified, referral_code, referred_by_user_id, created_at) values
  (1, 'admin', 'admin@example.org', 'admin@example.org', '-', true, true, 'code-1', null, '2026-11-01T00:00:00Z'),
  (3, 'inviter', 'inviter@example.org', 'inviter@example.org', '-', false, true, 'code-3', null, '2026-11-01T00:00:00Z'),
  (2, 'customer', 'customer@example.org', 'customer@example.org', '-', false, true, 'code-2', 3, '2026-11-10T00:00:00Z');
insert into wallets (user_id, regular_micros, first_paid_at, created_at) values
  (1, 0, null, '2026-11-01T00:00:00Z'),
  (2, 10000000, '2026-12-02T18:00:00Z', '2026-11-10T00:00:00Z'),
  (3, 0, null, '2026-11-01T00:00:00Z');
insert into credits (id, user_id, credit_type, amount_micros, remaining_micros, granted_at, expires_at, expired_at, referral_user_id) values
  (1, 2, 'signup', 4990000, 0, '2026-11-02T12:00:00Z', '2026-12-02T12:00:00Z', '2026-12-02T12:00:00Z', null),
  (2, 2, 'referred', 4990000, 4052100, '2026-11-10T00:00:00Z', '2026-12-10T00:00:00Z', null, 3),
  (3, 3, 'referrer', 4990000, 4990000, '2026-11-10T00:00:00Z', '2026-12-10T00:00:00Z', null, 2);

insert into deployments (id, user_id, ref, client_name, client_id, package, server_type, cloud_provider, region, instance_type, support_level,
    instance_hourly_micros, status, desired, destroy_reason, server_exists, vps_ip_address, domain, billable_from, billable_to, version, created_at, updated_at, deleted_at) values
  (1, 2, 'aaaaaaaaaaaaaaaa', 'shop', 'shop_1', 'pangolin', 'new', 'hetzner', 'fsn1', 'cpx22', 1, 35600, 'READY', 'running', null, true, null,
    'shop.sandbox.localhost', '2026-12-01T13:17:05Z', null, 4, '2026-12-01T13:10:00Z', '2026-12-01T13:24:00Z', null),
  (2, 2, 'bbbbbbbbbbbbbbbb', 'blog', 'blog_1', 'test-package', 'vps', null, null, null, 2, 0, 'DESTROYED', 'destroyed', 'deleted', false, '203.0.113.7',
    null, '2026-12-02T19:10:00Z', '2026-12-02T21:30:00Z', 5, '2026-12-02T19:05:00Z', '2026-12-02T21:31:00Z', '2026-12-02T21:31:00Z'),
  (3, 2, 'cccccccccccccccc', 'wiki', 'wiki_1', 'pangolin', 'new', 'hetzner', 'fsn1', 'cpx22', 1, 35600, 'DELETED', 'running', 'failed', false, null,
    'wiki.sandbox.localhost', null, null, 4, '2026-12-02T18:10:00Z', '2026-12-02T18:20:00Z', null);
insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros) values
  (1, '2026-12-01T13:10:00Z', 1, 35600),
  (2, '2026-12-02T19:05:00Z', 1, 5000),
  (2, '2026-12-02T20:15:00Z', 2, 73500),
  (3, '2026-12-02T18:10:00Z', 1, 35600);
insert into meters (deployment_id, user_id, base_hourly_micros, hourly_micros, rate_from, charged_through, reckoned) values
  (1, 2, 35600, 35600, '2026-12-01T13:10:00Z', '2026-12-03', false),
  (2, 2, 5000, 73500, '2026-12-02T20:15:00Z', '2026-12-02', true),
  (3, 2, 35600, 35600, '2026-12-02T18:10:00Z', null, false);
insert into servers (deployment_id, provider, region, instance_type, provider_server_id, state, created_at, gone_at) values
  (1, 'hetzner', 'fsn1', 'cpx22', '1', 'exists', '2026-12-01T13:10:00Z', null),
  (2, 'own', '', '', null, 'gone', '2026-12-02T19:05:00Z', '2026-12-02T21:31:00Z'),
  (3, 'hetzner', 'fsn1', 'cpx22', null, 'gone', '2026-12-02T18:10:00Z', '2026-12-02T18:19:00Z');
insert into sandbox_servers (id, provider, region, instance_type, name, labels, address, user_data, created_at, ready_at) overriding system value values
  (1, 'hetzner', 'fsn1', 'cpx22', 'moorage-aaaaaaaaaaaaaaaa',
    '{"managed-by": "moorage", "installation": "healthy-key", "deployment": "aaaaaaaaaaaaaaaa"}', '198.18.0.1', '', '2026-12-01T13:11:00Z', '2026-12-01T13:12:00Z');

insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, status, payment_intent, created_at, paid_at) values
  ('cs_1', 2, 1000, true, 'http://localhost/pay', 'paid', 'pi_1', '2026-12-02T17:58:00Z', '2026-12-02T18:00:00Z'),
  ('cs_2', 2, 2000, true, 'http://localhost/pay', 'open', null, '2026-12-02T17:59:00Z', null);
insert into payment_withdrawals (payment_intent, kind, withdrawn_micros) values ('pi_1', 'refund', 0);
insert into payment_reversals (id, payment_intent, kind, amount_cents, status, created_at, seen_at) values
  ('re_1', 'pi_1', 'refund', 100, 'succeeded', '2026-12-02T18:30:00Z', '2026-12-02T18:30:00Z');
insert into payment_movements (id, reversal_id, payment_intent, kind, amount_micros, posted_micros, created_at, posted_at) values
  ('txn_1', 're_1', 'pi_1', 'refund', 1000000, 0, '2026-12-02T18:30:00Z', '2026-12-02T18:30:00Z');
insert into idempotency_keys (user_id, key, request_hash, status, answer, created_at) values
  (2, 'key-1', 'hash', 201, '{"id": 1, "client_id": "shop_1", "status": "CREATING"}', '2026-12-01T13:10:00Z');

insert into ledger_transactions (id, user_id, type, amount_micros, description, deployment_id, charged_on, credit_id, due_at, posted_at, corrects_id, cause) overriding system value values
  (1, 2, 'credit_granted', 4990000, '', null, null, 1, '2026-11-02T12:00:00Z', '2026-11-02T12:00:00Z', null, 'credit_request:1'),
  (2, 2, 'credit_granted', 4990000, '', null, null, 2, '2026-11-10T00:00:00Z', '2026-11-10T00:00:00Z', null, null),
  (3, 3, 'credit_granted', 4990000, '', null, null, 3, '2026-11-10T00:00:00Z', '2026-11-10T00:00:00Z', null, null),
  (4, 2, 'charge', -391600, '', 1, '2026-12-01', null, '2026-12-01T13:17:05Z', '2026-12-01T13:17:06Z', null, null),
  (5, 2, 'charge', -854400, '', 1, '2026-12-02', null, '2026-12-02T00:00:00Z', '2026-12-02T00:00:05Z', null, null),
  (6, 2, 'credit_expired', -3744000, '', null, null, 1, '2026-12-02T12:00:00Z', '2026-12-02T12:00:10Z', null, null),
  (7, 2, 'payment', 10000000, '', null, null, null, '2026-12-02T18:00:00Z', '2026-12-02T18:00:00Z', null, 'cs_1'),
  (8, 2, 'charge', -25000, '', 2, '2026-12-02', null, '2026-12-02T19:10:00Z', '2026-12-02T19:10:01Z', null, null),
  (9, 2, 'rerate', -205500, '', 2, '2026-12-02', null, '2026-12-02T20:15:00Z', '2026-12-02T20:15:00Z', 8, null),
  (10, 2, 'refund', 147000, '', 2, '2026-12-02', null, '2026-12-02T21:30:00Z', '2026-12-02T21:30:00Z', 8, null),
  (11, 2, 'charge', -854400, '', 1, '2026-12-03', null, '2026-12-03T00:00:00Z', '2026-12-03T00:00:05Z', null, null);
insert into ledger_lines (transaction_id, line_no, ledger_account, credit_id, amount_micros) values
  (1, 1, 'adjustments', null, -4990000), (1, 2, 'credit', 1, 4990000),
  (2, 1, 'adjustments', null, -4990000), (2, 2, 'credit', 2, 4990000),
  (3, 1, 'adjustments', null, -4990000), (3, 2, 'credit', 3, 4990000),
  (4, 1, 'credit', 1, -391600), (4, 2, 'revenue', null, 391600),
  (5, 1, 'credit', 1, -854400), (5, 2, 'revenue', null, 854400),
  (6, 1, 'credit', 1, -3744000), (6, 2, 'lapsed', null, 3744000),
  (7, 1, 'payments', null, -10000000), (7, 2, 'regular', null, 10000000),
  (8, 1, 'credit', 2, -25000), (8, 2, 'revenue', null, 25000),
  (9, 1, 'credit', 2, -205500), (9, 2, 'revenue', null, 205500),
  (10, 1, 'revenue', null, -147000), (10, 2, 'credit', 2, 147000),
  (11, 1, 'credit', 2, -854400), (11, 2, 'revenue', null, 854400);

insert into billing_document_counters (kind, year, last) values ('receipt', 2026, 1), ('statement', 2026, 1);
insert into billing_documents (id, user_id, kind, number, issued_at, transaction_id, month, amount_micros, facts) overriding system value values
  (1, 2, 'statement', 'S-2026-000001', '2026-12-01T02:00:00Z', null, '2026-11-01', null,
    '{"kind": "statement", "number": "S-2026-000001", "issued_at": "2026-12-01T02:00:00.000Z", "month": "2026-11", "customer": {"account_id": 2},
      "opening": {"regular_micros": "0", "credit_micros": "0", "owed_micros": "0"},
      "rows": [
        {"day": "2026-11-02", "type": "credit_granted", "count": 1, "regular_micros": "0", "credit_micros": "4990000", "owed_micros": "0"},
        {"day": "2026-11-10", "type": "credit_granted", "count": 1, "regular_micros": "0", "credit_micros": "4990000", "owed_micros": "0"}],
      "closing": {"regular_micros": "0", "credit_micros": "9980000", "owed_micros": "0"}}'),
  (2, 2, 'receipt', 'R-2026-000001', '2026-12-02T18:00:05Z', 7, null, 10000000,
    '{"kind": "receipt", "number": "R-2026-000001", "issued_at": "2026-12-02T18:00:05.000Z", "customer": {"account_id": 2},
      "movement": "payment", "moved_at": "2026-12-02T18:00:00.000Z", "reference": "cs_1", "receipt": null, "amount_micros": "10000000"}');
insert into credit_requests (id, email, email_normalised, reason, language, created_at, state, decided_at, code_hash, code_expires_at, credit_id, credited_at)
  overriding system value values
  (1, 'ada@example.com', 'ada@example.com', 'to try it', 'en', '2026-11-01T12:00:00Z', 'approved', '2026-11-01T13:00:00Z', 'hash', '2026-12-01T13:00:00Z', 1, '2026-11-02T12:00:00Z');

insert into outbox (event_id, stream, event_name, version, aggregate_id, sequence, shard, correlation_id, occurred_at, sent_at, data)
select ('00000000-0000-4000-8000-0000000' || lpad(id::text, 2, '0') || lpad(sequence::text, 3, '0'))::uuid,
  'deployment', 'deployment.status_changed', 1, id::text, sequence, 0, 'c', at::timestamptz, at::timestamptz,
  jsonb_build_object('deployment_id', id, 'user_id', 2, 'from', from_status, 'to', to_status, 'version', sequence)
from (values
  (1, 1, null, 'CREATING', '2026-12-01T13:10:00Z'), (1, 2, 'CREATING', 'PROVISIONING', '2026-12-01T13:11:00Z'),
  (1, 3, 'PROVISIONING', 'DNS_VALIDATION', '2026-12-01T13:17:05Z'), (1, 4, 'DNS_VALIDATION', 'READY', '2026-12-01T13:24:00Z'),
  (2, 1, null, 'CREATING', '2026-12-02T19:05:00Z'), (2, 2, 'CREATING', 'PROVISIONING', '2026-12-02T19:06:00Z'),
  (2, 3, 'PROVISIONING', 'ACTIVE', '2026-12-02T19:10:00Z'), (2, 4, 'ACTIVE', 'DESTROYING', '2026-12-02T21:30:00Z'),
  (2, 5, 'DESTROYING', 'DESTROYED', '2026-12-02T21:31:00Z'),
  (3, 1, null, 'CREATING', '2026-12-02T18:10:00Z'), (3, 2, 'CREATING', 'PROVISIONING', '2026-12-02T18:11:00Z'),
  (3, 3, 'PROVISIONING', 'FAILED', '2026-12-02T18:19:00Z'), (3, 4, 'FAILED', 'DELETED', '2026-12-02T18:20:00Z')
) as moves (id, sequence, from_status, to_status, at);
insert into event_sequences (stream, aggregate_id, last_sequence)
select stream, aggregate_id, max(sequence) from outbox group by stream, aggregate_id;
insert into inbox (consumer, event_id, stream, event_name, aggregate_id, sequence, envelope, arrived_at, handled_at, due_at)
select consumer, event_id, stream, event_name, aggregate_id, sequence, jsonb_build_object('event_id', event_id, 'data', data), sent_at, sent_at, sent_at
from outbox cross join (values ('api'), ('provisioner'), ('billing')) as consumers (consumer);
insert into inbox_positions (consumer, stream, aggregate_id, last_sequence)
select consumer, stream, aggregate_id, max(sequence) from inbox group by consumer, stream, aggregate_id;
select setval(pg_get_serial_sequence(t, 'id'), 1000) from unnest(array['users', 'credits', 'deployments', 'ledger_transactions', 'sandbox_servers']) as t;
