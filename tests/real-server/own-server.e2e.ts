import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { parse } from 'yaml';
import { chapters } from '../journeys/chapters';
import { createPayingCustomer } from '../journeys/paying-customer';
import { type Answer, type Person, until } from '../journeys/customer';
import { type Product, startProduct } from '../journeys/product';
import { fixture, type HostFixture, startHost, onServer, snapshot } from './host-fixture';
import { chainOf, visit } from './https';
import { enterRecords } from './records';
import { containersOf, type Deployment, running, siteOn, startedAt } from './running';
import type { VpsCheckResult } from '@moorage/contracts';

/** Price V1 of the golden scenarios, with an own server at Level 1. */
const V1_MICROS = 5_000;
const TOP_UP_MICROS = 20_000_000;
const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;

const DOMAIN = 'harbour.example.test';
const ADMIN_HOST = `admin.${DOMAIN}`;
const TRAEFIK_HOST = `traefik.${DOMAIN}`;
const ELSEWHERE = '127.9.9.9';

const STEPS = [
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
/** Maximum duration, with waiting for DNS, pulling images and issuing certificates on a busy machine. */
const LONG_MS = 300_000;

interface VpsCheck {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: { path: string; message: string }[];
  readonly state?: string;
  readonly host_key_sha256: string | null;
  readonly results?: VpsCheckResult[];
}

interface Secret {
  readonly name: string;
  readonly value: string;
}

let server: HostFixture;
let product: Product;
let ada: Person;
let untouched: string[];
let path: string;
let ref: string;
let secrets: readonly Secret[];

beforeAll(async () => {
  server = await startHost();
  product = await startProduct(['all-in-one'], { ...server.lab_settings, TRAEFIK_PLUGINS: 'off' });
}, LONG_MS);

afterAll(async () => {
  await product?.stop();
  await fixture(['down']);
}, LONG_MS);

describe("deployment on a user's own server, with real SSH, Docker, DNS and certificates", () => {
  const chapter = chapters(LONG_MS);

  chapter('starts with a paid account and a server that already runs other software', async () => {
    ada = await createPayingCustomer(product, 'ada', TOP_UP_MICROS / 1e6);
    await onServer(
      ['sh', '-c', 'mkdir -m 700 .ssh && cat > .ssh/authorized_keys && chmod 600 .ssh/authorized_keys'],
      OWN_KEY,
    );
    await onServer([
      'docker',
      'run',
      '-d',
      '--name',
      'owners-own',
      '--network',
      'none',
      'alpine:3.21',
      'sleep',
      'infinity',
    ]);
    await onServer(['docker', 'volume', 'create', 'owners-data']);
  });

  chapter('is rejected by the check with instructions before the script ran', async () => {
    const { status, body } = await check();
    const sentence = expect.stringMatching(
      /^The server refused our key for root\. Run the script shown on this page on the server\./,
    );
    expect([status, body.code, body.detail]).toEqual([422, 'VPS_REFUSED', sentence]);
    expect(body.errors).toMatchObject([{ path: 'ip_address', message: sentence }]);
    expect(await product.sql('select results from vps_checks order by id desc limit 1')).toMatchObject([
      { results: [{ name: 'key', level: 'error', message: { detail: sentence } }] },
    ]);
    const refused = await ada.call<{ code: string }>('POST', '/deployments/', order());
    expect([refused.status, refused.body.code]).toEqual([422, 'VPS_CHECK_NEEDED']);
  });

  chapter('is prepared by running the script as documented', async () => {
    const script = await ada.call<string>('GET', '/servers/periphery-script?package=pangolin');
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/yaml; charset=utf-8']);
    expect(script.body).toContain('22, 80, 443 tcp and 21820, 51820 udp\n');
    await onServer(['sh', '-c', 'cat > docker-compose.yml'], script.body);
    untouched = await snapshot();
    expect(await onServer(['docker', 'compose', 'up', '--no-log-prefix'])).toContain('Access granted');
    const { services } = parse(script.body) as { services: Record<string, { environment: { PLATFORM_KEY: string } }> };
    const line = Object.values(services)[0]?.environment.PLATFORM_KEY;
    expect(await onServer(['cat', '.ssh/authorized_keys'])).toBe(`${OWN_KEY}${line}\n`);
  });

  chapter('is accepted by the check, which lists its findings and the correct fingerprint', async () => {
    const before = await snapshot();
    expect(before.join('\n')).toMatch(/^container \S*authorize-platform\S* \S+ exited$/m);
    const { status, body } = await check();
    expect([status, body.state]).toEqual([200, 'passed']);
    expect(body.host_key_sha256).toBe(server.ssh.host_key_fingerprint);
    expect(body.results?.filter(({ level }) => level === 'error')).toEqual([]);
    expect(body.results?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['connectivity', 'key', 'in_use', 'root', 'os', 'arch', 'time']),
    );
    // A check leaves nothing behind.
    expect(await snapshot()).toEqual(before);
  });

  chapter('runs the rendered stack in real containers, except those waiting for DNS', async () => {
    const created = await ada.call<Deployment>('POST', '/deployments/', order());
    expect(created.status).toBe(201);
    path = `/deployments/${created.body.id}`;
    const waiting = await reaches('DNS_VALIDATION');
    expect(waiting.instance_ip).toBe(server.server.ip);
    const [row] = await product.sql<{ ref: string }>('select ref from deployments where id = $1', [created.body.id]);
    ref = row?.ref ?? '';
    expect(await containers()).toEqual([['pangolin', 'fosrl/pangolin:1.24.0', 'running']]);
    const again = await check();
    expect([again.status, again.body.code]).toEqual([409, 'VPS_IN_USE']);
    const second = await ada.call<{ code: string }>('POST', '/deployments/', order());
    expect([second.status, second.body.code]).toEqual([409, 'VPS_IN_USE']);
  });

  chapter('waits without records or with a wrong one, and shows which record is missing where', async () => {
    await says(`There is no A record for ${ADMIN_HOST} yet. Add an A record for ${ADMIN_HOST} with the value`);
    await enterRecords(product, { [TRAEFIK_HOST]: server.server.ip, [ADMIN_HOST]: ELSEWHERE });
    await says(`${ADMIN_HOST} points to ${ELSEWHERE}, not to your server.`);
    const records = await dnsRecords();
    expect(records.filter(({ required }) => required)).toMatchObject([
      { host: ADMIN_HOST, value: server.server.ip, right: false, problem: 'wrong_address' },
      { host: TRAEFIK_HOST, value: server.server.ip, right: true, problem: null },
    ]);
    expect((await read()).status).toBe('DNS_VALIDATION');
    // No attempt at the authority is wasted before the records are correct.
    expect((await containers()).map(([name]) => name)).toEqual(['pangolin']);
  });

  chapter('gets its certificates and becomes READY once the records are correct', async () => {
    await enterRecords(product, { [ADMIN_HOST]: server.server.ip });
    const ready = await reaches('READY');
    expect(ready.access_link).toBe(`https://${ADMIN_HOST}`);
    const done = (await timeline()).filter(({ outcome }) => outcome === 'done').map(({ step }) => step);
    expect(done).toEqual(STEPS);
    expect(await containers()).toEqual([
      ['gerbil', 'fosrl/gerbil:1.5.2', 'running'],
      ['pangolin', 'fosrl/pangolin:1.24.0', 'running'],
      ['traefik', 'traefik:v3.7.12', 'running'],
    ]);
    const there = (await snapshot()).join('\n');
    const ours = [
      `file /opt/moorage/${ref}/docker-compose.yml `,
      `file /var/lib/moorage/${ref} `,
      `network moorage-${ref} `,
    ];
    for (const fact of [...ours, `systemd_unit /etc/systemd/system/moorage-${ref}.service`])
      expect(there).toContain(fact);
    const servers = await ada.call('GET', '/servers/');
    expect(servers.body).toMatchObject([
      { address: server.server.ip, host_key_sha256: server.ssh.host_key_fingerprint, status: 'READY', sandbox: false },
    ]);
  });

  chapter('serves its access link over TLS with a chain up to the root of the authority', async () => {
    const admin = await site(ADMIN_HOST);
    const root = new X509Certificate(admin.root);
    const chain = await chainOf(admin);
    expect(chain[0]?.subjectAltName).toBe(`DNS:${ADMIN_HOST}`);
    expect(chain.at(-1)?.fingerprint256).toBe(root.fingerprint256);
    expect(await visit(admin, '/api/v1/')).toMatchObject({ status: 200, text: '{"message":"Healthy"}\n' });
    expect((await visit(admin, '/auth/login')).text).toContain('Pangolin');
    const othersTrust = chainOf({ ...admin, root: rootCertificates.join('\n') });
    await expect(othersTrust).rejects.toMatchObject({ code: expect.stringMatching(/^UNABLE_TO_|SELF_SIGNED/) });
  });

  chapter('can be logged in to with the revealed passwords', async () => {
    const revealed = await ada.call<{ secrets: Secret[] }>('POST', `${path}/reveal-secrets`);
    expect(revealed.status).toBe(200);
    secrets = revealed.body.secrets;
    const password = (name: string): string => secrets.find((secret) => secret.name === name)?.value ?? '';
    const login = (text: string) => JSON.stringify({ email: ada.email, password: text });
    const admin = await site(ADMIN_HOST);
    const post = (body: string) =>
      visit(admin, '/api/v1/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-csrf-token': 'x-csrf-protection' },
        body,
      });
    expect((await post(login(password('ADMIN_PASSWORD')))).status).toBe(200);
    expect((await post(login('something else'))).status).toBe(401);
    const traefik = await site(TRAEFIK_HOST);
    const basic = Buffer.from(`admin:${password('DASHBOARD_PASSWORD')}`).toString('base64');
    expect((await visit(traefik, '/dashboard/')).status).toBe(401);
    expect((await visit(traefik, '/dashboard/', { headers: { authorization: `Basic ${basic}` } })).status).toBe(200);
  });

  chapter('is READY after a restart with new containers and the same certificate', async () => {
    const [before, certificate] = [await startedAt(ref), (await chainOf(await site(ADMIN_HOST)))[0]?.fingerprint256];
    const restarted = await ada.call<Deployment>('POST', `${path}/restart`);
    expect([restarted.status, restarted.body.status]).toEqual([200, 'RESTARTING']);
    await reaches('READY');
    const after = await startedAt(ref);
    expect(Object.keys(after)).toEqual(['gerbil', 'pangolin', 'traefik']);
    for (const name of ['gerbil', 'traefik']) expect(after[name]).not.toBe(before[name]);
    expect((await chainOf(await site(ADMIN_HOST)))[0]?.fingerprint256).toBe(certificate);
    expect((await visit(await site(ADMIN_HOST), '/api/v1/')).status).toBe(200);
    const soon = await ada.call<{ code: string }>('POST', `${path}/restart`);
    expect([soon.status, soon.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  chapter('is DESTROYED on deletion, with the remaining whole hours refunded', async () => {
    const deleted = await ada.call<{ status: string; refunded_amount: number }>('DELETE', path);
    expect([deleted.status, deleted.body.status]).toEqual([200, 'DESTROYING']);
    const gone = await reaches('DESTROYED');
    expect(gone.failure_reason).toBeNull();

    const [bill] = await product.sql<{ id: number; from: string; to: string }>(
      `select id, extract(epoch from billable_from) * 1000 as from, extract(epoch from billable_to) * 1000 as to from deployments`,
    );
    const from = Math.floor(Number(bill?.from) / HOUR_MS);
    const to = Math.floor(Number(bill?.to) / HOUR_MS);
    const endOfDay = (Math.floor(to / HOURS_A_DAY) + 1) * HOURS_A_DAY;
    const entries = await product.sql<{ type: string; micros: number }>(
      `select type, sum(amount_micros)::int as micros from ledger_transactions where deployment_id = $1 group by type order by type`,
      [bill?.id],
    );
    const refunded = (endOfDay - to - 1) * V1_MICROS;
    expect(entries).toEqual([
      { type: 'charge', micros: -(endOfDay - from) * V1_MICROS },
      ...(refunded === 0 ? [] : [{ type: 'refund', micros: refunded }]),
    ]);
    expect(deleted.body.refunded_amount).toBe(refunded / 1e6);
    const spent = (to - from + 1) * V1_MICROS;
    expect(await balance()).toBe((TOP_UP_MICROS - spent) / 1e6);
    expect(await product.sql('select sum(amount_micros)::text as sum from ledger_lines')).toEqual([{ sum: '0' }]);
    expect(await product.ops('billing:audit')).toMatchObject({ code: 0 });
  });

  chapter("leaves nothing on the server, including the script's container, and other software unchanged", async () => {
    expect(await snapshot()).toEqual(untouched);
    expect(await onServer(['cat', '.ssh/authorized_keys'])).toBe(OWN_KEY);
    // The product's key is not accepted there any more.
    expect((await check()).body.detail).toMatch(/^The server refused our key/);
  });

  chapter('leaves no secret in a log, an email, an event, a run or the timeline', async () => {
    const rows = await Promise.all(
      ['outbox', 'work', 'runs', 'deployment_steps', 'deployments'].map((table) =>
        product.sql<{ text: string }>(`select to_jsonb(t)::text as text from ${table} t`),
      ),
    );
    const stored = rows.flat().map(({ text }) => text);
    const mails = (await product.mails(ada.email)).map(({ text }) => text);
    const everything = [product.log(), ...stored, ...mails].join('\n');
    expect(everything).toContain('validate-dns');
    expect(secrets.map(({ name }) => name).sort()).toEqual(['ADMIN_PASSWORD', 'DASHBOARD_PASSWORD', 'SETUP_TOKEN']);
    for (const { name, value } of secrets) expect([name, everything.includes(value)]).toEqual([name, false]);
    expect(everything).not.toMatch(/correct horse|PRIVATE KEY/);
  });
});

const order = (): Record<string, unknown> => ({
  package: 'pangolin',
  server_type: 'vps',
  vps_ip_address: server.server.ip,
  support_level: 1,
  domain: DOMAIN,
  admin_email: ada.email,
  admin_subdomain: '',
  traefik_subdomain: 'traefik',
});

const check = (): Promise<Answer<VpsCheck>> =>
  ada.call<VpsCheck>('POST', '/servers/validate-vps', { ip_address: server.server.ip });

const { read, timeline, reaches } = running(() => ({ product, owner: ada, path }));

const balance = async (): Promise<number> =>
  (await ada.call<{ regular_balance: number }>('GET', '/billing/balance')).body.regular_balance;

/** Waits until the timeline contains this text while the records are checked. */
async function says(words: string): Promise<void> {
  await until(
    `"${words}"`,
    timeline,
    (entries) =>
      entries.some(
        ({ step, outcome, message }) =>
          step === 'validate-dns' && outcome === 'waiting' && message?.detail.includes(words),
      ),
    90_000,
  );
}

async function dnsRecords(): Promise<{ host: string; required: boolean }[]> {
  const [look] = await product.sql<{ records: { host: string; required: boolean }[] }>(
    'select records from dns_checks',
  );
  return look?.records ?? [];
}

const containers = (): Promise<string[][]> => containersOf(ref);

const site = (host: string) => siteOn(server, host);

/** The owner's own key, which the product must not change. */
const OWN_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea owner\n';
