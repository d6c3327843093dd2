import { expect } from '@jest/globals';
import { person, until } from '../journeys/person';
import type { Product } from '../journeys/product';

export type Customer = ReturnType<typeof person>;

export const CANARY = 'canary of the box';

/** Verified customers with 1000.00 each. One signs up as everybody does; the others are made like that one. */
export async function customers(product: Product, count: number): Promise<Customer[]> {
  const first = person(product, 'c0@example.com', CANARY);
  expect((await first.call('POST', '/users', { username: 'c0', email: first.email, password: CANARY })).status).toBe(
    201,
  );
  await product.sql(`update users set is_verified = true where username = 'c0'`);
  await product.sql(
    `insert into users (username, email, email_normalised, password_hash, is_verified, referral_code, created_at)
     select 'c' || n, 'c' || n || '@example.com', 'c' || n || '@example.com', password_hash, true, 'box-' || n, created_at
     from users cross join generate_series(1, $1::int - 1) n where username = 'c0'`,
    [count],
  );
  await product.sql(
    `insert into wallets (user_id, created_at) select id, created_at from users u
     where username like 'c%' and not exists (select 1 from wallets w where w.user_id = u.id)`,
  );
  const all = Array.from({ length: count }, (_, n) => person(product, `c${n}@example.com`, CANARY));
  for (const customer of all) {
    await customer.login();
    const begun = await customer.call<{ session_id: string }>('POST', '/stripe/create-checkout-session', {
      amount_cents: 100_000,
    });
    const paid = await customer.call('POST', `/stripe/test-checkout/${begun.body.session_id}`, { outcome: 'pay' });
    expect([begun.status, paid.status]).toEqual([201, 200]);
  }
  return all;
}

/** Orders Pangolin at the sandbox; the deployment's id. */
export async function orderPangolin(customer: Customer, name: string): Promise<number> {
  const answer = await customer.call<{ id: number }>(
    'POST',
    '/deployments',
    {
      package: 'pangolin',
      server_type: 'new',
      cloud_provider: 'hetzner',
      region: 'fsn1',
      instance_type: 'cpx22',
      domain: `${name}.sandbox.localhost`,
      admin_email: 'admin@example.com',
    },
    { 'idempotency-key': `box-${name}` },
  );
  if (answer.status !== 201) throw new Error(`order: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}

/** Waits until every deployment has this status; tells what the others are. */
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

/** How many servers each deployment ever had, gone ones included: deployments with another number than one. */
export function notExactlyOneServer(product: Product): Promise<object[]> {
  return product.sql(
    `select d.id, d.ref, count(s.id)::int as servers from deployments d
     left join sandbox_servers s on s.labels ->> 'deployment' = d.ref
     group by d.id having count(s.id) <> 1`,
  );
}
