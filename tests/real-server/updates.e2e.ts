import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { DeploymentUpdatesAnswer } from '@moorage/contracts';
import { parse, stringify } from 'yaml';
import { chapters } from '../journeys/chapters';
import { person, type Person, until } from '../journeys/customer';
import { createPayingCustomer } from '../journeys/paying-customer';
import { type Product, startProduct } from '../journeys/product';
import { fixture, type HostFixture, onServer, startHost } from './host-fixture';
import { visit } from './https';
import { enterRecords } from './records';
import { containersOf, type Deployment, running, siteOn } from './running';

/** Docker version of Debian. Coolify requires 24. */
const LAB_DOCKER_MINIMUM = '20.10';
const LONG_MS = 600_000;
/** Longest time for which the test waits for the first failed attempt of a step. */
const FAILED_MS = 300_000;

interface Family {
  readonly name: string;
  readonly order: Readonly<Record<string, string>>;
  /** The image that an update replaces, and the variable with its name. */
  readonly pin: string;
  readonly image: string;
  readonly container: string;
  /** Commands of the next two releases. Both migrate the data. The first then starts the software, the second never does. */
  readonly migrates: string;
  readonly breaks: string;
  /** Prints the data as the server stores it, without what differs between equal copies of it. */
  readonly data: (project: string) => readonly string[];
  /** A page of the software that only responds while it is healthy. */
  readonly page: (domain: string) => { readonly host: string; readonly path: string };
}

const QUERY = 'PGPASSWORD="$DB_PASSWORD" psql -h coolify-db -U "$DB_USERNAME" -d "$DB_DATABASE" -qtAc';

const FAMILIES: readonly Family[] = [
  {
    name: 'pangolin',
    order: {},
    pin: 'PANGOLIN_IMAGE',
    image: 'docker.io/fosrl/pangolin',
    container: 'pangolin',
    migrates: 'echo 2 > /app/config/db/schema; exec /usr/local/bin/pangolin',
    breaks: 'echo 3 > /app/config/db/schema; rm -f /app/config/db/stand-in.json; exec sleep 86400',
    data: (project) => ['sh', '-c', `cd ${project}/config/db && for f in *; do echo "$f $(cat "$f")"; done`],
    page: (domain) => ({ host: `admin.${domain}`, path: '/auth/login' }),
  },
  {
    name: 'coolify',
    order: { admin_username: 'Ada Harbour' },
    pin: 'COOLIFY_IMAGE',
    image: 'docker.io/coollabsio/coolify',
    container: 'coolify',
    migrates: `${QUERY} 'alter table users add column if not exists team text' && exec coolify`,
    breaks: `${QUERY} 'alter table users drop column name' && exec sleep 86400`,
    data: () => ['docker', 'exec', 'coolify-db', 'psql', '-U', 'coolify', '-qAc', 'select * from users order by id'],
    page: (domain) => ({ host: `coolify.${domain}`, path: '/api/health' }),
  },
];

let server: HostFixture;
let product: Product;
let ada: Person;
let packages: string;

beforeAll(async () => {
  server = await startHost();
  await fixture(['images']);
  packages = await mkdtemp(join(tmpdir(), 'moorage-packages-'));
  await cp('infra/packages', packages, { recursive: true });
  for (const family of FAMILIES) await addReleases(family);
  product = await startProduct(['all-in-one'], {
    ...server.lab_settings,
    TRAEFIK_PLUGINS: 'off',
    LAB_DOCKER_MINIMUM,
    PACKAGES_DIR: packages,
  });
  ada = await createPayingCustomer(product, 'ada', 100);
}, LONG_MS);

afterAll(async () => {
  await product?.stop();
  await fixture(['down']);
  await rm(packages, { recursive: true, force: true });
}, LONG_MS);

describe.each(FAMILIES)('$name on a real server', (family) => {
  const { name, image, container } = family;
  const domain = `${name}.example.test`;
  const chapter = chapters(LONG_MS);

  let path: string;
  let ref: string;
  let data: string;

  const { reaches } = running(() => ({ product, owner: ada, path }));
  const stored = (): Promise<string> => onServer(family.data(`/opt/moorage/${ref}`));
  const imageOf = async (): Promise<string | undefined> =>
    (await containersOf(ref)).find(([each]) => each === container)?.[1];
  const visited = async (): Promise<number> => {
    const { host, path: where } = family.page(domain);
    return (await visit(await siteOn(server, host), where)).status;
  };
  const updates = async (): Promise<DeploymentUpdatesAnswer> =>
    (await ada.call<DeploymentUpdatesAnswer>('GET', `${path}/updates`)).body;
  const update = async (version: string): Promise<void> => {
    const { status, body } = await ada.call<Deployment>('POST', `${path}/update`, { version });
    expect([status, body]).toMatchObject([200, { status: 'RESTARTING' }]);
  };

  chapter('runs the first release while the next ones are offered to nobody', async () => {
    const script = await ada.call<string>('GET', `/servers/periphery-script?package=${name}`);
    await onServer(['sh', '-c', 'cat > docker-compose.yml'], script.body);
    await onServer(['docker', 'compose', 'up', '--no-log-prefix']);
    await ada.call('POST', '/servers/validate-vps', { ip_address: server.server.ip });
    const created = await ada.call<Deployment>('POST', '/deployments/', {
      ...family.order,
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
    ref = row?.ref ?? '';
    await enterRecords(product, { [family.page(domain).host]: server.server.ip });
    await reaches('READY');
    expect(await updates()).toMatchObject({ newer: [], next: null });
    data = await stored();
  });

  chapter('is updated to another image, which migrates the data', async () => {
    const admin = person(product, 'admin@moorage.localhost', 'journey-admin');
    await admin.login();
    for (const version of ['next', 'broken']) {
      const decided = await admin.call('PUT', `/admin/releases/${name}/${version}`, {
        ring: 'all',
        state: 'rolling',
        expected_changed_at: null,
      });
      expect(decided.status).toBe(200);
    }
    await update('next');
    await reaches('READY');
    expect(await updates()).toMatchObject({ running: { version: 'next' }, last: { state: 'done', failure: null } });
    expect(await imageOf()).toMatch(new RegExp(`${image.slice('docker.io/'.length)}:next$`));
    expect(await stored()).not.toBe(data);
    expect(await visited()).toBe(200);
    data = await stored();
  });

  chapter('returns to the image and the data from before when the next one never becomes healthy', async () => {
    await update('broken');
    // The database is restarted in the meantime.
    await until(
      'the migration',
      () => stored().catch(() => data),
      (seen) => seen !== data,
      FAILED_MS,
    );
    await until('the undo', passTime, (plans) => plans.includes('undo-update'), FAILED_MS);
    await reaches('READY');
    expect(await updates()).toMatchObject({
      running: { version: 'next' },
      last: { state: 'failed', from: 'next', to: 'broken', was_undone: true, failure: expect.anything() },
    });
    expect(await imageOf()).toMatch(new RegExp(`${image.slice('docker.io/'.length)}:next$`));
    expect(await stored()).toBe(data);
    expect(await visited()).toBe(200);
  });

  chapter('leaves no copy of the data on the server', async () => {
    const folders = '/opt/moorage /data /var/lib/docker/volumes';
    const find = `find ${folders} -maxdepth 4 '(' -name .restored -o -name .before ')' 2> /dev/null || true`;
    expect(await onServer(['sh', '-c', find])).toBe('');
    await ada.call('DELETE', path);
    await reaches('DESTROYED');
    await fixture(['dns', 'clear']);
  });
});

/** Gives a package the releases `next` and `broken`, and builds their images on the server. */
async function addReleases({ name, pin, image, migrates, breaks }: Family): Promise<void> {
  const file = join(packages, name, 'manifest.yaml');
  const manifest = parse(await readFile(file, 'utf8')) as { releases: { pins: Record<string, string> }[] };
  const [first] = manifest.releases;
  const current = first?.pins[pin] ?? '';
  const commands = { next: migrates, broken: breaks };
  const added = Object.entries(commands).map(([version]) => ({
    version,
    kind: 'minor',
    released_on: '2026-10-01',
    migrates: true,
    changes: [{ en: 'Migrates the data', de: 'Migriert die Daten' }],
    pins: { [pin]: `${image}:${version}` },
  }));
  await writeFile(file, stringify({ ...manifest, releases: [first, ...added] }));
  for (const [version, command] of Object.entries(commands)) {
    const lines = [`FROM ${current}`, 'ENTRYPOINT []', `CMD ${JSON.stringify(['sh', '-c', command])}`];
    await onServer(['docker', 'build', '--quiet', '--tag', `${image}:${version}`, '-'], lines.join('\n'));
  }
}

/** Lets the time pass for which a started release may be unhealthy. Returns the plans of all runs. */
async function passTime(): Promise<string[]> {
  await product.sql(
    `update runs set step_started_at = step_started_at - interval '9 minutes'
     where plan = 'update' and state = 'running' and steps[position + 1] in ('start-stack', 'check-health')`,
  );
  return (await product.sql<{ plan: string }>('select plan from runs')).map(({ plan }) => plan);
}
