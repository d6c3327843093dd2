/**
 * Errors planted in the ledger, one for each invariant, to prove that its query detects them. They are SQL on a healthy
 * database with its safeguards off. Errors in code are planted in the simulation (tests/simulation/bugs.ts).
 */
export interface PlantedRow {
  /** Invariant that must detect it. Others may detect it too. */
  readonly caught_by: string;
  readonly does: string;
  readonly sql: string;
}

const plant = (caught_by: string, does: string, sql: string): PlantedRow => ({ caught_by, does, sql });

const LATEST_CHARGE = `(select max(id) from ledger_transactions where type = 'charge')`;
const CLONE_CHARGE = `
  insert into ledger_transactions (user_id, type, amount_micros, description, deployment_id, charged_on, due_at, posted_at)
    select user_id, type, amount_micros, description, deployment_id, charged_on, due_at, posted_at from ledger_transactions where id = 4;
  insert into ledger_lines select (select max(id) from ledger_transactions), line_no, ledger_account, credit_id, amount_micros from ledger_lines where transaction_id = 4;`;

export const PLANTED_ROWS: readonly PlantedRow[] = [
  plant(
    'I1',
    'loses a micro-unit on the way to revenue',
    `update ledger_lines set amount_micros = amount_micros - 1 where transaction_id = 4 and ledger_account = 'revenue'`,
  ),
  plant('I1', 'writes a charge without lines', 'delete from ledger_lines where transaction_id = 4'),
  plant(
    'I1b',
    'debits the wallet and writes no posting',
    'update wallets set regular_micros = regular_micros - 752 where user_id = 2',
  ),
  plant('I1b', 'forgets a debt', 'update wallets set owed_micros = -1 where user_id = 2'),
  plant('I1c', 'uses a credit twice', 'update credits set remaining_micros = remaining_micros - 854400 where id = 2'),
  plant('I1c', 'grants more than it posts', 'update credits set amount_micros = amount_micros + 1 where id = 3'),
  plant(
    'I1c',
    'pays with the credit of somebody else',
    'update ledger_lines set credit_id = 3 where transaction_id = 11 and credit_id = 2',
  ),
  plant('I1d', 'writes lines of no transaction', `insert into ledger_lines values (999, 1, 'revenue', null, 0)`),
  plant('I1d', 'writes for an account without a wallet', 'update ledger_transactions set user_id = 999 where id = 4'),
  plant('I2', 'charges a day twice', `drop index ledger_one_charge; ${CLONE_CHARGE}`),
  plant(
    'I2b',
    'shows another amount than it moved',
    'update ledger_transactions set amount_micros = amount_micros - 376 where id = 11',
  ),
  plant(
    'I2c',
    'moves money for every candidate, posts for half of them',
    'update wallets set regular_micros = regular_micros - 376 where user_id = 2',
  ),
  plant(
    'I3',
    'leaves out a day',
    'delete from ledger_lines where transaction_id = 5; delete from ledger_transactions where id = 5',
  ),
  plant(
    'I3',
    'never charges a deployment that became billable',
    `delete from ledger_lines where transaction_id in (4, 5, 11); delete from ledger_transactions where id in (4, 5, 11)`,
  ),
  plant(
    'I3b',
    'charges tomorrow today',
    `update ledger_transactions set due_at = due_at + interval '1 day', charged_on = charged_on + 1 where id = 11`,
  ),
  plant(
    'I3b',
    'dates the first charge from midnight',
    `update ledger_transactions set due_at = '2026-12-01T00:00:00Z' where id = 4`,
  ),
  plant('I3b', 'charges somebody else for it', 'update ledger_transactions set user_id = 3 where id = 11'),
  plant(
    'I3c',
    'says that a day is paid which is not',
    'update meters set charged_through = charged_through + 1 where deployment_id = 1',
  ),
  plant(
    'I3c',
    'charges a day that is held',
    `update meters set grace_period_day = charged_through, grace_period_started_at = '2026-12-03T00:00:05Z', grace_period_ends_at = '2026-12-03T01:00:05Z' where deployment_id = 1`,
  ),
  plant(
    'I3c',
    'goes on charging the price before the level change',
    'update meters set hourly_micros = 5000 where deployment_id = 2',
  ),
  plant(
    'I3d',
    'never ends a grace period',
    `update meters set grace_period_day = '2026-12-04', grace_period_started_at = '2026-12-03T00:00:05Z', grace_period_ends_at = '2026-12-03T01:00:05Z' where deployment_id = 1`,
  ),
  plant(
    'I3e',
    'lets a grace period go on for longer than it announced',
    `update meters set grace_period_day = '2026-12-04', grace_period_started_at = '2026-12-04T00:00:05Z', grace_period_ends_at = '2026-12-04T02:00:05Z' where deployment_id = 1`,
  ),
  plant(
    'I4',
    'lets the balance go below zero',
    'alter table wallets drop constraint wallets_regular_micros_check; update wallets set regular_micros = -1 where user_id = 3',
  ),
  plant(
    'I4',
    'gives back more to a credit than it ever held',
    'alter table credits drop constraint credits_check; update credits set remaining_micros = amount_micros + 1 where id = 3',
  ),
  plant(
    'I4b',
    'spends money before it came',
    `insert into ledger_transactions (user_id, type, amount_micros, description, credit_id, due_at, posted_at)
       select user_id, type, amount_micros, description, credit_id, due_at, posted_at from ledger_transactions where id = 2;
     update ledger_lines set transaction_id = (select max(id) from ledger_transactions) where transaction_id = 2`,
  ),
  plant(
    'I5',
    'pays with a credit that has ended',
    `update credits set expires_at = '2026-12-02T00:00:00Z', expired_at = '2026-12-02T00:00:00Z' where id = 1`,
  ),
  plant(
    'I5',
    'posts an expiry and leaves the remainder',
    `update credits set expired_at = '2026-12-03T00:00:00Z', expires_at = '2026-12-03T00:00:00.001Z' where id = 2`,
  ),
  plant(
    'I5b',
    'pays with a locked credit',
    `update credits set credit_type = 'referrer', referral_user_id = 9 where id = 1`,
  ),
  plant(
    'I5c',
    'pays from the regular balance while a credit is usable',
    `update ledger_lines set ledger_account = 'regular', credit_id = null where transaction_id = ${LATEST_CHARGE} and ledger_account = 'credit'`,
  ),
  plant(
    'I5c',
    'pays with the credit that ends last',
    `insert into credits (id, user_id, credit_type, amount_micros, remaining_micros, granted_at, expires_at)
       values (50, 2, 'signup', 100, 100, '2026-11-05T00:00:00Z', '2026-12-05T00:00:00Z');
     update ledger_lines set credit_id = 50 where transaction_id = 1 and ledger_account = 'credit'`,
  ),
  plant(
    'I6',
    'makes a second server after an unknown answer',
    `insert into sandbox_servers (provider, region, instance_type, name, labels, address, user_data, created_at, ready_at)
       select provider, region, instance_type, name, labels, address + 1, user_data, created_at, ready_at from sandbox_servers where id = 1`,
  ),
  plant(
    'I6',
    'says DESTROYED before the provider does',
    `update deployments set status = 'DESTROYED', billable_to = updated_at where id = 1`,
  ),
  plant('I6b', 'does not notice that a server is gone', `update sandbox_servers set state = 'gone' where id = 1`),
  plant('I6b', 'notes down the wrong server', `update servers set provider_server_id = '77' where deployment_id = 1`),
  plant('I6c', 'leaves a row that still wants a server', `update servers set state = 'wanted' where deployment_id = 3`),
  plant('I6d', 'forgets the server of one that runs', `update servers set state = 'gone' where deployment_id = 1`),
  plant(
    'I7',
    'forgets the server of a failed deployment',
    `update deployments set status = 'FAILED', server_exists = false, billable_to = updated_at where id = 1`,
  ),
  plant(
    'I7',
    'labels a server with a name nobody has',
    `update sandbox_servers set labels = jsonb_set(labels, '{deployment}', '"zzzzzzzzzzzzzzzz"') where id = 1`,
  ),
  plant('I8', 'changes a status past the one door', `update deployments set status = 'ACTIVE' where id = 1`),
  plant(
    'I8',
    'takes an edge that is not there',
    `update outbox set data = data || '{"to": "READY"}' where aggregate_id = '1' and sequence = 2;
     update outbox set data = data || '{"from": "READY"}' where aggregate_id = '1' and sequence = 3`,
  ),
  plant(
    'I8',
    'moves twice from the same version',
    `update outbox set data = data || '{"version": 2}' where aggregate_id = '1' and sequence = 3`,
  ),
  plant(
    'I9',
    'brings a destroyed deployment back',
    `update deployments set status = 'ACTIVE', deleted_at = null where id = 2`,
  ),
  plant('I9', 'forgets that its owner gave it up', 'update deployments set deleted_at = null where id = 2'),
  plant('I10', 'never sends an event', `update outbox set sent_at = null where aggregate_id = '3' and sequence = 4`),
  plant(
    'I10d',
    'loses an event on the way',
    `delete from inbox where consumer = 'billing' and aggregate_id = '1' and sequence = 4;
     update inbox_positions set last_sequence = 3 where consumer = 'billing' and aggregate_id = '1'`,
  ),
  plant(
    'I10b',
    'leaves a delivery unhandled',
    `update inbox set handled_at = null where consumer = 'api' and aggregate_id = '1' and sequence = 4;
     update inbox_positions set last_sequence = 3 where consumer = 'api' and aggregate_id = '1'`,
  ),
  plant(
    'I10c',
    'leaves an event parked',
    `update inbox set handled_at = null, parked_at = arrived_at where consumer = 'api' and aggregate_id = '1' and sequence = 4;
     update inbox_positions set last_sequence = 3 where consumer = 'api' and aggregate_id = '1'`,
  ),
  plant(
    'I11',
    'handles an event before the one ahead of it',
    `update inbox set handled_at = handled_at + interval '1 day' where consumer = 'billing' and aggregate_id = '1' and sequence = 2`,
  ),
  plant(
    'I11',
    'skips an event',
    `delete from inbox where consumer = 'billing' and aggregate_id = '1' and sequence = 2`,
  ),
  plant(
    'I11',
    'handles an event and does not move on: it will be handled again',
    `update inbox_positions set last_sequence = 3 where consumer = 'provisioner' and aggregate_id = '1'`,
  ),
  plant('I11b', 'leaves a gap in the numbers', `delete from outbox where aggregate_id = '1' and sequence = 2`),
  plant(
    'I12',
    'posts a payment twice',
    `drop index ledger_one_cause;
     insert into ledger_transactions (user_id, type, amount_micros, description, due_at, posted_at, cause)
       select user_id, type, amount_micros, description, due_at, posted_at, cause from ledger_transactions where id = 7`,
  ),
  plant('I12', 'takes the money and posts nothing', `update checkout_sessions set status = 'paid' where id = 'cs_2'`),
  plant('I12', 'pays in for somebody else', `update checkout_sessions set user_id = 3 where id = 'cs_1'`),
  plant(
    'I12b',
    'notes a withdrawal that it never posts',
    `update payment_withdrawals set withdrawn_micros = 1000000 where payment_intent = 'pi_1'`,
  ),
  plant(
    'I12b',
    'notes a movement of the payment provider that it never posts',
    `update payment_movements set posted_micros = 1000000 where id = 'txn_1'`,
  ),
  plant('I12c', 'calls a refund a dispute', `update payment_movements set kind = 'dispute' where id = 'txn_1'`),
  plant(
    'I13',
    'makes two deployments of one draft',
    `insert into deployments (user_id, ref, client_name, client_id, package, server_type, support_level, instance_hourly_micros, status, server_exists, created_at, updated_at, cloud_provider)
       select user_id, 'dddddddddddddddd', client_name, client_id, package, server_type, support_level, instance_hourly_micros, 'CREATING', false, created_at, updated_at, cloud_provider
       from deployments where id = 1`,
  ),
  plant(
    'I13',
    'keeps an answer about a deployment of somebody else',
    `update idempotency_keys set user_id = 3 where key = 'key-1'`,
  ),
  plant(
    'I14',
    'forgets a deployment on the way',
    `alter table deployments drop constraint deployments_open_interval; update deployments set status = 'PROVISIONING' where id = 1`,
  ),
  plant(
    'I14',
    'forgets one that was marked for destruction',
    `update deployments set desired = 'destroyed', billable_to = updated_at where id = 1`,
  ),
  plant('I15', 'lets the api rewrite a posting', 'grant update on ledger_lines to moorage_api'),
  plant(
    'I15',
    'takes the guard off',
    'alter table ledger_transactions disable trigger ledger_transactions_append_only',
  ),
  plant('I16', 'keeps an amount as a fraction', 'alter table credits alter column amount_micros type numeric'),
  plant(
    'I17',
    'writes a password into an event',
    `update outbox set data = data || '{"note": "canary-password"}' where aggregate_id = '1' and sequence = 1`,
  ),
  plant(
    'I18',
    'forgets the refund',
    'delete from ledger_lines where transaction_id = 10; delete from ledger_transactions where id = 10',
  ),
  plant('I18', 'charges an hour too many', `update deployments set billable_to = '2026-12-02T20:59:59Z' where id = 2`),
  plant(
    'I18',
    'forgets to re-rate',
    `delete from ledger_lines where transaction_id = 9; delete from ledger_transactions where id = 9`,
  ),
  plant(
    'I18b',
    'destroys and goes on charging',
    `alter table deployments drop constraint deployments_open_interval; update deployments set billable_to = null where id = 2`,
  ),
  plant('I18b', 'runs without a beginning of the charges', 'update deployments set billable_from = null where id = 1'),
  plant(
    'I18c',
    'corrects the charge of another deployment',
    'update ledger_transactions set corrects_id = 4 where id = 10',
  ),
  plant(
    'I18c',
    'gives back to a ledger account that never paid',
    `update ledger_lines set ledger_account = 'regular', credit_id = null where transaction_id = 10 and ledger_account = 'credit'`,
  ),
  plant(
    'I19',
    'pays the inviter twice',
    `drop index credits_referrer_once;
     insert into credits (user_id, credit_type, amount_micros, remaining_micros, granted_at, expires_at, referral_user_id)
       select user_id, credit_type, amount_micros, remaining_micros, granted_at, expires_at, referral_user_id from credits where id = 3`,
  ),
  plant('I19', 'lets somebody invite himself', 'update users set referred_by_user_id = 2 where id = 2'),
  plant('I19', 'pays a stranger for an invitation', 'update credits set user_id = 1 where id = 3'),
  plant('I21', 'issues no receipt', 'delete from billing_documents where id = 2'),
  plant('I21', 'loses a statement', 'delete from billing_documents where id = 1'),
  plant(
    'I21b',
    'makes a receipt out to another name',
    `update billing_documents set facts = facts || '{"customer": {"account_id": 2, "name": "Eve"}}' where id = 2`,
  ),
  plant('I21b', 'writes another amount on a receipt', 'update billing_documents set amount_micros = 1 where id = 2'),
  plant('I21c', 'gives a receipt to another account', 'update billing_documents set user_id = 3 where id = 2'),
  plant('I21d', 'skips a number', `update billing_documents set number = 'R-2026-000002' where id = 2`),
  plant(
    'I21e',
    'leaves what was there before out of a statement',
    `update billing_documents set facts = jsonb_set(facts, '{closing,credit_micros}', '"4990000"'),
       facts_hash = sha256(convert_to(jsonb_set(facts, '{closing,credit_micros}', '"4990000"')::text, 'UTF8')) where id = 1`,
  ),
  plant(
    'I22',
    'makes a code usable again',
    'update credit_requests set credit_id = null, credited_at = null where id = 1',
  ),
  plant(
    'I22',
    'makes a code usable for longer',
    `update credit_requests set code_expires_at = code_expires_at + interval '1 day' where id = 1`,
  ),
  plant('I20', 'demotes the last administrator', 'update users set is_admin = false where id = 1'),
];
