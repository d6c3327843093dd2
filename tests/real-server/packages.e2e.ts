import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { PackageConfigAnswer } from '@moorage/contracts';
import { chapters } from '../journeys/chapters';
import { createPayingCustomer } from '../journeys/paying-customer';
import { type Person, until } from '../journeys/customer';
import { type Product, startProduct } from '../journeys/product';
import { fixture, type HostFixture, startHost, onServer, snapshot } from './host-fixture';
import { type Page, visit } from './https';
import { enterRecords } from './records';
import { type Deployment, running, siteOn } from './running';

/** Packages to test, which is PACKAGE, or without it all of them in turn. */
const PACKAGES =
  process.env.PACKAGE === undefined
    ? readdirSync('infra/packages').filter((name) => !name.startsWith('test-'))
    : [process.env.PACKAGE];
/** Docker version of Debian. Coolify requires 24. */
const LAB_DOCKER_MINIMUM = '20.10';
const LONG_MS = 600_000;

const VALUES: Readonly<Record<string, string>> = {
  admin_username: 'ada@example.com',
  admin_password: 'Harbour-Light-7-North',
  crowdsec_enrollment_key: 'clx1y2z3a4b5c6d7e8f9g0h1i',
  static_page_subdomain: 'www',
  openai_api_key: 'sk-proj-0123456789abcdefghij',
};
/** Optional values for the largest package. */
const MORE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'pangolin-ai': {
    oauth_client_id: '77-harbour.apps.example.com',
    oauth_client_secret: 'GOCSPX-0123456789',
    komodo_host_ip: '8.8.4.4',
    komodo_passkey: 'passkey-0123456789',
  },
};

interface Health {
  readonly ok: boolean;
  readonly code: string;
  readonly checks?: readonly { readonly name: string; readonly ok: boolean }[];
}

let server: HostFixture;
let product: Product;
let ada: Person;

beforeAll(async () => {
  server = await startHost();
  await fixture(['images']);
  console.log(
    `Docker Engine ${(await onServer(['docker', 'version', '--format', '{{.Server.Version}}'])).trim()}: the floor of every package is lowered to ${LAB_DOCKER_MINIMUM}`,
  );
  product = await startProduct(['all-in-one'], { ...server.lab_settings, TRAEFIK_PLUGINS: 'off', LAB_DOCKER_MINIMUM });
  ada = await createPayingCustomer(product, 'ada', 100);
}, LONG_MS);

afterAll(async () => {
  await product?.stop();
  await fixture(['down']);
}, LONG_MS);

describe.each(PACKAGES)('%s on a real server', (name) => {
  const domain = `${name}.example.test`;
  const chapter = chapters(LONG_MS);

  let untouched: string[];
  let path: string;
  let project: string;
  let hosts: readonly { host: string; required: boolean }[];
  let passwords: Readonly<Record<string, string>>;

  const { reaches } = running(() => ({ product, owner: ada, path }));
  const page = async (host: string, where: string, headers: Record<string, string> = {}): Promise<Page> =>
    visit(await siteOn(server, `${host}.${domain}`), where, { headers });

  /** Runs the health check like the product's regular check. */
  const health = async (): Promise<Health> => {
    const texts = await Promise.all(
      ['common', 'stack', 'check-health', 'run'].map((part) => readFile(`infra/host/${part}.sh`, 'utf8')),
    );
    const [common, stack, steps, run] = texts;
    const state = project.replace('/opt/', '/var/lib/');
    const script = `${common}${stack}steps() {\n${steps}}\n${run}`;
    const command = `number=$(cat ${state}/run_number); exec sh -c "$(cat)" ${state}/check-health "$number" part=all || true`;
    return JSON.parse(await onServer(['sh', '-c', `(${command}) || true`], script)) as Health;
  };

  chapter('is ordered, with files that Compose accepts, and starts except for its router', async () => {
    const script = await ada.call<string>('GET', `/servers/periphery-script?package=${name}`);
    await onServer(['sh', '-c', 'cat > docker-compose.yml'], script.body);
    untouched = await snapshot();
    await onServer(['docker', 'compose', 'up', '--no-log-prefix']);
    await ada.call('POST', '/servers/validate-vps', { ip_address: server.server.ip });
    const { body: config } = await ada.call<PackageConfigAnswer>('GET', `/deployments/packages/${name}/config`);
    const created = await ada.call<Deployment>('POST', '/deployments/', {
      ...VALUES,
      ...(config.admin_name === 'display_name' ? { admin_username: 'Ada Harbour' } : {}),
      ...MORE[name],
      package: name,
      server_type: 'vps',
      vps_ip_address: server.server.ip,
      support_level: 1,
      domain,
      admin_email: ada.email,
    });
    expect([created.status, created.body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })]);
    path = `/deployments/${created.body.id}`;
    await reaches('DNS_VALIDATION');
    const [row] = await product.sql<{ ref: string }>('select ref from deployments where id = $1', [created.body.id]);
    project = `/opt/moorage/${row?.ref}`;
    await onServer(['docker', 'compose', '--project-directory', project, 'config', '--quiet']);
  });

  chapter('becomes READY when its domain names point to the server', async () => {
    const dns = await ada.call<{ records: { fqdn: string; required: boolean }[] }>('GET', `${path}/dns`);
    hosts = dns.body.records.map(({ fqdn, required }) => ({ host: fqdn, required }));
    const needed = hosts.filter(({ required }) => required).map(({ host }) => [host, server.server.ip]);
    await enterRecords(product, Object.fromEntries(needed) as Record<string, string>);
    await reaches('READY');
    const { body } = await ada.call<{ secrets: { name: string; value: string }[] }>('POST', `${path}/reveal-secrets`);
    passwords = Object.fromEntries(body.secrets.map((secret) => [secret.name, secret.value]));
  });

  chapter('responds on each of its names, and only to authorised users where a login is required', async () => {
    const basic = `Basic ${Buffer.from(`admin:${passwords.DASHBOARD_PASSWORD}`).toString('base64')}`;
    for (const { host } of hosts.filter(({ required }) => required)) {
      const at = host.slice(0, -domain.length - 1);
      const open = await page(at, '/');
      if (open.status !== 401) {
        // Pangolin redirects to its login.
        expect([at, open.status < 400]).toEqual([at, true]);
      } else if (MORE[name] === undefined) {
        const where = at === 'traefik' ? '/dashboard/' : '/';
        expect([at, (await page(at, where, { authorization: basic })).status]).toEqual([at, 200]);
        expect([at, (await page(at, where, { authorization: `${basic}x` })).status]).toEqual([at, 401]);
      }
    }
  });

  chapter('is unhealthy when a service is broken, and names that service', async () => {
    const facts = await onServer(['cat', `${project}/.moorage/stack`]);
    const checks = [...facts.matchAll(/^check (?:stack|all) (\S+) (\S+) (\S+) ?(.*)$/gm)];
    expect(checks.length).toBeGreaterThan(4);
    expect(await health()).toMatchObject({ ok: true, code: 'DONE' });
    for (const [, check = '', kind = '', target = '', rest = ''] of checks) {
      const repair = await breakPart({ kind, target, rest, project });
      const seen = await health();
      expect([check, seen.ok, seen.checks?.find((one) => one.name === check)?.ok]).toEqual([check, false, false]);
      await repair();
      await until(`${check} to be whole again`, health, ({ ok }) => ok, 90_000);
    }
  });

  chapter('is READY again after a restart', async () => {
    expect((await ada.call('POST', `${path}/restart`)).status).toBe(200);
    await reaches('READY');
    expect(await health()).toMatchObject({ ok: true });
  });

  chapter('is removed completely, with the server as before', async () => {
    expect((await ada.call('DELETE', path)).body).toMatchObject({ status: 'DESTROYING' });
    await reaches('DESTROYED');
    expect(await snapshot()).toEqual(untouched);
    const stored = await product.sql<{ text: string }>('select to_jsonb(t)::text as text from deployment_steps t');
    const everything = [product.log(), ...stored.map(({ text }) => text)].join('\n');
    expect(everything).not.toMatch(/Harbour-Light|clx1y2z3a4b5|sk-proj-0123|GOCSPX-0123|passkey-0123|PRIVATE KEY/);
    await fixture(['dns', 'clear']);
  });
});

/** Breaks what a check examines, and returns a function that repairs it. */
async function breakPart({
  kind,
  target,
  rest,
  project,
}: {
  kind: string;
  target: string;
  rest: string;
  project: string;
}): Promise<() => Promise<unknown>> {
  if (kind === 'file') {
    await onServer(['mv', `${project}/${target}`, `${project}/${target}.away`]);
    return () => onServer(['mv', `${project}/${target}.away`, `${project}/${target}`]);
  }
  if (kind === 'log-lacks') {
    await onServer(['sh', '-c', `docker exec ${target} sh -c 'echo "${rest}" > /proc/1/fd/1'`]);
    // Earlier log output counts until the container restarts.
    return () => onServer(['docker', 'restart', target]);
  }
  if (/ bouncers inspect /.test(` ${rest} `)) {
    await onServer(['docker', 'exec', target, 'sh', '-c', 'mv /var/lib/crowdsec/data/bouncer-traefik /tmp/']);
    return () => onServer(['docker', 'exec', target, 'sh', '-c', 'mv /tmp/bouncer-traefik /var/lib/crowdsec/data/']);
  }
  const requested = /http:\/\/([a-z][a-z0-9-]+)/.exec(rest)?.[1] ?? 'localhost';
  if (requested !== 'localhost') {
    await onServer(['docker', 'stop', '--time', '1', requested]);
    return () => onServer(['docker', 'start', requested]);
  }
  // The check runs in the container, so its processes are stopped rather than the container. One of Docker's own checks
  // may have ended in the meantime.
  const all = (signal: string): string => `kill -${signal} $(docker top ${target} -o pid | tail -n +2) || true`;
  await onServer(['sh', '-c', all('STOP')]);
  return () => onServer(['sh', '-c', all('CONT')]);
}
