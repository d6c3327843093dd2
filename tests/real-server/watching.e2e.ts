import { cpus, totalmem } from 'node:os';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type {
  ContainerAnswer,
  DeploymentLogsAnswer,
  IncidentAnswer,
  IncidentsAnswer,
  LogSearchAnswer,
  MetricsAnswer,
} from '@moorage/contracts';
import { MASK } from '@moorage/domain';
import { chapters } from '../journeys/chapters';
import { type Person, until } from '../journeys/customer';
import { createPayingCustomer } from '../journeys/paying-customer';
import { type Product, startProduct } from '../journeys/product';
import { expiredCertificate } from './expired-certificate';
import { fixture, type HostFixture, onServer, startHost } from './host-fixture';
import { chainOf } from './https';
import { enterRecords } from './records';
import { type Deployment, running, siteOn, startedAt } from './running';

const DOMAIN = 'harbour.example.test';
const ADMIN_HOST = `admin.${DOMAIN}`;
const TRAEFIK_HOST = `traefik.${DOMAIN}`;
const DISK_MB = 200;
const MIB = 1024 * 1024;
const FILLER = '/opt/moorage/filler';
const LONG_MS = 300_000;
/** Maximum time until a written line is in the logs, on a busy machine. */
const LINE_MS = 20_000;

/** More lines than are stored, after a line that only the search finds. */
const OLD_LINE = 'Berth 7 was lit at dusk';
const LATER_LINES = 2_500;

const BROKEN = ['container_stopped', 'disk_full', 'certificate_expired'] as const;

let server: HostFixture;
let product: Product;
let ada: Person;
let id: number;
let path: string;
let ref: string;

const { reaches } = running(() => ({ product, owner: ada, path }));

beforeAll(async () => {
  server = await startHost();
  product = await startProduct(['all-in-one'], { ...server.lab_settings, TRAEFIK_PLUGINS: 'off' });
}, LONG_MS);

afterAll(async () => {
  await product?.stop();
  await fixture(['down']);
}, LONG_MS);

/** The product's schedule does all checks. The test only makes them due at the next minute. */
describe('running deployment on a real server, of which several things break at the same time', () => {
  const chapter = chapters(LONG_MS, () => Promise.resolve(product.log().slice(-6_000)));

  chapter(`becomes READY with its folder on a disk of ${DISK_MB} MiB (a tmpfs)`, async () => {
    await onServer(['mkdir', '-p', '/opt/moorage']);
    await onServer(['mount', '-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', '/opt/moorage']);
    ada = await createPayingCustomer(product, 'ada');
    const script = await ada.call<string>('GET', '/servers/periphery-script?package=pangolin');
    await onServer(['sh', '-c', 'cat > docker-compose.yml'], script.body);
    await onServer(['docker', 'compose', 'up', '--no-log-prefix']);
    await until(
      'the check of the server',
      () => ada.call('POST', '/servers/validate-vps', { ip_address: server.server.ip }),
      ({ status }) => status === 200,
      60_000,
    );
    await enterRecords(product, { [ADMIN_HOST]: server.server.ip, [TRAEFIK_HOST]: server.server.ip });
    const created = await ada.call<Deployment>('POST', '/deployments/', {
      package: 'pangolin',
      server_type: 'vps',
      vps_ip_address: server.server.ip,
      support_level: 1,
      domain: DOMAIN,
      admin_email: ada.email,
      traefik_subdomain: 'traefik',
    });
    expect(created.status).toBe(201);
    id = created.body.id;
    path = `/deployments/${id}`;
    await reaches('READY');
    const [row] = await product.sql<{ ref: string }>('select ref from deployments where id = $1', [id]);
    ref = row?.ref ?? '';
  });

  chapter('loses a container, disk space and a certificate (an expired one is put into the router)', async () => {
    await onServer(['docker', 'stop', '--time', '1', 'pangolin']);
    await fillDisk(92.5);
    await fixture(['authority', 'pause']);
    await replaceCertificate(ADMIN_HOST, await expiredCertificate(ADMIN_HOST));
    await onServer(['docker', 'restart', '--time', '1', 'traefik']);
    await until('the expired certificate', presented, (what) => what === 'DEPTH_ZERO_SELF_SIGNED_CERT');
    await until('the first checks', checkNow, (due) => due.length === 1);
  });

  chapter('shows a line that a container writes within seconds, and none of its secrets', async () => {
    await write('gerbil', `echo '${OLD_LINE}'; seq 1 ${LATER_LINES} | sed 's/^/buoy /'`);
    const first = await until('the logs', logs, ({ lines }) => lines.length > 0);
    expect(first.state).toBe('following');
    expect(first.containers).toMatchObject([
      { name: 'gerbil', state: 'running', is_restartable: true },
      { name: 'pangolin', state: 'exited', memory_bytes: null },
      { name: 'traefik', state: 'running', is_restartable: true, memory_bytes: expect.any(Number) },
    ]);
    const { body } = await ada.call<{ secrets: { name: string; value: string }[] }>('POST', `${path}/reveal-secrets`);
    expect(body.secrets.map(({ name }) => name)).toContain('ADMIN_PASSWORD');
    const spoken = body.secrets.map(({ name, value }) => `echo 'the pilot of ${name} said ${value} aloud'`);
    await write('gerbil', spoken.join('; '));
    const { lines } = await until(
      'the new lines',
      () => logs(`?after=${first.lines.at(-1)?.seq ?? 0}&contains=the%20pilot`),
      (seen) => seen.lines.length >= spoken.length,
      LINE_MS,
    );
    expect(lines.map(({ container, text }) => `${container}: ${text}`)).toEqual(
      body.secrets.map(({ name }) => `gerbil: the pilot of ${name} said ${MASK} aloud`),
    );
    const stored = await product.sql<{ text: string }>('select text from log_lines where deployment_id = $1', [id]);
    const everything = [product.log(), ...stored.map(({ text }) => text)].join('\n');
    for (const { name, value } of body.secrets) expect([name, everything.includes(value)]).toEqual([name, false]);
  });

  chapter('finds an older line on the server', async () => {
    expect((await logs(`?contains=${encodeURIComponent(OLD_LINE)}`)).lines).toEqual([]);
    const found = await until(
      'the search',
      async () =>
        (await ada.call<LogSearchAnswer>('GET', `${path}/logs/search?contains=${encodeURIComponent('berth 7 WAS')}`))
          .body,
      ({ state }) => state !== 'searching',
      LINE_MS,
    );
    expect(found).toMatchObject({ state: 'done', left_out: 0, lines: [{ container: 'gerbil', text: OLD_LINE }] });
  });

  chapter('has an incident for each failure', async () => {
    const open = await until(
      'the incidents',
      openIncidents,
      (incidents) => BROKEN.every((kind) => incidents.some((incident) => incident.kind === kind)),
      LONG_MS,
    );
    expect(open.find(({ kind }) => kind === 'container_stopped')).toMatchObject({
      severity: 'alarm',
      subject: 'pangolin',
    });
    expect(open.find(({ kind }) => kind === 'certificate_expired')?.subject).toBe(ADMIN_HOST);
    expect(open.filter(({ kind }) => kind.startsWith('certificate'))).toHaveLength(1);
    expect(open.find(({ kind }) => kind === 'disk_full')?.message.detail).toContain('92');
    expect(open.find(({ kind }) => kind === 'disk_filling')?.is_explained).toBe(true);
    const told = open.map(({ message }) => message.detail).filter((text) => /pangolin|expired|disk/.test(text));
    await until(
      'the emails',
      () => product.mails(ada.email),
      // Emails are wrapped at a line length.
      (mails) => told.every((sentence) => mails.some(({ text }) => text.replaceAll(/\s+/g, ' ').includes(sentence))),
    );
  });

  chapter('has the figures of the real server', async () => {
    const { latest, points } = await metrics();
    const { host } = latest;
    const [memory_mb, uptime_s] = [Math.floor(totalmem() / MIB), expect.any(Number)];
    expect([latest.host_failure, host]).toEqual([
      null,
      expect.objectContaining({ cpus: cpus().length, memory_mb, disk_mb: DISK_MB, uptime_s }),
    ]);
    for (const share of [host?.cpu_percent ?? -1, (100 * (host?.memory_used_mb ?? -1)) / memory_mb]) {
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThanOrEqual(100);
    }
    expect(Math.floor((100 * (host?.disk_used_mb ?? 0)) / DISK_MB)).toBe(92);
    expect(host?.load).toBeGreaterThan(0);
    expect(host?.containers).toMatchObject([
      { name: 'gerbil', state: 'running', restarts: 0, memory_mb: expect.any(Number) },
      { name: 'pangolin', state: 'exited', memory_mb: null },
      { name: 'traefik', state: 'running', restarts: 0, memory_mb: expect.any(Number) },
    ]);
    const point = { cpu_percent: expect.any(Number), load: expect.any(Number), disk_used_mb: host?.disk_used_mb };
    expect(points).toEqual(expect.arrayContaining([expect.objectContaining(point)]));
    expect(latest.certificate).toMatchObject({ host: ADMIN_HOST, verdict: 'expired', days_left: 0 });
  });

  chapter('is repaired by restarting a container and its router from the logs, and by emptying the disk', async () => {
    const before = await startedAt(ref);
    await fixture(['authority', 'resume']);
    await onServer(['rm', FILLER]);
    await restart('pangolin');
    // Pebble validates at once, before the restarted router serves challenges of renewals, but not those of new certificates.
    await replaceCertificate(ADMIN_HOST, null);
    await restart('traefik');
    expect(Date.parse((await container('pangolin'))?.started_at ?? '')).toBeGreaterThan(0);
    expect((await startedAt(ref)).gerbil).toBe(before.gerbil);
    await until('the new certificate', presented, (what) => what === 'valid');
  });

  chapter('has none of these incidents any more', async () => {
    await until(
      'the end of the incidents',
      openIncidents,
      (incidents) => incidents.every(({ kind }) => !BROKEN.some((broken) => broken === kind)),
      LONG_MS,
    );
    const { latest } = await metrics();
    expect(latest.host?.containers.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'gerbil running',
      'pangolin running',
      'traefik running',
    ]);
    expect(latest.certificate?.verdict).toBe('good');
    expect(product.log()).not.toMatch(/checking (?:a server|the names of a deployment) failed/);
  });
});

/** Makes the checks due, as an operator can. Changes nothing if they are, so that it never blocks the schedule. */
const checkNow = () =>
  product.sql(
    `update reachability set due_at = least(due_at, now()), host_due_at = least(host_due_at, now()),
       names_due_at = least(names_due_at, now())
     where deployment_id = $1 and due_at is not null and greatest(due_at, host_due_at, names_due_at) > now()
     returning deployment_id`,
    [id],
  );

async function openIncidents(): Promise<IncidentAnswer[]> {
  await checkNow();
  const { body } = await ada.call<IncidentsAnswer>('GET', `${path}/incidents`);
  return body.incidents.filter(({ ended_at }) => ended_at === null);
}

const metrics = async (): Promise<MetricsAnswer> => (await ada.call<MetricsAnswer>('GET', `${path}/metrics`)).body;

const logs = async (query = ''): Promise<DeploymentLogsAnswer> =>
  (await ada.call<DeploymentLogsAnswer>('GET', `${path}/logs${query}`)).body;

const container = async (name: string): Promise<ContainerAnswer | undefined> =>
  (await logs()).containers.find((one) => one.name === name);

/** Restarts a container in the console, and waits until it runs. */
async function restart(name: string): Promise<void> {
  expect((await ada.call('POST', `${path}/containers/${name}/restart`)).status).toBe(202);
  const done = await until(
    `the restart of ${name}`,
    () => container(name),
    (seen) => seen?.restart?.state !== 'asked' && seen?.state === 'running',
  );
  expect(done?.restart).toMatchObject({ state: 'done', failure: null });
}

/** Has the main process of a container write the output of a script. */
const write = (name: string, script: string): Promise<string> =>
  onServer(['docker', 'exec', name, 'sh', '-c', `{ ${script}; } > /proc/1/fd/1`]);

/** Fills the disk with the deployment's folder up to this percentage. */
const fillDisk = (percent: number): Promise<string> =>
  onServer([
    'sh',
    '-c',
    `fallocate -l "$(df -Pk /opt/moorage | awk 'NR > 1 { printf "%d", ($3 + $4) * ${percent} / 100 - $3 }')K" ${FILLER}`,
  ]);

/** Replaces or removes a certificate in the router's store, which the router reads when it starts. */
async function replaceCertificate(host: string, next: { certificate: string; key: string } | null): Promise<void> {
  const file = `/opt/moorage/${ref}/config/letsencrypt/acme.json`;
  const store = JSON.parse(await onServer(['cat', file])) as {
    letsencrypt: { Certificates: { domain: { main: string }; certificate: string; key: string; Store: string }[] };
  };
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const kept = store.letsencrypt.Certificates.filter(({ domain }) => domain.main !== host);
  expect(kept).toHaveLength(store.letsencrypt.Certificates.length - 1);
  if (next !== null)
    kept.push({
      domain: { main: host },
      certificate: base64(next.certificate),
      key: base64(next.key),
      Store: 'default',
    });
  store.letsencrypt.Certificates = kept;
  await onServer(['sh', '-c', `cat > ${file}`], JSON.stringify(store));
}

/** Returns `valid` for a certificate of the authority, or the code of the error. */
const presented = async (): Promise<string | undefined> =>
  chainOf(await siteOn(server, ADMIN_HOST)).then(
    () => 'valid',
    (error: NodeJS.ErrnoException) => error.code,
  );
