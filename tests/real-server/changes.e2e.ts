import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { ConfigurationAnswer, FurtherDomainAnswer, SshKeysAnswer } from '@moorage/contracts';
import { chapters } from '../journeys/chapters';
import { type Person, until } from '../journeys/customer';
import { createPayingCustomer } from '../journeys/paying-customer';
import { type Product, startProduct } from '../journeys/product';
import { fixture, type HostFixture, onServer, startHost } from './host-fixture';
import { chainOf, visit } from './https';
import { enterRecords } from './records';
import { type Deployment, running, siteOn, startedAt } from './running';

const run = promisify(execFile);

const USER = 'deploy';
const SUDO_PASSWORD = 'Sailcloth 7 "knots" $HOME';
const DOMAIN = 'harbour.example.test';
const NEXT_DOMAIN = 'quay.example.test';
const FURTHER = 'www.jetty.example.test';
const LONG_MS = 300_000;
const APPLIED_MS = 120_000;

let server: HostFixture;
let product: Product;
let cleo: Person;
let path: string;
let ref: string;
let password: string;
let keys: string;

const { reaches } = running(() => ({ product, owner: cleo, path }));

beforeAll(async () => {
  server = await startHost();
  product = await startProduct(['all-in-one'], { ...server.lab_settings, TRAEFIK_PLUGINS: 'off' });
  keys = await mkdtemp(join(tmpdir(), 'moorage-keys-'));
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(keys, 'laptop')]);
}, LONG_MS);

afterAll(async () => {
  await product?.stop();
  await fixture(['down']);
  await rm(keys, { recursive: true, force: true });
}, LONG_MS);

describe('running deployment on a server of its owner, who logs in there as a user with sudo', () => {
  const chapter = chapters(LONG_MS);

  chapter('is checked with the password that sudo asks for', async () => {
    cleo = await createPayingCustomer(product, 'cleo');
    await onServer(['useradd', '--create-home', '--shell', '/bin/bash', '--groups', 'sudo', USER]);
    await onServer(['chpasswd'], `${USER}:${SUDO_PASSWORD}\n`);
    const script = await cleo.call<string>('GET', `/servers/periphery-script?package=pangolin&user=${USER}`);
    await onServer(['sh', '-c', 'cat > docker-compose.yml'], script.body);
    expect(await onServer(['docker', 'compose', 'up', '--no-log-prefix'])).toContain('Access granted');
    expect(await check()).toEqual([
      422,
      expect.stringMatching(new RegExp(`^sudo asks the user ${USER} for a password`)),
    ]);
    expect(await check('not the password')).toEqual([
      422,
      expect.stringContaining(`sudo rejected the password of the user ${USER}.`),
    ]);
    expect(await check(SUDO_PASSWORD)).toEqual([200, 'passed']);
  });

  chapter('is started with sudo', async () => {
    await enterRecords(product, hosts(DOMAIN, 'admin', 'traefik'));
    const created = await cleo.call<Deployment>('POST', '/deployments/', {
      package: 'pangolin',
      server_type: 'vps',
      vps_ip_address: server.server.ip,
      support_level: 1,
      domain: DOMAIN,
      admin_email: cleo.email,
      traefik_subdomain: 'traefik',
    });
    expect(created.status).toBe(201);
    path = `/deployments/${created.body.id}`;
    await reaches('READY');
    const [row] = await product.sql<{ ref: string }>('select ref from deployments where id = $1', [created.body.id]);
    ref = row?.ref ?? '';
    const { body } = await cleo.call<{ secrets: { name: string; value: string }[] }>('POST', `${path}/reveal-secrets`);
    password = body.secrets.find(({ name }) => name === 'ADMIN_PASSWORD')?.value ?? '';
    expect(await login()).toBe(200);
  });

  chapter('gets another configuration, with a certificate for its new name', async () => {
    await enterRecords(product, hosts(DOMAIN, 'router'));
    await configure({ admin_email: 'harbour@example.test', traefik_subdomain: 'router' });
    await reaches('READY');
    expect((await configuration()).change).toMatchObject({ state: 'done', failure: null });
    expect(await certifiedName(`router.${DOMAIN}`)).toBe(`DNS:router.${DOMAIN}`);
    // Traefik keeps the certificate of the previous name, but no rule for it.
    expect((await visit(await siteOn(server, `traefik.${DOMAIN}`), '/dashboard/')).status).toBe(404);
    expect(await login()).toBe(200);
  });

  chapter('keeps its configuration when a record is missing', async () => {
    const before = await files();
    await configure({ traefik_subdomain: 'nowhere' });
    await reaches('READY');
    const { change, values } = await configuration();
    expect(change).toMatchObject({
      state: 'failed',
      failure: { detail: expect.stringContaining(`nowhere.${DOMAIN}`) },
    });
    expect(values.find(({ field }) => field === 'traefik_subdomain')?.value).toBe('router');
    expect(await files()).toEqual(before);
    expect(await certifiedName(`router.${DOMAIN}`)).toBe(`DNS:router.${DOMAIN}`);
  });

  chapter('redirects a further domain, with a certificate and without a restart', async () => {
    const before = await startedAt(ref);
    await enterRecords(product, { [FURTHER]: server.server.ip });
    expect((await cleo.call('POST', `${path}/domains`, { host: FURTHER })).status).toBe(201);
    await further('active');
    expect(await certifiedName(FURTHER)).toBe(`DNS:${FURTHER}`);
    expect(await visit(await siteOn(server, FURTHER), '/berths?deck=2')).toMatchObject({
      status: 301,
      location: `https://admin.${DOMAIN}/berths?deck=2`,
    });
    expect(await startedAt(ref)).toEqual(before);
  });

  chapter('gets another domain, to which the further one redirects', async () => {
    await enterRecords(product, hosts(NEXT_DOMAIN, 'admin', 'router'));
    expect((await cleo.call('PUT', `${path}/domain`, { domain: NEXT_DOMAIN })).status).toBe(200);
    expect((await reaches('READY')).access_link).toBe(`https://admin.${NEXT_DOMAIN}`);
    expect(await certifiedName(`admin.${NEXT_DOMAIN}`)).toBe(`DNS:admin.${NEXT_DOMAIN}`);
    expect(await login(NEXT_DOMAIN)).toBe(200);
    await until(
      'the new target',
      async () => (await visit(await siteOn(server, FURTHER), '/')).location,
      (location) => location === `https://admin.${NEXT_DOMAIN}/`,
      APPLIED_MS,
    );
  });

  chapter('lets its owner log in with a key until it is removed', async () => {
    expect(await canLogIn()).toBe(false);
    const body = { name: 'Laptop', public_key: await readFile(join(keys, 'laptop.pub'), 'utf8') };
    const added = await cleo.call<SshKeysAnswer>('POST', `${path}/ssh-keys`, body);
    expect(added.status).toBe(201);
    await keysApplied();
    expect(await canLogIn()).toBe(true);
    const [key] = added.body.keys;
    expect((await cleo.call('DELETE', `${path}/ssh-keys/${key?.id}`)).status).toBe(200);
    await keysApplied();
    expect(await canLogIn()).toBe(false);
  });

  chapter('keeps running when it is handed over, without our key and our files', async () => {
    const before = await startedAt(ref);
    expect((await cleo.call('POST', `${path}/hand-over`)).status).toBe(200);
    await reaches('DESTROYED');
    expect(await startedAt(ref)).toEqual(before);
    expect(await login(NEXT_DOMAIN)).toBe(200);
    expect(await onServer(['cat', `/opt/moorage/${ref}/HANDOVER.txt`])).toContain(
      `docker compose -p moorage-${ref} up -d`,
    );
    expect(
      await onServer(['sh', '-c', 'cat /home/*/.ssh/authorized_keys; ls /var/lib/moorage 2> /dev/null || true']),
    ).toBe('');
    expect(
      await onServer(['docker', 'compose', '--project-directory', `/opt/moorage/${ref}`, 'config', '--quiet']),
    ).toBe('');
    expect((await check(SUDO_PASSWORD))[0]).toBe(422);
  });

  chapter('leaves the password for sudo in no log, event, run or secret', async () => {
    const rows = await Promise.all(
      ['outbox', 'work', 'runs', 'deployment_steps', 'deployments', 'vps_checks'].map((table) =>
        product.sql<{ text: string }>(`select to_jsonb(t)::text as text from ${table} t`),
      ),
    );
    const everything = [product.log(), ...rows.flat().map(({ text }) => text)].join('\n');
    expect(everything).toContain('hand-over');
    expect(everything).not.toContain('Sailcloth');
    expect(await product.sql(`select name from secrets where name like 'sudo%'`)).toEqual([]);
  });
});

/** Returns records for names below a domain, which all point to the server. */
const hosts = (domain: string, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`${name}.${domain}`, server.server.ip]));

/** Checks the server, and returns the status with the state or the reason. */
async function check(sudoPassword?: string): Promise<[number, string | undefined]> {
  const { status, body } = await until(
    'the check',
    () =>
      cleo.call<{ state?: string; detail?: string }>('POST', '/servers/validate-vps', {
        ip_address: server.server.ip,
        ssh_user: USER,
        sudo_password: sudoPassword,
      }),
    (answer) => answer.status !== 202,
    60_000,
  );
  return [status, status === 200 ? body.state : body.detail];
}

async function configure(values: Record<string, string>): Promise<void> {
  const { status, body } = await cleo.call<Deployment>('PATCH', `${path}/configuration`, { values });
  expect([status, body]).toMatchObject([200, { status: 'RESTARTING' }]);
}

const configuration = async (): Promise<ConfigurationAnswer> =>
  (await cleo.call<ConfigurationAnswer>('GET', `${path}/configuration`)).body;

/** Waits until the further domain has this state. */
const further = (wanted: FurtherDomainAnswer['state']) =>
  until(
    `${wanted} of the further domain`,
    async () => (await cleo.call<{ domains: FurtherDomainAnswer[] }>('GET', `${path}/domains`)).body.domains,
    ([domain]) => domain?.state === wanted,
    APPLIED_MS,
  );

const keysApplied = () =>
  until(
    'the keys',
    async () => (await cleo.call<SshKeysAnswer>('GET', `${path}/ssh-keys`)).body,
    ({ state }) => state === 'applied',
    APPLIED_MS,
  );

/** Returns whether the owner's key logs in as the user. */
async function canLogIn(): Promise<boolean> {
  const options = ['BatchMode=yes', 'IdentitiesOnly=yes', 'StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null'];
  const { stdout } = await run('ssh', [
    ...options.flatMap((option) => ['-o', option]),
    ...['-i', join(keys, 'laptop'), '-p', String(server.ssh.port), `${USER}@${server.ssh.host}`, 'id -un'],
  ]).catch((error: unknown) => {
    if (/Permission denied \(publickey\)/.test(String(error))) return { stdout: '' };
    throw error;
  });
  return stdout.trim() === USER;
}

/** Logs in to Pangolin with its first administrator's name and password, and returns the status. */
async function login(domain = DOMAIN): Promise<number> {
  const answer = await visit(await siteOn(server, `admin.${domain}`), '/api/v1/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': 'x-csrf-protection' },
    body: JSON.stringify({ email: cleo.email, password }),
  });
  return answer.status;
}

const certifiedName = async (host: string): Promise<string | undefined> =>
  (await chainOf(await siteOn(server, host)))[0]?.subjectAltName;

/** Returns the checksums of the files that the deployment was started with. */
const files = (): Promise<string> =>
  onServer([
    'sh',
    '-c',
    `cd /opt/moorage/${ref} && find . -type f '(' -name '*.yml' -o -name .env ')' | sort | xargs sha256sum`,
  ]);
