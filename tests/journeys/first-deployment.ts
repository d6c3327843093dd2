import { request } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { expect } from '@jest/globals';
import { DAY_MS } from '@moorage/domain';
import { person, until } from './customer';
import type { Product } from './product';

/**
 * Price H1 (Hetzner cpx22 in fsn1, Level 1), and the surcharge for Level 2, as in the golden scenarios. Micro-units per
 * clock hour.
 */
const H1_MICROS = 35_600;
const LEVEL_2_MICROS = 68_500;
const TOP_UP_MICROS = 20_000_000;

const STEPS = [
  'create-server',
  'wait-for-ssh',
  'preflight',
  'bootstrap',
  'upload-stack',
  'start-stack',
  'check-health',
  'validate-dns',
  'issue-certificate',
  'finish',
];

interface Deployment {
  readonly id: number;
  readonly status: string;
  readonly failure_reason: string | null;
  readonly deleted_at: string | null;
  readonly access_link: string | null;
  readonly open_link: string | null;
  readonly sign_in?: readonly { address: string; user: string | null; password: string | null }[];
}

/**
 * Runs the main journey over HTTP, with sign-up, verification, payment, price check, an order of Pangolin up to READY,
 * a higher level, and the deletion. At the end nothing is left at the cloud and the ledger sums to zero. `name` becomes
 * the account and the domain of this run.
 */
export async function firstDeployment(product: Product, name: string): Promise<void> {
  const ada = person(product, `${name}@example.com`, 'correct horse');

  const signedUp = await ada.call('POST', '/users/', { username: name, email: ada.email, password: ada.password });
  expect(signedUp.status).toBe(201);
  await ada.login();
  const order = draftOf(name);
  const refused = await ada.call<{ code: string }>('POST', '/deployments/', order);
  expect([refused.status, refused.body.code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);

  const [mail] = await until(
    'the verification mail',
    () => product.mails(ada.email),
    (mails) => mails.length > 0,
  );
  const token = /[?&]token=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1];
  expect((await ada.call('GET', `/auth/verify-email?token=${token}`)).status).toBe(200);

  const poor = await ada.call<{ code: string; needed: number; available: number }>('POST', '/deployments/', order);
  expect([poor.status, poor.body.code, poor.body.needed, poor.body.available]).toEqual([
    402,
    'BALANCE_TOO_LOW',
    4.99,
    0,
  ]);

  const checkout = await ada.call<{ url: string; session_id: string }>('POST', '/stripe/create-checkout-session', {
    amount_cents: 2000,
  });
  expect(checkout.status).toBe(201);
  const paid = await ada.call('POST', `/stripe/test-checkout/${checkout.body.session_id}`, { outcome: 'pay' });
  expect(paid.status).toBe(200);
  await until(
    'the top-up',
    () => balanceOf(ada),
    (balance) => balance.regular_balance === 20,
  );

  const price = await ada.call('POST', '/deployments/pricing/calculate', order);
  expect(price.body).toMatchObject({ hourly_cost: 0.0356, daily_cost: 0.8544, monthly_cost: 25.632 });

  const key = { 'idempotency-key': `${name}-order-1`, 'x-correlation-id': `${name}-order-1` };
  const created = await ada.call<Deployment>('POST', '/deployments/', order, key);
  expect(created.status).toBe(201);
  const again = await ada.call<Deployment>('POST', '/deployments/', order, key);
  expect(again.body.id).toBe(created.body.id);
  const path = `/deployments/${created.body.id}`;
  expect(created.headers.get('x-correlation-id')).toBe(`${name}-order-1`);
  await until(
    'the work of the order',
    () => product.sql('select 1 from work where correlation_id = $1', [`${name}-order-1`]),
    (works) => works.length > 0,
  );
  const inFlight = await ada.call<{ detail: string }>('DELETE', path);
  expect([inFlight.status, inFlight.body.detail]).toEqual([409, 'Cannot modify during provisioning']);

  const ready = await until(
    'READY',
    async () => (await ada.call<Deployment>('GET', path)).body,
    ({ status }) => status === 'READY' || status.endsWith('FAILED'),
  );
  expect(ready).toMatchObject({ status: 'READY', access_link: `https://admin.${name}.sandbox.localhost` });
  await signsIn(product, { ada, ready });
  const timeline = await ada.call<{ step: string; outcome: string }[]>('GET', `${path}/steps`);
  expect(timeline.body.filter(({ outcome }) => outcome === 'done').map(({ step }) => step)).toEqual(STEPS);

  const [row] = await product.sql<{ hours: number }>(
    `select (24 - extract(hour from billable_from at time zone 'UTC'))::int as hours from deployments where id = $1`,
    [created.body.id],
  );
  const hours = row?.hours ?? 0;
  const first = await until(
    'the first charge',
    () => entriesOf(product, created.body.id),
    (entries) => entries.length === 1,
  );
  expect(first).toEqual([{ type: 'charge', micros: -hours * H1_MICROS }]);
  await isFollowed(product, `${name}-order-1`);

  const raised = await ada.call('PATCH', path, { support_level: 2 });
  expect(raised.status).toBe(200);
  const later = await ada.call('PATCH', path, { support_level: 3 });
  expect(later.status).toBe(429);
  expect(Number(later.headers.get('retry-after'))).toBeGreaterThan(0);

  const deleted = await ada.call<{ status: string; deleted_at: null; refunded_amount: number }>('DELETE', path);
  const wholeHoursLeft = hours - 1;
  const refund = wholeHoursLeft * (H1_MICROS + LEVEL_2_MICROS);
  expect(deleted.body).toMatchObject({ status: 'DESTROYING', deleted_at: null, refunded_amount: refund / 1e6 });
  expect(await entriesOf(product, created.body.id)).toEqual([
    { type: 'charge', micros: -hours * H1_MICROS },
    { type: 'rerate', micros: -wholeHoursLeft * LEVEL_2_MICROS },
    { type: 'refund', micros: refund },
  ]);

  const gone = await until(
    'DESTROYED',
    async () => (await ada.call<Deployment>('GET', path)).body,
    ({ status }) => status === 'DESTROYED',
  );
  expect(gone.deleted_at).not.toBeNull();
  expect((await balanceOf(ada)).regular_balance).toBe((TOP_UP_MICROS - H1_MICROS) / 1e6);
  expect(
    await product.sql(
      `select name from sandbox_servers where state <> 'gone' and labels::text like '%' || (select ref from deployments where id = $1) || '%'`,
      [created.body.id],
    ),
  ).toEqual([]);
  expect(await product.sql('select sum(amount_micros)::text as sum from ledger_lines')).toEqual([{ sum: '0' }]);
  expect((await ada.call('DELETE', path)).body).toHaveProperty('message');
  expect((await ada.call('GET', '/deployments/')).body).toEqual([]);
}

/**
 * Checks that every service, from the order to the first charge, logged and sent its actions with the order's
 * correlation id.
 */
async function isFollowed(product: Product, correlationId: string): Promise<void> {
  const done = await until(
    'the lines of the order',
    () => Promise.resolve(linesOf(product).filter(({ correlation_id }) => correlation_id === correlationId)),
    (lines) => lines.some(({ service, part = service }) => part === 'billing'),
  );
  expect(new Set(done.map(({ service, part = service }) => part))).toEqual(new Set(['api', 'provisioner', 'billing']));
  const steps = done.filter(({ message, outcome }) => message === 'run step' && outcome === 'done');
  expect(steps.map(({ step }) => step)).toEqual(STEPS);
  const commands = done.filter(({ message }) => message === 'ssh command').map(({ command }) => command);
  expect(commands).toEqual(expect.arrayContaining(['upload', 'start-stack', 'check-health']));
  const events = await product.sql<{ event_name: string }>(
    'select distinct event_name from outbox where correlation_id = $1 order by 1',
    [correlationId],
  );
  expect(events.map(({ event_name }) => event_name)).toEqual([
    'deployment.created',
    'deployment.status_changed',
    'deployment.step_progressed',
  ]);
}

/** Returns the log lines of the processes. The all-in-one also prints a greeting. */
export function linesOf(product: Product): Record<string, unknown>[] {
  return product
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/**
 * Signs in to the READY deployment, with an address, a username, a password from the single audited call, and in the
 * sandbox a page.
 */
async function signsIn(
  product: Product,
  { ada, ready }: { ada: ReturnType<typeof person>; ready: Deployment },
): Promise<void> {
  const [dashboard] = ready.sign_in ?? [];
  expect(dashboard).toMatchObject({ address: `${ready.access_link}/`, user: ada.email, password: 'ADMIN_PASSWORD' });
  const path = `/deployments/${ready.id}/reveal-secrets`;
  const revealed = await ada.call<{ secrets: { name: string; value: string }[] }>('POST', path);
  const password = revealed.body.secrets.find(({ name }) => name === dashboard?.password)?.value ?? '';
  expect(password).toMatch(/^[A-Za-z0-9!@%^*-]{20}$/);
  const mails = await until(
    'the mail that it is ready',
    () => product.mails(ada.email),
    (all) => all.some(({ subject }) => subject.endsWith(' is ready')),
  );
  const mail = mails.find(({ subject }) => subject.endsWith(' is ready'));
  expect(mail?.text).toContain(`Username: ${ada.email}`);
  expect(mail?.text).toContain(`${product.url}/dashboard?deployment=${ready.id}#sign-in`);
  expect(mail?.text).not.toContain(password);
  const page = await pageOf(product, new URL(ready.open_link ?? ''));
  expect(page.status).toBe(200);
  expect(page.text).toContain('This is a simulated server');
  expect(page.text).not.toContain(ada.email);
}

/** Fetches a page like a browser, which resolves every name below .localhost to its own machine. */
function pageOf(product: Product, { host }: URL): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const send = product.url.startsWith('https:') ? requestOverTls : request;
    const requested = send(product.url, { headers: { host } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    requested.on('error', reject).end();
  });
}

export function draftOf(name: string): Record<string, unknown> {
  return {
    package: 'pangolin',
    server_type: 'new',
    cloud_provider: 'hetzner',
    region: 'fsn1',
    instance_type: 'cpx22',
    support_level: 1,
    domain: `${name}.sandbox.localhost`,
    admin_email: `${name}@example.com`,
    admin_subdomain: '',
  };
}

async function balanceOf(someone: ReturnType<typeof person>): Promise<{ regular_balance: number }> {
  return (await someone.call<{ regular_balance: number }>('GET', '/billing/balance')).body;
}

function entriesOf(product: Product, deploymentId: number): Promise<{ type: string; micros: number }[]> {
  return product.sql(
    'select type, amount_micros::int as micros from ledger_transactions where deployment_id = $1 order by id',
    [deploymentId],
  );
}

/**
 * Returns a lab offset that makes it 12:20 UTC of today or yesterday, so that a run near midnight meets the same hours as
 * any other. The clock never runs ahead: migrations are dated with the real time, so an installation would begin hours
 * old, and its checks late.
 */
export function noonOffset(): string {
  const noon = new Date().setUTCHours(12, 20, 0, 0);
  return String((noon <= Date.now() ? noon : noon - DAY_MS) - Date.now());
}
