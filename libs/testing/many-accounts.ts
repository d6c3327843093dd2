import type pg from 'pg';

/** Last day that every account has paid, before the first day that an example charges. */
export const PAID_UP_TO = '2026-11-30';

/**
 * Inserts realistic accounts with one to three deployments each, of which a third are on own servers, with all levels,
 * and with credits for every fifth account (some of them referral credits, locked and unlocked). Every balance has its
 * ledger rows, and every account can pay.
 */
export async function seedAccounts(client: pg.Client, deployments: number): Promise<void> {
  const users = Math.ceil(deployments / 2);
  for (const sql of STATEMENTS)
    await client.query(sql.replaceAll(':users', String(users)).replaceAll(':deployments', String(deployments)));
  await client.query('vacuum analyze');
}

const STATEMENTS = [
  `insert into users (id, username, email, email_normalised, password_hash, is_verified, referral_code, created_at)
   select i, 'user' || i, 'user' || i || '@example.org', 'user' || i || '@example.org', 'none', true, 'code' || i, '2026-10-01'
   from generate_series(1, :users) i`,
  // Balances from 3.00 to 400.00, some below the unlock threshold of 5.00.
  `insert into wallets (user_id, regular_micros, first_paid_at, created_at)
   select i, 60000000 + (i::bigint * 7919 % 340000000), '2026-10-02', '2026-10-01' from generate_series(1, :users) i`,
  `update wallets set regular_micros = 4000000 where user_id % 50 = 0`,
  // Every second user has two deployments, the others one or three.
  `insert into deployments (id, user_id, ref, client_name, client_id, package, server_type, support_level,
     instance_hourly_micros, status, vps_ip_address, billable_from, created_at, updated_at)
   select i, 1 + (i * 31 % :users), lpad(i::text, 16, '0'), 'client-' || i, 'client-' || i, 'pangolin',
     case when i % 3 = 0 then 'vps' else 'new' end, case when i % 10 < 6 then 1 when i % 10 < 9 then 2 else 3 end,
     case when i % 3 = 0 then 0 else 35600 + i % 7 * 1000 end, 'READY',
     case when i % 3 = 0 then ('100.64.0.0'::inet + i) end, '2026-11-20 10:00Z', '2026-11-20 09:00Z', '2026-11-20 10:00Z'
   from generate_series(1, :deployments) i`,
  `insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros)
   select id, created_at, support_level,
     case when server_type = 'vps' then 5000 else instance_hourly_micros end
       + case support_level when 1 then 0 when 2 then 68500 else 274000 end
   from deployments`,
  `insert into meters (deployment_id, user_id, base_hourly_micros, hourly_micros, rate_from, charged_through)
   select d.id, d.user_id, case when server_type = 'vps' then 5000 else instance_hourly_micros end, r.hourly_micros,
     r.effective_from, '2026-11-30'
   from deployments d join deployment_rates r on r.deployment_id = d.id`,
  // Every fifth user has a signup credit, every tenth also a referral credit.
  `insert into credits (user_id, credit_type, amount_micros, remaining_micros, granted_at, expires_at)
   select i, 'signup', 4990000, 4990000, '2026-11-20', '2026-12-20' from generate_series(5, :users, 5) i`,
  `insert into credits (user_id, credit_type, amount_micros, remaining_micros, granted_at, expires_at, referral_user_id)
   select i, 'referrer', 4990000, 4990000, '2026-11-15', '2026-12-15', i - 1 from generate_series(10, :users, 10) i`,
  // Accounts with 4.00 have large signup credits, so that no account runs out in these two daily runs.
  `update credits set amount_micros = 60000000, remaining_micros = 60000000 where user_id % 50 = 0 and credit_type = 'signup'`,
  `insert into ledger_transactions (user_id, type, amount_micros, description, due_at, posted_at)
   select user_id, 'adjustment', regular_micros, 'seed', '2026-11-20', '2026-11-20' from wallets`,
  `insert into ledger_transactions (user_id, type, amount_micros, description, credit_id, due_at, posted_at)
   select user_id, 'credit_granted', amount_micros, 'seed', id, granted_at, granted_at from credits`,
  `insert into ledger_lines (transaction_id, line_no, ledger_account, credit_id, amount_micros)
   select id, 1, 'adjustments', null, -amount_micros from ledger_transactions
   union all
   select id, 2, case when credit_id is null then 'regular' else 'credit' end, credit_id, amount_micros from ledger_transactions`,
  `insert into billing_runs (day, started_at, finished_at) values ('2026-11-30', '2026-11-30', '2026-11-30')`,
];
