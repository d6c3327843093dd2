import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { chapters } from '../journeys/chapters';
import { createPayingCustomer } from '../journeys/paying-customer';
import { type Person, until } from '../journeys/customer';
import { type Product, startProduct } from '../journeys/product';
import { host, type Host, hostUp, onHost } from './host';
import type { TimelineEntryAnswer } from '@moorage/contracts';

const LONG_MS = 300_000;
/**
 * The owner's key, which must not be changed, and the key of the order, which is absent until the deployment costs
 * money.
 */
const OWN_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea owner';
const CUSTOMER_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGqQ2j7T0y7HqG0mYJ0j3o2J8q4s4Kc9o3f0m1l9C0aB ada@laptop';
const BUSY = 'The server is still busy with the previous step.';

interface Deployment {
  readonly id: number;
  readonly status: string;
  readonly failure_reason: string | null;
}

let server: Host;
let product: Product;
let ada: Person;
let path: string;
let ref: string;

beforeAll(async () => {
  server = await hostUp();
  product = await startProduct(['all-in-one'], { ...server.lab_settings, TRAEFIK_PLUGINS: 'off' });
}, LONG_MS);

afterAll(async () => {
  await product?.stop();
  await host(['down']);
}, LONG_MS);

describe('Debian server with faults in the middle of every step', () => {
  const chapter = chapters(LONG_MS, story);

  chapter('is ordered, and the script times out while Docker is being installed', async () => {
    ada = await createPayingCustomer(product, 'ada');
    const script = await ada.call<string>('GET', '/servers/periphery-script?package=pangolin');
    const line = /ssh-ed25519 [A-Za-z0-9+/=]+[^\n"']*/.exec(script.body)?.[0] ?? '';
    await onHost('mkdir -p -m 700 .ssh && cat > .ssh/authorized_keys', `${OWN_KEY}\n${line}\n`);
    const checked = await ada.call<{ state?: string; detail?: string }>('POST', '/servers/validate-vps', {
      ip_address: server.server.ip,
    });
    expect([checked.status, checked.body.state, checked.body.detail]).toEqual([200, 'passed', undefined]);
    await hold('packages', true);
    const created = await ada.call<Deployment>('POST', '/deployments/', {
      package: 'pangolin',
      server_type: 'vps',
      vps_ip_address: server.server.ip,
      user_ssh_key: CUSTOMER_KEY,
      support_level: 1,
      domain: 'harbour.example.test',
      admin_email: ada.email,
      admin_subdomain: '',
      traefik_subdomain: '',
    });
    expect(created.status).toBe(201);
    path = `/deployments/${created.body.id}`;
    const [row] = await product.sql<{ ref: string }>('select ref from deployments where id = $1', [created.body.id]);
    ref = row?.ref ?? '';
    await installing();
    // As `timeout` does when the time is over.
    await onHost(`kill -TERM $(pgrep -f "^timeout .*/bootstrap ")`);
    await says('bootstrap', 'retrying');
    await installing();
  });

  chapter('continues the installation, and the next worker waits for it, even after one was killed', async () => {
    await says('bootstrap', 'waiting', BUSY);
    await killWorker();
    const waits = (await timeline()).filter(({ outcome }) => outcome === 'started').length;
    await until('the new worker to come back', claims, (count) => count > 0);
    await installing();
    expect((await timeline()).filter(({ outcome }) => outcome === 'started')).toHaveLength(waits);
    expect((await deployment()).status).toBe('PROVISIONING');
  });

  chapter('recovers on the next attempt after a power failure left dpkg broken', async () => {
    await host(['reboot']);
    expect(await onHost('dpkg --audit')).toMatch(/containerd\.io/);
    // No registry has the image. It is loaded as soon as Docker runs, before the order needs it.
    await hold('docker', true);
    await hold('packages', false);
    await host(['images']);
    await hold('docker', false);
    await says('bootstrap', 'done');
    expect(await onHost('dpkg --audit')).toBe('');
    expect(await onHost('docker version --format "{{.Server.Version}}"')).toMatch(/^\d+\./);
  });

  chapter(
    'continues to start the software after the worker was killed, and the next one reads the result',
    async () => {
      await until(
        'the container to start',
        () => onHost('docker ps -q'),
        (ids) => ids.trim() !== '',
        120_000,
      );
      expect(await keys()).not.toContain(CUSTOMER_KEY);
      await killWorker();
      const begun = await startedAt();
      await reaches('DNS_VALIDATION');
      expect(await startedAt()).toBe(begun);
      const reported = (await timeline()).filter(({ step }) => step === 'start-stack');
      expect(reported.map(({ message }) => message?.detail)).toContain(BUSY);
      expect(await onHost(`head -n 1 /var/lib/moorage/${ref}/answer`)).toMatch(/^start-stack \d+-\d+$/m);
    },
  );

  chapter("accepts the order's key once the deployment is charged", async () => {
    const [bill] = await product.sql<{ open: boolean }>('select billable_from is not null as open from deployments');
    expect(bill?.open).toBe(true);
    expect(await keys()).toContain(CUSTOMER_KEY);
    expect(await keys()).toContain(OWN_KEY);
  });

  chapter('is cleaned up completely on deletion, despite a full disk and an empty run number', async () => {
    await onHost(`: > /var/lib/moorage/${ref}/run_number`);
    await host(['fill']);
    await expect(onHost('head -c 65536 /dev/zero > /root/more')).rejects.toThrow(/No space left/);
    // DNS_VALIDATION ends in DNS_FAILED when its time is over.
    await product.sql(
      `update runs set step_started_at = step_started_at - interval '20 minutes' where state = 'running'`,
    );
    await reaches('DNS_FAILED');
    const deleted = await ada.call<{ status: string }>('DELETE', path);
    expect([deleted.status, deleted.body.status]).toEqual([200, 'DESTROYING']);
    expect((await reaches('DESTROYED')).failure_reason).not.toMatch(/may still be there/);
    expect(await onHost('ls -d /opt/moorage /var/lib/moorage 2>&1; :')).not.toMatch(/^\/(opt|var)/m);
    expect(await onHost('docker ps -aq; docker network ls -q --filter label=com.docker.compose.project')).toBe('');
    expect(await keys()).toBe(`${OWN_KEY}\n`);
  });
});

/** Pauses the installation of a package, or continues it. */
const hold = (what: 'packages' | 'docker', held: boolean): Promise<void> => {
  const file = join(server.bench_dir, 'run', `hold-${what}`);
  return held ? writeFile(file, '') : rm(file);
};

/** Waits until dpkg is in the middle of a package. */
const installing = (): Promise<string> =>
  until(
    'dpkg to be in the middle of containerd.io',
    () => onHost("pgrep -fa '[c]ontainerd.io.postinst'; :"),
    (found) => found.trim() !== '',
    120_000,
  );

const keys = (): Promise<string> => onHost('cat .ssh/authorized_keys');
const startedAt = (): Promise<string> => onHost(`docker inspect -f '{{.Id}} {{.State.StartedAt}}' pangolin`);

/** Kills the worker, like a power failure, an operator or the kernel. Another worker takes over immediately. */
async function killWorker(): Promise<void> {
  const worker = product.processes.at(-1);
  worker?.child.kill('SIGKILL');
  await worker?.ended;
  await product.spawn('all-in-one');
}

const claims = async (): Promise<number> =>
  (
    await product.sql<{ count: number }>(
      `select count(*)::int as count from work where kind = 'run' and leased_until > now()`,
    )
  )[0]?.count ?? 0;

const deployment = async (): Promise<Deployment> => (await ada.call<Deployment>('GET', path)).body;

const timeline = async (): Promise<TimelineEntryAnswer[]> =>
  (await ada.call<TimelineEntryAnswer[]>('GET', `${path}/steps`)).body;

const says = (step: string, outcome: string, message?: string): Promise<unknown> =>
  until(
    `${step} ${outcome}`,
    timeline,
    (lines) =>
      lines.some(
        (line) =>
          line.step === step && line.outcome === outcome && (message === undefined || line.message?.detail === message),
      ),
    180_000,
  );

async function reaches(wanted: string): Promise<Deployment> {
  const seen = await until(wanted, deployment, ({ status }) => status === wanted || status.endsWith('FAILED'), 240_000);
  expect(seen.status).toBe(wanted);
  return seen;
}

async function story(): Promise<string> {
  if (path === undefined) return product.log().slice(-3_000);
  const lines = (await timeline()).map(({ step, outcome, message }) => `${step} ${outcome} ${message?.detail ?? ''}`);
  return `${lines.join('\n')}\n${product.log().slice(-4_000)}`;
}
