import { expect } from '@jest/globals';
import { person, until } from '../journeys/customer';
import type { Product } from '../journeys/product';

export type Customer = ReturnType<typeof person> & { readonly id: number };

/** Password of every customer, and a text that must not be found in any log or row. */
export const CANARY = 'canary of the crash tests';

/**
 * Creates verified customers who have paid these amounts. The first signs up normally. The others are copied from it,
 * with ids that are `idsApart` apart.
 */
export async function customers(product: Product, cents: readonly number[], idsApart = 1): Promise<Customer[]> {
  const first = person(product, 'c0@example.com', CANARY);
  const signedUp = await first.call('POST', '/users', { username: 'c0', email: first.email, password: CANARY });
  expect(signedUp.status).toBe(201);
  await product.sql(`update users set is_verified = true where username = 'c0'`);
  await product.sql(
    `insert into users (id, username, email, email_normalised, password_hash, is_verified, referral_code, created_at)
     overriding system value
     select id + n * $2::int, 'c' || n, 'c' || n || '@example.com', 'c' || n || '@example.com', password_hash, true, 'crash-' || n, created_at
     from users cross join generate_series(1, $1::int - 1) n where username = 'c0'`,
    [cents.length, idsApart],
  );
  await product.sql(
    `insert into wallets (user_id, created_at) select id, created_at from users u
     where username like 'c%' and not exists (select 1 from wallets w where w.user_id = u.id)`,
  );
  const all: Customer[] = [];
  for (const [n, amount_cents] of cents.entries()) {
    const customer = person(product, `c${n}@example.com`, CANARY);
    await customer.login();
    const begun = await customer.call<{ session_id: string }>('POST', '/stripe/create-checkout-session', {
      amount_cents,
    });
    const paid = await customer.call('POST', `/stripe/test-checkout/${begun.body.session_id}`, { outcome: 'pay' });
    expect([begun.status, paid.status]).toEqual([201, 200]);
    const [row] = await product.sql<{ id: number }>('select id from users where username = $1', [`c${n}`]);
    all.push({ ...customer, id: row?.id ?? 0 });
  }
  return all;
}

/** Returns an order of Pangolin in the sandbox, with the changes in `more`. */
export function draft(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    package: 'pangolin',
    server_type: 'new',
    cloud_provider: 'hetzner',
    region: 'fsn1',
    instance_type: 'cpx22',
    domain: `${name}.sandbox.localhost`,
    admin_email: 'admin@example.com',
    ...more,
  };
}

/** Places an order under a separate key and returns the deployment's id. */
export async function order(customer: Customer, name: string, more: Record<string, unknown> = {}): Promise<number> {
  const key = { 'idempotency-key': `crash-${name}` };
  const answer = await customer.call<{ id: number }>('POST', '/deployments', draft(name, more), key);
  if (answer.status !== 201) throw new Error(`order: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}

/** Waits until every deployment has this status. Reports the others on failure. */
export function untilAll(product: Product, status: string, timeoutMs: number): Promise<object[]> {
  return until(
    `all ${status}`,
    () =>
      product.sql(
        `select d.id, d.status, d.failure_reason, r.plan, r.steps[r.position + 1] as step, w.due_at, w.leased_until, w.last_error
         from deployments d
         left join runs r on r.deployment_id = d.id and r.state = 'running'
         left join work w on w.kind = 'run' and w.key = r.id::text
         where d.status <> $1 order by d.id limit 5`,
        [status],
      ),
    (rows) => rows.length === 0,
    timeoutMs,
  );
}

export function untilNone(product: Product, status: string): Promise<object[]> {
  return until(
    `none ${status}`,
    () => product.sql('select id from deployments where status = $1', [status]),
    (rows) => rows.length === 0,
  );
}

export async function statusOf(product: Product, id: number): Promise<string | undefined> {
  return (await product.sql<{ status: string }>('select status from deployments where id = $1', [id]))[0]?.status;
}

/** Counts the servers that a deployment ever had at the cloud, and how many of them still exist. */
export async function serversOf(product: Product, id: number): Promise<{ seen: number; living: number }> {
  const [row] = await product.sql<{ seen: number; living: number }>(
    `select count(*)::int as seen, count(*) filter (where s.state <> 'gone')::int as living
     from sandbox_servers s join deployments d on d.ref = s.labels ->> 'deployment' where d.id = $1`,
    [id],
  );
  return row ?? { seen: 0, living: 0 };
}
