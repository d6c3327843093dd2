import http from 'node:http';
import https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { APPLY_DOMAINS, event, EVENTS, SUBSCRIPTIONS } from '@moorage/contracts';
import {
  type CheckedCertificate,
  checkedCertificates,
  Deployments,
  type DeploymentRow,
  furtherDomains,
  stateOfDomain,
} from '@moorage/database';
import { DAY_MS, iso, type DeploymentStatus, type Message } from '@moorage/domain';
import {
  Messaging,
  Outbox,
  PgNotify,
  PostgresEventTransport,
  PostgresWorkTransport,
  WorkSchedule,
} from '@moorage/messaging';
import { parseSettings } from '@moorage/runtime';
import { type Db, type Running, SILENT, systemClock, systemRandom } from '@moorage/server';
import { type PackagesFolder, packagesWithTests, testDatabase, type TestDatabase } from '@moorage/testing';
import { Sandbox } from './clouds/sandbox/sandbox';
import { SANDBOX_DEFAULTS } from './clouds/sandbox/sandbox-options';
import { startProvisioner } from './process';
import { ResponseCheck } from './watch/response-check.service';
import { OPTIONS } from '@moorage/tests/services/provisioner';

/** Two complete provisioner processes on one database, with real SSH, real TLS and simulated machines. */
let database: TestDatabase;
let owner: Db;
let running: Running[];
let packages: PackagesFolder;
let sandbox: Sandbox;
const clock = systemClock();
const outbox = new Outbox({ clock, random: systemRandom() });
const deployments = new Deployments({ outbox });

beforeAll(async () => {
  database = await testDatabase();
  owner = await database.open();
  sandbox = new Sandbox(owner, clock, SANDBOX_DEFAULTS);
  await database.sql(`insert into installation (key, created_at) values ('here', now())`);
  await database.sql(`insert into users (username, email, email_normalised, password_hash, referral_code, created_at)
    values ('captain', 'captain@example.com', 'captain@example.com', '-', 'code', now())`);
  packages = packagesWithTests();
  const settings = parseSettings({
    SECRETS_KEYS: `k1:${Buffer.alloc(32, 9).toString('base64')}`,
    PACKAGES_DIR: packages.path,
  });
  running = [];
  for (let n = 0; n < 2; n++) {
    running.push(await startProvisioner({ settings, databaseUrl: database.urlOf('provisioner'), log: SILENT }));
  }
  running.push(await startRelay());
});
afterAll(async () => {
  for (const process of running) await process.stop();
  await sandbox.close();
  await database.drop();
  packages.remove();
});

/** Starts the part of billing that publishes events for the provisioner. */
async function startRelay(): Promise<Running> {
  const db = await database.open({ service: 'billing' });
  const pgNotify = new PgNotify({ db, clock });
  const relay = new Messaging({
    db,
    clock,
    random: systemRandom(),
    service: 'billing',
    known: EVENTS,
    subscriptions: { provisioner: SUBSCRIPTIONS.provisioner },
    handlers: {},
    work: {},
    transports: {
      events: new PostgresEventTransport({ db, clock, pgNotify }),
      work: new PostgresWorkTransport({ db, clock, pgNotify }),
    },
    pgNotify,
    onError: () => undefined,
  });
  await relay.start();
  return {
    async stop() {
      await relay.stop();
      await pgNotify.close();
    },
  };
}

const row = (id: number): Promise<DeploymentRow> =>
  owner.tx('row', async (tx) => {
    const found = await deployments.lock(tx, id);
    if (found === null) throw new Error('no such deployment');
    return found;
  });

/** Timeouts for operations that take seconds on an idle machine, and for the test around them. */
const PATIENCE_MS = 120_000;
const TEST_MS = 300_000;

async function until(id: number, ...statuses: DeploymentStatus[]): Promise<DeploymentRow> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await row(id);
    if (statuses.includes(found.status)) return found;
    if (performance.now() > deadline) throw new Error(`still ${found.status}: ${found.failure_reason ?? ''}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

let orders = 0;
const order = (
  provider: string,
  domain: string | null,
  { packageName = 'pangolin', admin = 'admin' }: { packageName?: string; admin?: string } = {},
): Promise<number> =>
  owner.tx('order', async (tx) => {
    const name = domain === null ? 'test-page' : packageName;
    const [created] = await tx.query<{ id: number }>(
      `insert into deployments (user_id, ref, client_name, client_id, package, server_type, cloud_provider, region, instance_type,
         support_level, instance_hourly_micros, status, domain, admin_subdomain, config, created_at, updated_at)
       values (1, $1, 'captain', 'captain', $2, 'new', $3, 'somewhere', 'small', 1, 1, 'CREATING', $4, $6, $5, now(), now()) returning id`,
      [
        `order${String(++orders).padStart(11, '0')}`,
        name,
        provider,
        domain,
        JSON.stringify(
          domain === null ? {} : { DOMAIN: domain, EMAIL: 'captain@example.com', TRAEFIK_SUBDOMAIN: 'traefik' },
        ),
        admin,
      ],
    );
    if (created === undefined) throw new Error('no row');
    await outbox.append(
      tx,
      event('deployment.created', created.id, {
        deployment_id: created.id,
        user_id: 1,
        package: name,
        server_type: 'new',
      }),
    );
    return created.id;
  });

const give = (id: number): Promise<void> =>
  owner.tx('give up', async (tx) => {
    const found = await deployments.lock(tx, id);
    if (found === null) throw new Error('no such deployment');
    const at = await clock.now(tx);
    await deployments.move(tx, found, {
      to: 'DESTROYING',
      by: 'api',
      at,
      changes: { desired: 'destroyed', destroy_reason: 'deleted', billable_to: at },
    });
    await outbox.append(
      tx,
      event('deployment.deletion_requested', id, { deployment_id: id, user_id: 1, reason: 'deleted' }),
    );
  });

async function certificatesOf(id: number): Promise<readonly CheckedCertificate[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const certificates = await owner.read('certificates', (reads) => checkedCertificates(reads, id));
    if (certificates.some(({ refusal }) => refusal !== null)) return certificates;
    if (performance.now() > deadline) throw new Error(`no refusal: ${JSON.stringify(certificates)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const living = () => database.sql<{ name: string }>(`select name from sandbox_servers where state <> 'gone'`);

/** Does the same as the api and writes the row and the work in one transaction. */
const addDomain = (id: number, host: string): Promise<void> =>
  owner.tx('add domain', async (tx) => {
    const at = await clock.now(tx);
    await tx.execute(
      `insert into deployment_domains (deployment_id, host, kind, added_at) values ($1, $2, 'redirect', $3)`,
      [id, host, iso(at)],
    );
    await new WorkSchedule({ clock }).schedule(tx, { kind: APPLY_DOMAINS, key: String(id), due_at: at });
  });

/** Requests `/a/b?c=1` of a host as a browser does, and returns status and target. */
async function visit({ address, host, secure }: { address: string; host: string; secure: boolean }) {
  const there = await sandbox.dial(address, secure ? 443 : 80);
  const options = {
    ...there,
    path: '/a/b?c=1',
    headers: { host },
    servername: host,
    ca: await sandbox.authority.certificate(),
  };
  return new Promise((resolve, reject) => {
    const requested = (secure ? https : http).get(options, (response) => {
      response.resume();
      resolve([response.statusCode, response.headers.location]);
    });
    requested.once('error', reject);
  });
}

/** Runs the reachability check of a process. */
const answers = async (id: number): Promise<boolean> =>
  (await new ResponseCheck(sandbox, clock, OPTIONS).responseMs(await row(id), new AbortController().signal)) !== null;

describe('sandbox over real SSH and TLS', () => {
  it(
    'brings a package with a domain to READY, with certificates for all its names, and removes it',
    async () => {
      const id = await order('hetzner', 'harbour.sandbox.localhost');
      const ready = await until(id, 'READY', 'FAILED', 'DNS_FAILED');
      expect(ready).toMatchObject({ status: 'READY', failure_reason: null });
      const [checked] = await database.sql<{ records: { host: string; right: boolean }[] }>(
        'select records from dns_checks where deployment_id = $1',
        [id],
      );
      expect(checked?.records.filter(({ right }) => right).map(({ host }) => host)).toEqual(
        expect.arrayContaining(['admin.harbour.sandbox.localhost', 'traefik.harbour.sandbox.localhost']),
      );
      expect(await answers(id)).toBe(true);
      await give(id);
      expect((await until(id, 'DESTROYED')).deleted_at).not.toBeNull();
      expect(await answers(id)).toBe(false);
      expect(await living()).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'redirects a further domain with a certificate of its own, and shows the missing record of another',
    async () => {
      const id = await order('aws', 'pier.sandbox.localhost');
      await until(id, 'READY', 'FAILED', 'DNS_FAILED');
      await addDomain(id, 'www.quay.sandbox.localhost');
      await addDomain(id, 'nodns.quay.sandbox.localhost');
      const states = async () =>
        (await owner.read('domains', (reads) => furtherDomains(reads, id))).map((one) =>
          stateOfDomain(one, Date.now()),
        );
      const deadline = performance.now() + PATIENCE_MS;
      while ((await states()).join() !== 'active,record_missing' && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 30));
      expect(await states()).toEqual(['active', 'record_missing']);
      const { instance_ip: address } = await row(id);
      const target = 'https://admin.pier.sandbox.localhost/a/b?c=1';
      for (const secure of [true, false])
        expect(await visit({ address: address ?? '', host: 'www.quay.sandbox.localhost', secure })).toEqual([
          301,
          target,
        ]);
      expect((await row(id)).status).toBe('READY');
      await give(id);
      await until(id, 'DESTROYED');
    },
    TEST_MS,
  );

  it(
    'stores the state of each name if the authority rejects one and accepts another',
    async () => {
      const id = await order('gcp', 'two.sandbox.localhost', { admin: 'nocert' });
      await until(id, 'DNS_FAILED');
      const certificates = await certificatesOf(id);
      expect(certificates).toEqual([
        expect.objectContaining({
          host: 'nocert.two.sandbox.localhost',
          verdict: 'not_issued',
          reason: {
            code: 'certificate.refused_identifier',
            facts: { host: 'nocert.two.sandbox.localhost' },
            detail: expect.stringContaining("won't issue a certificate for the name nocert.two.sandbox.localhost"),
          },
          refusal: {
            problem: 'rejectedIdentifier',
            words: 'rejectedIdentifier: the sandbox authority issues no certificate for this name',
          },
          address: expect.stringMatching(/^198\.18\./),
        }),
        expect.objectContaining({
          host: 'traefik.two.sandbox.localhost',
          verdict: 'good',
          reason: null,
          refusal: null,
          issuer: expect.stringContaining('Moorage Sandbox Authority'),
        }),
      ]);
      expect(Date.parse(certificates[1]?.expires_at ?? '')).toBeGreaterThan(Date.now() + 80 * DAY_MS);
      // Waiting would not change this refusal.
      expect((await row(id)).failure_reason).toContain("won't issue a certificate for the name nocert.two");
      await give(id);
      await until(id, 'DESTROYED');
    },
    TEST_MS,
  );

  it(
    'brings a package that is only a folder to READY, using its base and its parts',
    async () => {
      const id = await order('linode', 'watch.sandbox.localhost', { packageName: 'test-watch' });
      expect(await until(id, 'READY', 'FAILED', 'DNS_FAILED')).toMatchObject({ status: 'READY', failure_reason: null });
      const [server] = await database.sql<{ host: object }>(
        `select host from sandbox_servers where provider = 'linode' and state <> 'gone'`,
      );
      expect(JSON.stringify(server?.host)).toContain('/.moorage/post-the-watch.sh');
      await give(id);
      await until(id, 'DESTROYED');
    },
    TEST_MS,
  );

  it(
    'serves all seven names',
    async () => {
      const providers = ['aws', 'azure', 'gcp', 'digitalocean', 'hetzner', 'linode', 'vultr'];
      const ids = await Promise.all(providers.map((provider) => order(provider, null)));
      for (const id of ids) expect((await until(id, 'ACTIVE', 'FAILED')).status).toBe('ACTIVE');
      expect(await living()).toHaveLength(7);
      expect(await Promise.all(ids.map(answers))).toEqual(ids.map(() => true));
      for (const id of ids) await give(id);
      for (const id of ids) await until(id, 'DESTROYED');
      expect(await living()).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'never resolves a name that asks not to be resolved',
    async () => {
      const id = await order('vultr', 'nodns.harbour.sandbox.localhost');
      await until(id, 'DNS_VALIDATION');
      const deadline = performance.now() + PATIENCE_MS;
      let reason: Message | null = null;
      while (reason === null && performance.now() < deadline) {
        const [checked] = await database.sql<{ records: { reason: Message | null }[] }>(
          'select records from dns_checks where deployment_id = $1',
          [id],
        );
        reason = checked?.records[0]?.reason ?? null;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      expect(reason?.detail).toMatch(/nodns\.harbour\.sandbox\.localhost/);
      expect((await row(id)).status).toBe('DNS_VALIDATION');
    },
    TEST_MS,
  );
});
