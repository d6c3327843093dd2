import { expect } from '@jest/globals';
import { person, until } from '../journeys/customer';
import { draftOf } from '../journeys/first-deployment';
import type { Product } from '../journeys/product';
import { PASSWORD, createPayingCustomer } from '../journeys/paying-customer';
import { storeHistory } from './watched';

/** A domain that is not resolved (`DNS_RESOLVERS` below) and an address where nothing listens. */
const DOMAIN = 'northsea-logistics.example.test';
const OWN_ADDRESS = '127.66.0.7';

/** Settings with which every state of a deployment stays as it is. */
export const SETTINGS = {
  DNS_RESOLVERS: '127.0.0.1:9',
  DOMAIN_ALLOWED_ZONES: 'test,example.com',
  VPS_ALLOWED_CIDRS: '127.66.0.0/16',
  VPS_SSH_PORT: '9',
};

export const ADMIN = { email: 'admin@moorage.localhost', password: 'journey-admin' };

/** Subject of the message to support about the failed deployment. */
export const FAILED_SUBJECT = 'Setup failed';

type Customer = Awaited<ReturnType<typeof createPayingCustomer>>;

/** Seeded users and their data. */
export interface Seeded {
  /** User with everything, in every state. */
  readonly ada: Customer;
  /** User who has signed up and done nothing else. */
  readonly newcomer: string;
  /** User with a balance for a few days. */
  readonly cy: Customer;
  readonly referralCode: string;
  /** Ada's messages to support, one open and one answered. */
  readonly conversations: Readonly<Record<'open' | 'answered', number>>;
  readonly ids: Readonly<
    Record<'ready' | 'building' | 'dns' | 'dnsFailed' | 'failed' | 'own' | 'gone' | 'cys', number>
  >;
}

interface Row {
  readonly status: string;
}

/** Creates users and deployments over HTTP. What would take minutes is advanced in the database. */
export async function seed(product: Product): Promise<Seeded> {
  const ada = await createPayingCustomer(product, 'ada.northwood', 100);
  const { body: link } = await ada.call<{ referral_code: string }>('GET', '/referrals/my-link');
  const signUp = async (name: string): Promise<string> => {
    const who = person(product, `${name}@example.com`, PASSWORD);
    const account = { username: name, email: who.email, password: PASSWORD, referral_code: link.referral_code };
    expect((await who.call('POST', '/users/', account)).status).toBe(201);
    return who.email;
  };
  await savesCard(product, ada);
  await differs(product);
  const newcomer = await signUp('newcomer');
  const cy = await createPayingCustomer(product, 'cy', 5);
  await refer(product, link.referral_code);

  let counter = 0;
  const order = async (whose: Customer, change: object = {}): Promise<number> => {
    counter += 1;
    const { status, body } = await whose.call<{ id: number }>('POST', '/deployments/', {
      ...draftOf(`berth${counter}`),
      ...change,
    });
    expect([status, body]).toEqual([201, body]);
    return body.id;
  };
  const statusOf = (id: number): Promise<Row[]> => product.sql('select status from deployments where id = $1', [id]);
  const reaches = (id: number, wanted: (rows: Row[]) => boolean): Promise<Row[]> =>
    until(`deployment ${id}`, () => statusOf(id), wanted, 60_000);
  const is =
    (...wanted: string[]) =>
    ([row]: Row[]): boolean =>
      row !== undefined && wanted.includes(row.status);
  const fault = (provider: string, mode: string): Promise<unknown> =>
    product.sql(`insert into sandbox_faults (provider, call, mode, remaining) values ($1, 'create', $2, 100)`, [
      provider,
      mode,
    ]);

  const gone = await order(ada);
  const ready = await order(ada, { support_level: 2 });
  const cys = await order(cy);
  await fault('vultr', 'no_capacity');
  const failed = await order(ada, await sizeAt(ada, 'vultr'));
  await fault('digitalocean', 'never_boots');
  const building = await order(ada, await sizeAt(ada, 'digitalocean'));
  const dns = await order(ada, { domain: `quay.${DOMAIN}` });
  const dnsFailed = await order(ada, {
    domain: `very-long-name-of-a-customer-portal.staging.${DOMAIN}`,
  });
  expect((await ada.call('GET', '/servers/periphery-script?package=pangolin')).status).toBe(200);
  await checked(product, ada);
  const own = await order(ada, {
    server_type: 'vps',
    cloud_provider: null,
    region: null,
    instance_type: null,
    vps_ip_address: OWN_ADDRESS,
    domain: 'apps.lindqvist-studio.example.test',
  });
  // Nothing listens there, and the next attempt is a day away, so the deployment keeps waiting for its owner to grant
  // access.
  await until(
    'a first try at the own server',
    () =>
      product.sql(
        `with waiting as (
           update runs set memory = memory || '{"action_required": "access"}' where deployment_id = $1 and state = 'running' and step_attempts > 0
           returning id::text as key)
         update work set due_at = due_at + interval '1 day' from waiting
         where work.kind = 'run' and work.key = waiting.key and work.due_at > now() returning 1`,
        [own],
      ),
    (moved) => moved.length === 1,
  );

  await reaches(gone, is('READY'));
  expect((await ada.call('DELETE', `/deployments/${gone}`)).status).toBeLessThan(300);
  // A quarter of an hour later.
  await until(
    'the end of the waiting for records',
    async () => {
      await product.sql(
        `with waiting as (
           update runs set step_started_at = least(step_started_at, now() - interval '16 minutes')
           where deployment_id = $1 and state = 'running' and steps[position + 1] = 'validate-dns' and step_started_at is not null
           returning id::text as key)
         update work set due_at = now() from waiting where work.kind = 'run' and work.key = waiting.key and work.due_at > now()`,
        [dnsFailed],
      );
      return statusOf(dnsFailed);
    },
    is('DNS_FAILED'),
    60_000,
  );
  await reaches(dns, is('DNS_VALIDATION'));
  await reaches(ready, is('READY'));
  await watched(product, ready);
  await backedUp(ada, ready);
  await reaches(cys, is('READY'));
  await reaches(failed, is('FAILED'));
  const asks = {
    name: 'Ada Northwood',
    email: ada.email,
    subject: FAILED_SUBJECT,
    message: 'Its setup failed.\nWhat can I do?',
    deployment_id: failed,
  };
  expect((await ada.call('POST', '/support/contact', asks)).status).toBe(201);
  await reaches(gone, is('DESTROYED'));
  await reaches(building, is('PROVISIONING'));
  // Polled five times a second, its server would use more time than the browser.
  await until(
    'a pause of the building one',
    () =>
      product.sql(
        `update work set due_at = work.due_at + interval '1 day' from runs
         where work.kind = 'run' and work.key = runs.id::text and runs.deployment_id = $1 and work.due_at > now() returning 1`,
        [building],
      ),
    (moved) => moved.length === 1,
  );
  await reaches(own, is('CREATING', 'PROVISIONING'));
  return {
    ada,
    newcomer,
    cy,
    referralCode: link.referral_code,
    conversations: await writeToSupport(product, ada, ready),
    ids: { ready, building, dns, dnsFailed, failed, own, gone, cys },
  };
}

/** Stores what the checks of a running deployment would have found, and has it checked a day later. */
async function watched(product: Product, id: number): Promise<void> {
  await storeHistory(product, id);
  const host = {
    cpus: 2,
    cpu_percent: 12,
    load: 0.24,
    memory_mb: 3_915,
    memory_used_mb: 912,
    disk_mb: 76_800,
    disk_used_mb: 64_500,
    logs_mb: 40_200,
    uptime_s: 86_400,
    containers: ['pangolin', 'gerbil', 'traefik'].map((name, index) => ({
      name,
      state: 'running',
      health: 'healthy',
      restarts: 0,
      exit_code: 0,
      stays: true,
      memory_mb: 310 - 100 * index,
      started_at: null,
    })),
  };
  await until(
    `the start of the checks of deployment ${id}`,
    () =>
      product.sql(
        `update reachability set due_at = now() + interval '1 day', host_due_at = now() + interval '1 day',
           names_due_at = now() + interval '1 day', state = 'reachable', since = now() - interval '6 hours', checked_at = now(),
           response_ms = 182, host = $2, host_checked_at = now()
         where deployment_id = $1 and due_at is not null returning 1`,
        [id, JSON.stringify(host)],
      ),
    (rows) => rows.length === 1,
    60_000,
  );
  await product.sql(
    `insert into incidents (deployment_id, user_id, kind, subject, facts, began_at, told_at)
     select id, user_id, kind, subject, facts::jsonb, now() - interval '50 minutes', now() - interval '50 minutes'
     from deployments, (values
       ('container_restarting', 'gerbil', '{"container": "gerbil"}'),
       ('disk_filling', '', '{"percent": 83}')
     ) as open (kind, subject, facts)
     where id = $1`,
    [id],
  );
}

/** Returns the provider's first region and the cheapest size there that Pangolin fits on. */
async function sizeAt(whose: Customer, provider: string): Promise<object> {
  const { body: regions } = await whose.call<{ name: string }[]>('GET', `/deployments/regions/${provider}`);
  const region = regions[0]?.name ?? '';
  const { body: sizes } = await whose.call<{ name: string; memory: number; hourly_cost: number }[]>(
    'GET',
    `/deployments/instance-types/${provider}/${region}`,
  );
  const fit = sizes.filter(({ memory }) => memory >= 2).sort((one, other) => one.hourly_cost - other.hourly_cost);
  return { cloud_provider: provider, region, instance_type: fit[0]?.name };
}

/** Creates a backup on request, an archive of it, and a bucket that it is copied into. */
async function backedUp(whose: Customer, id: number): Promise<void> {
  expect((await whose.call('POST', `/deployments/${id}/backups`)).status).toBe(201);
  const copy = await until(
    `a backup of deployment ${id}`,
    async () =>
      (await whose.call<{ copies: { id: number; state: string }[] }>('GET', `/deployments/${id}/backups`)).body
        .copies[0],
    (newest) => newest?.state === 'complete',
    60_000,
  );
  expect((await whose.call('POST', `/deployments/${id}/backups/${copy?.id}/download`)).status).toBe(202);
  const bucket = {
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    region: 'eu-central-1',
    bucket: 'harbour-backups',
    access_key_id: 'AKIAEXAMPLE',
    secret_access_key: 'an-example-of-a-key',
  };
  expect((await whose.call('PUT', `/deployments/${id}/backups/bucket`, bucket)).status).toBe(200);
}

/** Creates two referred friends with pending referrals, of which one is granted, and a request for free credits. */
async function refer(product: Product, referral_code: string): Promise<void> {
  for (const name of ['bo', 'di']) await createPayingCustomer(product, name, 0, { referral_code });
  const admin = person(product, ADMIN.email, ADMIN.password);
  await admin.login();
  const { body } = await admin.call<{ referrals: { id: number }[] }>('GET', '/referrals/admin/referrals');
  const granted = await admin.call('POST', `/referrals/admin/referrals/${body.referrals[0]?.id}/approve`);
  expect(granted.status).toBe(200);
  const requested = { email: 'visitor@example.org', reason: 'To try Pangolin.' };
  expect((await admin.call('POST', '/support/referral-request', requested)).status).toBe(201);
}

/** Writes questions about a deployment and about nothing in particular. An administrator answers the second. */
async function writeToSupport(product: Product, whose: Customer, about: number): Promise<Seeded['conversations']> {
  const write = async (subject: string, deployment_id: number | null): Promise<number> => {
    const message = 'It has worked for weeks.\n\nSince this morning the browser warns us. What can we do?';
    const letter = { name: 'Ada', email: whose.email, subject, message, deployment_id };
    const { status, body } = await whose.call<{ conversation_id: number }>('POST', '/support/contact', letter);
    expect([status, body]).toEqual([201, body]);
    return body.conversation_id;
  };
  const open = await write('The certificate of our portal has expired, and customers ask us why', about);
  const answered = await write('An invoice for November', null);
  const admin = person(product, ADMIN.email, ADMIN.password);
  await admin.login();
  const answer = { message: 'Find it under Billing, right above the table.' };
  expect((await admin.call('POST', `/support/admin/conversations/${answered}/answers`, answer)).status).toBe(201);
  return { open, answered };
}

/** Saves a card for automatic top-ups when the balance gets low. */
async function savesCard(product: Product, whose: Customer): Promise<void> {
  await product.sql(
    `with owner as (select id from users where email = $1), card as (
       insert into saved_cards (user_id, customer, payment_method, brand, last4, exp_month, exp_year, test_mode, saved_at)
       select id, 'cus_seeded', 'pm_seeded', 'mastercard', '4444', 12, 2099, true, now() from owner)
     insert into automatic_top_ups (user_id, enabled, threshold_days, amount_cents, month_cap_cents, changed_at)
     select id, true, 3, 1000, 10000, now() from owner`,
    [whose.email],
  );
}

/** Stores the result that the check of the own server would have had if the server existed. */
async function checked(product: Product, whose: Customer): Promise<void> {
  await product.sql(
    `with owner as (select id from users where email = $1), host as (
       insert into vps_hosts (user_id, address, host_key_sha256, pinned_at) select id, $2, 'SHA256:seeded', now() from owner)
     insert into vps_checks (user_id, address, state, host_key_sha256, message, asked_at, answered_at)
     select id, $2, 'passed', 'SHA256:seeded', 'Looked at.', now(), now() from owner`,
    [whose.email, OWN_ADDRESS],
  );
}

/** Stores a difference that the last nightly comparison with the payment provider's records could not repair. */
async function differs(product: Product): Promise<void> {
  await product.sql(
    `with last as (
       insert into payment_comparisons (from_at, to_at, compared, differences, at)
       values (now() - interval '2 days', now() - interval '1 hour', 12, 1, now()) returning at)
     insert into payment_differences (id, kind, payment_intent, their_micros, first_seen_at, last_seen_at)
     select 'txn_seeded', 'missing_here', 'pi_of_nobody', 5000000, at, at from last`,
  );
}
