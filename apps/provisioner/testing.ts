import { expect } from '@jest/globals';
import { CHECK_VPS_WORK, event, EVENTS, SUBSCRIPTIONS } from '@moorage/contracts';
import { createDeployments, type DeploymentRow } from '@moorage/database';
import { type DeploymentStatus, iso } from '@moorage/domain';
import {
  createMessaging,
  createNotices,
  createPostgresEventTransport,
  createPostgresWorkTransport,
  createOutbox,
  createWorkSchedule,
  type Envelope,
  type EventTransport,
  type Messaging,
  type WorkTransport,
} from '@moorage/messaging';
import {
  type Checkpoints,
  type Clock,
  createSealBox,
  createSecrets,
  type Db,
  type Log,
  type Random,
  type Secrets,
  SILENT,
  seededRandom,
  systemClock,
  systemRandom,
  type Tx,
} from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import type { CertificateCheck } from './certificates/types';
import type { Clouds } from './clouds/cloud';
import { createMemoryClouds, type MemoryClouds } from './clouds/memory.cloud';
import { createMemoryHosts, type MemoryHosts } from './clouds/memory-hosts';
import type { DnsCheck } from './dns/types';
import { createProvisioner, type Provisioner } from './provisioner';
import { DNS_LOOK_WORK } from './runs/endings';
import { LIVE_PACE, type Pace } from './runs/pace';
import { RUN_WORK } from './runs/run-store';
import { RECONCILE_WORK } from './servers/reconcile-servers';
import type { Ssh } from './ssh/types';
import { readPackages } from './stacks/packages';
import type { Packages } from './stacks/types';

/** The provisioner's test bench: real services on real PostgreSQL, a clock moved by hand, machines and clouds in memory. */
export const START = Date.parse('2026-12-01T10:00:00Z');
const WORK_KINDS = [CHECK_VPS_WORK, RUN_WORK, DNS_LOOK_WORK];
const TURNS_MAX = 4_000;
const LEASE_MS = 1_000;

/** Moved by hand; sleeping only guards against hanging, so it takes real time. */
export interface BenchClock extends Clock {
  at: number;
}

export function benchClock(at = START): BenchClock {
  const real = systemClock();
  const clock: BenchClock = { ...real, at, now: () => Promise.resolve(clock.at), wall: () => clock.at };
  return clock;
}

/** Goes by itself: for measuring. */
export function realBenchClock(): BenchClock {
  const real = systemClock();
  return {
    ...real,
    get at() {
      return real.wall();
    },
    set at(_instant: number) {
      throw new Error('this clock goes by itself');
    },
  };
}

/** A process that has died: nothing of it reaches the database any more. */
export class Crash extends Error {
  override readonly name = 'Crash';
}
export interface CrashPoints extends Checkpoints {
  dead: boolean;
}
/** `dies`: asked at every checkpoint; whoever has died stays dead. */
export function crashPoints(dies: (name: string) => boolean | Promise<boolean> = () => false): CrashPoints {
  const points: CrashPoints = {
    dead: false,
    async at(name) {
      if (!points.dead && (await dies(name))) points.dead = true;
      if (points.dead) throw new Crash(name);
    },
  };
  return points;
}

/** One provisioner process. */
export interface ActorOnBench {
  readonly db: Db;
  readonly messaging: Messaging;
  readonly provisioner: Provisioner;
  readonly secrets: Secrets;
  readonly points: CrashPoints;
  /** Warnings and errors of its log. */
  readonly told: string[];
}

export interface Bench {
  readonly database: TestDatabase;
  readonly clock: BenchClock;
  readonly memory: MemoryClouds;
  readonly hosts: MemoryHosts;
  readonly packages: Packages;
  readonly pace: Pace;
  /** Whether the records of a host lead to the server; default all do. */
  dnsRight: (host: string) => boolean;
  /** null: issued; else what the authority says. */
  authority: string | null;
  actor(options?: { points?: CrashPoints; clouds?: Clouds; ssh?: Ssh }): Promise<ActorOnBench>;
  /** A process that runs by itself, on the PostgreSQL transports; `stop` ends it. */
  running(): Promise<ActorOnBench & { stop(): Promise<void> }>;
  order(order?: Partial<OrderOnBench>): Promise<number>;
  /** As the api does it: the move and the event in one transaction. */
  ask(id: number, what: 'delete' | 'restart' | 'retry_dns'): Promise<void>;
  /** As billing does it: a depleted deployment, moved or marked. */
  deplete(id: number): Promise<void>;
  /** As the api asks for a look at a user's own server: the row and the work in one transaction; the check's id. */
  askCheck(address: string): Promise<number>;
  row(id: number): Promise<DeploymentRow>;
  steps(id: number): Promise<string[]>;
  /** Turns the actor until the deployment has this status, moving the clock to whatever is due next. */
  until(actor: ActorOnBench, id: number, ...statuses: DeploymentStatus[]): Promise<DeploymentRow>;
  /** Turns until nothing is due at this instant, or within `ms` from it. */
  settle(actor: ActorOnBench, ms?: number): Promise<void>;
  close(): Promise<void>;
}

export interface OrderOnBench {
  readonly package: string;
  readonly domain: string | null;
  readonly server_type: 'new' | 'vps';
  readonly address: string;
  readonly provider: string;
}

export const INSTALLATION = 'installation0001';
export const USER = 1;

export async function openBench({
  pace = LIVE_PACE,
  clock = benchClock(),
  boot_ms = 20_000,
}: { pace?: Pace; clock?: BenchClock; boot_ms?: number } = {}): Promise<Bench> {
  const database = await testDatabase();
  const memory = createMemoryClouds({ clock, boot_ms });
  const hosts = createMemoryHosts({ clouds: memory });
  const packages = await readPackages('infra/packages');
  const box = createSealBox({ keys: [{ id: 'k1', key: Buffer.alloc(32, 7) }], random: systemRandom() });
  await database.sql(`insert into installation (key, created_at) values ($1, now())`, [INSTALLATION]);
  await database.sql(
    `insert into users (username, email, email_normalised, password_hash, referral_code, is_verified, created_at)
     values ('captain', 'captain@example.com', 'captain@example.com', '-', 'code', true, now())`,
  );
  const owner = await database.open();
  const ownerRandom = seededRandom(7);
  const ownerParts = parts(owner, clock, ownerRandom);
  const orderings = { count: 0 };
  let seeds = 0;

  const dns: DnsCheck = {
    look: ({ hosts: names, ipv4 }) => {
      const records = names.map(({ host, required }) => {
        const right = bench.dnsRight(host);
        return {
          host,
          type: 'A' as const,
          value: ipv4 ?? '',
          required,
          right,
          problem: right ? null : ('none' as const),
          reason: right ? null : `${host} does not exist. Its A record must be ${ipv4 ?? ''}.`,
          seen: [],
        };
      });
      return Promise.resolve({ records, all_right: records.every(({ right, required }) => right || !required) });
    },
  };
  const certificates: CertificateCheck = {
    look: ({ address, host }) => {
      const up = hosts.routerIsUp(address);
      const good = up && bench.authority === null;
      return Promise.resolve({
        verdict: good ? 'good' : up ? 'not_issued' : 'unreachable',
        reason: good ? null : (bench.authority ?? `${host} does not answer.`),
        issuer: null,
        names: [host],
        expires_at: null,
      });
    },
    probe: () => Promise.resolve({ ok: true, status: 200, reason: null }),
  };

  const bench: Bench = {
    database,
    clock,
    memory,
    hosts,
    packages,
    pace,
    dnsRight: () => true,
    authority: null,

    async actor({ points = crashPoints(), clouds = memory.clouds, ssh = hosts.ssh } = {}) {
      const told: string[] = [];
      const db = await database.open({ service: 'provisioner', checkpoints: points, connections_max: 6 });
      const { provisioner, secrets, common } = build(db, { clouds, ssh, told });
      const arriving: { events?: Messaging } = {};
      const messaging = createMessaging({
        ...common,
        transports: { events: direct(arriving), work: NO_SIGNALS },
        // a dead process is missed for a second, not for half a minute: deaths are many here
        lease_ms: LEASE_MS,
      });
      arriving.events = messaging;
      return { db, messaging, provisioner, secrets, points, told };
    },

    async running() {
      const told: string[] = [];
      const db = await database.open({ service: 'provisioner' });
      const notices = createNotices({ db, clock });
      const events = createPostgresEventTransport({ db, clock, notices });
      const work = createPostgresWorkTransport({ db, clock, notices });
      const { provisioner, secrets, common } = build(db, {
        clouds: memory.clouds,
        ssh: hosts.ssh,
        told,
        transport: work,
      });
      const messaging = createMessaging({ ...common, transports: { events, work }, notices });
      await messaging.start();
      const stop = async (): Promise<void> => {
        await messaging.stop();
        await notices.close();
      };
      return { db, messaging, provisioner, secrets, points: crashPoints(), told, stop };
    },

    async order({
      package: name = 'pangolin',
      domain = 'example.com',
      server_type = 'new',
      address = '203.0.114.9',
      provider = 'hetzner',
    } = {}) {
      const own = server_type === 'vps';
      const ref = `ref${String(++orderings.count).padStart(13, '0')}`;
      return owner.tx('order', async (tx) => {
        const [row] = await tx.query<{ id: number }>(
          `insert into deployments (user_id, ref, client_name, client_id, package, server_type, cloud_provider, region, instance_type,
             support_level, instance_hourly_micros, status, domain, admin_subdomain, vps_ip_address, config, created_at, updated_at)
           values ($1, $2, 'captain', $2, $3, $4, $5, $6, $7, 1, 35600, 'CREATING', $8, $9, $10, $11, $12, $12) returning id`,
          [
            USER,
            ref,
            name,
            server_type,
            own ? null : provider,
            own ? null : 'fsn1',
            own ? null : 'cpx22',
            domain,
            domain === null ? null : 'admin',
            own ? address : null,
            JSON.stringify(
              domain === null ? {} : { DOMAIN: domain, EMAIL: 'captain@example.com', ADMIN_SUBDOMAIN: 'admin' },
            ),
            iso(clock.at),
          ],
        );
        if (row === undefined) throw new Error('no row');
        await ownerParts.outbox.append(
          tx,
          event('deployment.created', row.id, { deployment_id: row.id, user_id: USER, package: name, server_type }),
        );
        return row.id;
      });
    },

    ask: (id, what) =>
      owner.tx('ask', async (tx) => {
        const row = await locked(tx, id);
        const { deployments, outbox } = ownerParts;
        const facts = { deployment_id: id, user_id: row.user_id };
        switch (what) {
          case 'delete':
            await deployments.move(tx, row, {
              to: 'DESTROYING',
              by: 'api',
              at: clock.at,
              changes: { desired: 'destroyed', destroy_reason: 'deleted', billable_to: clock.at },
            });
            await outbox.append(tx, event('deployment.deletion_requested', id, { ...facts, reason: 'deleted' }));
            return;
          case 'restart':
            await deployments.move(tx, row, {
              to: 'RESTARTING',
              by: 'api',
              at: clock.at,
              changes: { restart_from: row.status, restarted_at: clock.at },
            });
            await outbox.append(tx, event('deployment.restart_requested', id, facts));
            return;
          case 'retry_dns':
            await deployments.move(tx, row, {
              to: 'DNS_VALIDATION',
              by: 'api',
              at: clock.at,
              changes: { dns_retried_at: clock.at },
            });
            await outbox.append(tx, event('deployment.dns_retry_requested', id, facts));
            return;
        }
      }),

    deplete: (id) =>
      owner.tx('deplete', async (tx) => {
        const row = await locked(tx, id);
        const { deployments, outbox } = ownerParts;
        const inFlight = ['CREATING', 'PROVISIONING', 'DNS_VALIDATION', 'RESTARTING'].includes(row.status);
        const changes = { desired: 'destroyed', destroy_reason: 'depleted', billable_to: clock.at } as const;
        if (inFlight)
          await deployments.markDestroyed(tx, row, { at: clock.at, reason: 'depleted', billable_to: clock.at });
        else await deployments.move(tx, row, { to: 'DESTROYING', by: 'billing', at: clock.at, changes });
        await outbox.append(
          tx,
          event('balance.depleted', USER, {
            deployment_id: id,
            user_id: USER,
            client_name: row.client_name,
            day: iso(clock.at).slice(0, 10),
            due_at: iso(clock.at),
            amount_micros: '1',
            locked_micros: '0',
          }),
        );
      }),

    askCheck: (address) =>
      owner.tx('ask-check', async (tx) => {
        const [asked] = await tx.query<{ id: number }>(
          'insert into vps_checks (user_id, address, asked_at) values ($1, $2, $3) returning id',
          [USER, address, iso(clock.at)],
        );
        if (asked === undefined) throw new Error('no row');
        await ownerParts.work.schedule(tx, { kind: CHECK_VPS_WORK, key: String(asked.id), due_at: clock.at });
        return asked.id;
      }),

    row: (id) => owner.tx('row', (tx) => locked(tx, id)),

    async steps(id) {
      const rows = await database.sql<{ step: string; outcome: string }>(
        'select step, outcome from deployment_steps where deployment_id = $1 order by id',
        [id],
      );
      return rows.map(({ step, outcome }) => `${step} ${outcome}`);
    },

    async until(actor, id, ...statuses) {
      for (let turns = 0; turns < TURNS_MAX; turns++) {
        const row = await bench.row(id);
        if (statuses.includes(row.status)) return row;
        if (await turn(actor)) continue;
        const next = await nextDue(database, clock.at);
        if (next === null)
          throw new Error(
            `nothing is due and the deployment is ${row.status}: ${row.failure_reason} ${actor.told.join('\n')}`,
          );
        clock.at = next;
      }
      throw new Error(`it did not become ${statuses.join(' or ')}`);
    },

    async settle(actor, ms = 0) {
      const end = clock.at + ms;
      for (let turns = 0; turns < TURNS_MAX; turns++) {
        if (await turn(actor)) continue;
        const next = await nextDue(database, clock.at);
        if (next === null || next > end) {
          clock.at = end;
          return;
        }
        clock.at = next;
      }
      throw new Error('it does not settle');
    },

    close: () => database.drop(),
  };

  function build(db: Db, on: { clouds: Clouds; ssh: Ssh; told: string[]; transport?: WorkTransport }) {
    const random = seededRandom(100 + ++seeds);
    const { outbox, deployments } = parts(db, clock, random);
    const work = createWorkSchedule({ clock, ...(on.transport === undefined ? {} : { transport: on.transport }) });
    const secrets = createSecrets({ box, clock });
    const provisioner = createProvisioner({
      db,
      clock,
      random,
      outbox,
      work,
      deployments,
      secrets,
      clouds: on.clouds,
      ssh: on.ssh,
      dns,
      certificates,
      packages,
      pace,
      settings: {
        vpsAllowedCidrs: [],
        vpsSshPort: 22,
        acmeDirectoryUrl: 'https://acme.example/directory',
        traefikPlugins: 'on',
      },
      log: collecting(on.told),
    });
    const common = {
      db,
      clock,
      random,
      service: 'provisioner',
      known: EVENTS,
      subscriptions: { provisioner: SUBSCRIPTIONS.provisioner },
      handlers: provisioner.handlers,
      work: provisioner.work,
      onError: (error: unknown, facts?: object) => void on.told.push(`${String(error)} ${JSON.stringify(facts ?? {})}`),
    };
    return { provisioner, secrets, common };
  }

  async function locked(tx: Tx, id: number): Promise<DeploymentRow> {
    const row = await ownerParts.deployments.lock(tx, id);
    if (row === null) throw new Error(`no deployment ${id}`);
    return row;
  }
  return bench;
}

/** One round of everything a process does; false when there was nothing to do. */
export async function turn({ messaging }: ActorOnBench): Promise<boolean> {
  let did = await messaging.relayTick();
  did += await messaging.drainTick();
  for (const kind of WORK_KINDS) did += await messaging.workTick(kind);
  return did > 0;
}

export const reconcile = ({ messaging }: ActorOnBench): Promise<number> => messaging.workTick(RECONCILE_WORK);

/** Turns until the checkpoint kills it; true when it died. */
export async function untilDead(
  bench: Bench,
  actor: ActorOnBench,
  id: number,
  ...statuses: DeploymentStatus[]
): Promise<boolean> {
  try {
    await bench.until(actor, id, ...statuses);
  } catch (error) {
    if (!actor.points.dead) throw error;
  }
  return actor.points.dead;
}

async function nextDue(database: TestDatabase, now: number): Promise<number | null> {
  const [row] = await database.sql<{ due: number | null }>(
    `select min(greatest(due_at, leased_until)) as due from work where kind <> $1 and greatest(due_at, leased_until) > $2`,
    [RECONCILE_WORK, iso(now)],
  );
  return row?.due ?? null;
}

function collecting(told: string[]): Log {
  const keep = (message: string, facts?: object): void => void told.push(`${message} ${JSON.stringify(facts ?? {})}`);
  const log: Log = { ...SILENT, warn: keep, error: keep, child: () => log };
  return log;
}

function parts(db: Db, clock: Clock, random: Random) {
  const outbox = createOutbox({ clock, random });
  return { db, outbox, work: createWorkSchedule({ clock }), deployments: createDeployments({ outbox }) };
}

function direct(arriving: { events?: Messaging }): EventTransport {
  return {
    publish: async (batch: readonly Envelope[]) => arriving.events?.arrived(batch),
    subscribe: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

const NO_SIGNALS: WorkTransport = {
  signal: () => Promise.resolve(),
  listen: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** The cloud has seen exactly one server for it, or none. */
export function expectServers(bench: Bench, ref: string, count: number): void {
  const living = bench.memory.living().filter(({ labels }) => labels.deployment === ref);
  expect(living).toHaveLength(count);
}
