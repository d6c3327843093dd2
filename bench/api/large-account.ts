import { seedAccounts } from '@moorage/testing';
import type pg from 'pg';
import { hashedPassword } from './accounts';

/** The large account of a customer. */
export const LARGE = { id: 1, deployments: 10_000, transactions: 100_000 };
export const ADMINISTRATOR = 2;

/**
 * Inserts accounts with `size` deployments, and a customer and an administrator among them who can log in. The customer
 * has many more deployments and transactions.
 */
export async function seedLargeAccount(client: pg.Client, size: number): Promise<void> {
  await seedAccounts(client, size);
  const password = await hashedPassword();
  await client.query('update wallets set regular_micros = 600000000000 where user_id = $1', [LARGE.id]);
  const ids = `select ${size} + i from generate_series(1, ${LARGE.deployments}) i`;
  await client.query('update users set password_hash = $1 where id in ($2, $3)', [password, LARGE.id, ADMINISTRATOR]);
  await client.query('update users set is_admin = true where id = $1', [ADMINISTRATOR]);
  await client.query(
    `insert into deployments (id, user_id, ref, client_name, client_id, package, server_type, cloud_provider, region,
       instance_type, support_level, domain, instance_hourly_micros, status, billable_from, created_at, updated_at)
     select id, $1, lpad(id::text, 16, '0'), 'own-' || id, 'own-' || id, 'pangolin', 'new', 'hetzner', 'fsn1', 'cpx22', 1,
       'own-' || id || '.example.com', 35600, 'READY',
       now() - interval '20 days', now() - interval '20 days', now() from (${ids}) ids (id)`,
    [LARGE.id],
  );
  await client.query(
    `insert into meters (deployment_id, user_id, base_hourly_micros, hourly_micros, rate_from, charged_through)
     select id, $1, 35600, 35600, current_date - 20, current_date from (${ids}) ids (id)`,
    [LARGE.id],
  );
  await client.query(
    `insert into deployment_rates (deployment_id, support_level, hourly_micros, effective_from)
     select id, 1, 35600, now() - interval '20 days' from (${ids}) ids (id)`,
  );
  await client.query(
    `insert into ledger_transactions (user_id, type, amount_micros, description, deployment_id, charged_on, due_at, posted_at)
     select $1, 'charge', -854400, 'seed', id, day, day, day from (${ids}) ids (id),
       generate_series(current_date - $2::int + 1, current_date, interval '1 day') day`,
    [LARGE.id, LARGE.transactions / LARGE.deployments],
  );
  await client.query('vacuum analyze');
}
