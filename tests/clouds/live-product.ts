import { expect } from '@jest/globals';
import { type FakeStripe, fakeStripe, signAsStripe, STRIPE_SECRET } from '../services/api';
import type { LiveName } from '@moorage/domain';
import { EVERY_FAKE, type FakeCloud, type FakeServer } from '../services/provisioner/clouds';
import { noonOffset } from '../journeys/first-deployment';
import { createPayingCustomer } from '../journeys/paying-customer';
import { type Person, until } from '../journeys/customer';
import { type Entry, type Product, startProduct } from '../journeys/product';

const STRIPE_KEY = 'sk_live_canary_of_a_journey';
const BOOT_MS = 1_000;

/** The built product with these providers live, each with its fake. All other providers are simulated. */
export interface LiveProduct {
  readonly product: Product;
  readonly stripe: FakeStripe;
  readonly fakes: ReadonlyMap<LiveName, FakeCloud>;
  /** Callbacks while a provider delays the response to a create or removal that it has carried out. */
  readonly holds: Map<`${'made' | 'gone'} ${LiveName}`, () => Promise<void>>;
  /** Secrets that must not appear in any log or row. */
  readonly secrets: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts the product. At least one provider has to stay simulated, because the product then maps addresses of the
 * sandbox to simulated hosts, which are the hosts behind the servers of the fakes.
 */
export async function startLiveProduct(
  entries: readonly Entry[],
  live: readonly LiveName[],
  more: Readonly<Record<string, string>> = {},
): Promise<LiveProduct> {
  const offset = noonOffset();
  const now = (): number => Date.now() + Number(offset);
  const stripe = await fakeStripe();
  stripe.now = now;
  const fakes = new Map<LiveName, FakeCloud>();
  const holds: LiveProduct['holds'] = new Map();
  const secrets = [STRIPE_KEY, STRIPE_SECRET];
  const settings: Record<string, string> = {
    CLOUD_MODE: 'sandbox',
    CLOUD_MARGIN_PERCENT: '10',
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
    STRIPE_API_BASE: stripe.url,
    LAB_CLOCK_OFFSET_MS: offset,
  };
  let product: Product | null = null;
  const sql = async (text: string, params: readonly unknown[]): Promise<void> =>
    void (await product?.sql(text, params));
  for (const [index, name] of live.entries()) {
    const {
      fake,
      secret,
      settings: own,
    } = await EVERY_FAKE[name].run({
      now,
      bootMs: BOOT_MS,
      page: 50,
      net: index,
      created: async (server) => {
        await sql(...bootedHost(name, server));
        await holds.get(`made ${name}`)?.();
      },
      gone: async ({ address, createdAt }) => {
        await sql(`update sandbox_servers set state = 'gone', gone_at = $2 where address = $1::inet`, [
          address,
          new Date(createdAt),
        ]);
        await holds.get(`gone ${name}`)?.();
      },
      readdressed: ({ address }, from) =>
        void sql('update sandbox_servers set address = $2::inet where address = $1::inet', [from, address]),
    });
    fakes.set(name, fake);
    secrets.push(secret);
    Object.assign(settings, own, { [`CLOUD_${name.toUpperCase()}`]: 'live' });
  }
  const started = await startProduct(entries, { ...settings, ...more });
  product = started;
  return {
    product: started,
    stripe,
    fakes,
    holds,
    secrets,
    async stop() {
      await started.stop();
      for (const fake of fakes.values()) await fake.http.close();
      await stripe.close();
    },
  };
}

/** Returns the simulated host behind a server of a fake, in the form in which the sandbox stores its own. */
function bootedHost(provider: LiveName, server: FakeServer): [string, unknown[]] {
  const at = new Date(server.createdAt);
  return [
    `insert into sandbox_servers (provider, region, instance_type, name, labels, address, user_data, created_at, ready_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      provider,
      server.region,
      server.type,
      server.name,
      // If a provider only has flat tags, the name contains it too.
      JSON.stringify({ deployment: server.name.replace(/^moorage-/, '') }),
      server.address,
      server.userData,
      at,
      new Date(server.createdAt + BOOT_MS),
    ],
  ];
}

/** Waits until orders are accepted there, with credentials accepted, the project confirmed and prices known. */
export async function untilOffered({ product, fakes }: LiveProduct): Promise<void> {
  const names = [...fakes.keys()];
  await until(
    'the project of every live provider',
    () =>
      product.sql(
        `update provider_breakers set confirmed_project_id = project_id, confirmed_at = now()
         where project_id is not null and provider = any($1) returning provider`,
        [names],
      ),
    (rows) => rows.length === names.length,
  );
  await until(
    'an offer of every live provider',
    () =>
      product.sql(
        `select b.provider from provider_breakers b join catalogues c using (provider)
         where b.proven_at is not null and b.refused_at is null and c.source = 'live' and b.provider = any($1)`,
        [names],
      ),
    (rows) => rows.length === names.length,
  );
}

/** Pays by card on Stripe's page, and Stripe reports the payment. */
export async function payingCustomer({ product, stripe }: LiveProduct, name: string, units: number): Promise<Person> {
  const who = await createPayingCustomer(product, name, 0);
  const checkout = await who.call<{ session_id: string }>('POST', '/stripe/create-checkout-session', {
    amount_cents: units * 100,
  });
  expect(checkout.status).toBe(201);
  stripe.pay(checkout.body.session_id);
  for (const { payload } of stripe.takeEvents()) {
    const reported = await fetch(`${product.url}/api/webhooks/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signAsStripe(payload) },
      body: payload,
    });
    expect(reported.status).toBe(200);
  }
  await until(
    'the top-up',
    () => balanceOf(who),
    (balance) => balance === units,
  );
  return who;
}

export const balanceOf = async (who: Person): Promise<number> =>
  (await who.call<{ regular_balance: number }>('GET', '/billing/balance')).body.regular_balance;

export interface Deployment {
  readonly id: number;
  readonly status: string;
  readonly failure_reason: string | null;
}

export const draftAt = (name: LiveName): Record<string, unknown> => ({
  package: 'pangolin',
  server_type: 'new',
  cloud_provider: name,
  region: EVERY_FAKE[name].region,
  instance_type: EVERY_FAKE[name].instance_type,
  support_level: 1,
  domain: `${name}.sandbox.localhost`,
  admin_email: 'admin@example.com',
});

/** A size of a deployment and its price per hour. */
interface OfferedSize {
  readonly name: string;
  readonly hourly_cost: number;
  readonly refusal: unknown;
}

/** Requests the larger size of a provider's row and returns its price per hour. */
export async function resizeAt(who: Person, name: LiveName, id: number): Promise<number> {
  const { larger } = EVERY_FAKE[name];
  const { sizes } = (await who.call<{ sizes: OfferedSize[] }>('GET', `/deployments/${id}/sizes`)).body;
  const size = sizes.find((one) => one.name === larger);
  expect([name, size]).toMatchObject([name, { refusal: null }]);
  const hourly = size?.hourly_cost ?? 0;
  const body = { instance_type: larger, grow_disk: false, expected_hourly_cost: hourly };
  const { status, body: answer } = await who.call('POST', `/deployments/${id}/resize`, body, {
    'idempotency-key': `resize-${name}-${id}`,
  });
  expect([status, answer]).toMatchObject([200, { status: 'RESTARTING' }]);
  return hourly;
}

export async function orderAt(who: Person, name: LiveName): Promise<number> {
  const created = await who.call<Deployment>('POST', '/deployments/', draftAt(name), {
    'idempotency-key': `live-${name}`,
  });
  if (created.status !== 201) throw new Error(`order at ${name}: ${created.status} ${JSON.stringify(created.body)}`);
  return created.body.id;
}

const LIVE_MS = 300_000;

/** Waits for a status. Providers are polled every five seconds, so this takes a while. A failed run ends the wait. */
export async function untilStatus(who: Person, id: number, status: 'READY' | 'DESTROYED'): Promise<void> {
  const seen = await until(
    status,
    async () => (await who.call<Deployment>('GET', `/deployments/${id}`)).body,
    (deployment) => deployment.status === status || deployment.status.endsWith('FAILED'),
    LIVE_MS,
  );
  expect(seen).toMatchObject({ status });
}
