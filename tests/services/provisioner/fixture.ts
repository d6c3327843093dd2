import { afterAll, beforeAll, expect } from '@jest/globals';
import {
  APPLY_DOMAINS,
  BACKUP_WORK,
  CHECK_VPS_WORK,
  APPLY_SSH_KEYS,
  COPY_TO_BUCKET,
  DNS_CHECK_WORK,
  EVENTS,
  DECIDE_LEAK_WORK,
  MAINTAIN_COPIES_WORK,
  FIND_LEAKS_WORK,
  PREPARE_DOWNLOAD,
  RECONCILE_WORK,
  RESTART_CONTAINER,
  RUN_WORK,
  SERVER_CALLBACK_WORK,
  SHARED_SECRETS,
  SUBSCRIPTIONS,
} from '@moorage/contracts';
import type { DeploymentRow } from '@moorage/database';
import { type DeploymentStatus, iso } from '@moorage/domain';
import {
  WITH_THE_DATABASE,
  Messaging,
  PgNotify,
  PostgresEventTransport,
  PostgresWorkTransport,
  WorkSchedule,
  type Envelope,
  type EventTransport,
  type WorkTransport,
} from '@moorage/messaging';
import { SealBox, Secrets, type Db, type Log, SILENT, seededRandom, systemRandom } from '@moorage/server';
import { createReusableDatabase, type ReusableDatabase, type TestDatabase } from '@moorage/testing';
import type { Clouds } from '@moorage/provisioner/clouds/cloud';
import type { BackupOptions } from '@moorage/provisioner/backups/backup-options';
import type { BucketStore } from '@moorage/provisioner/backups/bucket/bucket-store';
import { MemoryCopies } from '@moorage/provisioner/clouds/sandbox/simulated-copies';
import { createMemoryClouds, type MemoryClouds } from '../../fakes/memory-clouds';
import { createMemoryHosts, type MemoryHosts } from '../../fakes/memory-hosts';
import { INTERVALS, type Intervals, LIVE_TIMEOUTS, type StepTimeouts } from '@moorage/provisioner/runs/step-timeouts';
import type { PlatformDns } from '@moorage/provisioner/platform-dns/platform-dns';
import type { ProvisionerOptions } from '@moorage/provisioner/provisioner-options';
import type { Dialer, Ssh } from '@moorage/provisioner/ssh/types';
import { readPackages } from '@moorage/provisioner/stacks/packages';
import type { StackPackages } from '@moorage/provisioner/stacks/types';
import { type FixtureClock, fixtureClock } from './fixture-clock';
import { type BuiltProvisioner, buildProvisioner } from './build-provisioner';
import { Crash, type CrashPoints, crashPoints } from './crash-points';
import { type Customer, customer, INSTALLATION, parts } from './customer';
import { outside, type OutsideAnswers } from './external-systems';

const WORK_KINDS = [
  SERVER_CALLBACK_WORK,
  CHECK_VPS_WORK,
  RUN_WORK,
  DNS_CHECK_WORK,
  BACKUP_WORK,
  MAINTAIN_COPIES_WORK,
  PREPARE_DOWNLOAD,
  COPY_TO_BUCKET,
  APPLY_SSH_KEYS,
  DECIDE_LEAK_WORK,
  APPLY_DOMAINS,
  RESTART_CONTAINER,
];
const TURNS_MAX = 4_000;
const LEASE_MS = 1_000;

/** A provisioner process. */
export interface FixtureActor {
  readonly db: Db;
  readonly messaging: Messaging;
  /** Publishes the provisioner's events, as another service does. */
  readonly relay: Pick<Messaging, 'relayTick'>;
  readonly provisioner: BuiltProvisioner;
  readonly secrets: Secrets;
  readonly points: CrashPoints;
  /** Warnings and errors in its log. */
  readonly reported: string[];
}

/**
 * The provisioner's test fixture, with real services on real PostgreSQL, a clock advanced by the test, and machines and
 * clouds in memory.
 */
export interface ProvisionerFixture extends Customer, OutsideAnswers {
  readonly database: TestDatabase;
  /** Writes the data of other services. */
  readonly owner: Db;
  readonly clock: FixtureClock;
  readonly memory: MemoryClouds;
  readonly hosts: MemoryHosts;
  /** Copies stored by simulated restic. */
  readonly copies: MemoryCopies;
  readonly packages: StackPackages;
  readonly timeouts: StepTimeouts;
  readonly intervals: Intervals;
  actor(options?: {
    points?: CrashPoints;
    clouds?: Clouds;
    ssh?: Ssh;
    dialer?: Dialer;
    log?: Log;
    backups?: Partial<BackupOptions>;
    options?: Partial<ProvisionerOptions>;
    buckets?: BucketStore;
    platformDns?: PlatformDns;
  }): Promise<FixtureActor>;
  /** Starts a process that runs automatically on the PostgreSQL transports. `stop` ends it. */
  running(): Promise<FixtureActor & { stop(): Promise<void> }>;
  steps(id: number): Promise<string[]>;
  /** Runs the actor until the deployment has this status, advancing the clock to the next due time. */
  until(actor: FixtureActor, id: number, ...statuses: DeploymentStatus[]): Promise<DeploymentRow>;
  /** Runs until nothing is due now, or within the next `ms` milliseconds. */
  settle(actor: FixtureActor, ms?: number): Promise<void>;
}

interface FixtureOptions {
  readonly timeouts?: StepTimeouts;
  readonly intervals?: Intervals;
  readonly clock?: FixtureClock;
  readonly boot_ms?: number;
}

/**
 * Opens the fixtures of the suite that calls this at its top. They use one database, one after the other. Each begins
 * with the same rows, and nothing is created twice.
 */
export function fixturesOfSuite(): (options?: FixtureOptions) => Promise<ProvisionerFixture> {
  let ground: Awaited<ReturnType<typeof createGround>>;
  beforeAll(async () => {
    ground = await createGround();
  });
  afterAll(() => ground.drop());
  return (options) => ground.openFixture(options);
}

async function createGround() {
  const stage = await createReusableDatabase();
  const packages = await readPackages('infra/packages');
  const owner = await stage.database.open();
  await stage.database.sql(`insert into installation (key, created_at) values ($1, now())`, [INSTALLATION]);
  await stage.database.sql(
    `insert into users (username, email, email_normalised, password_hash, referral_code, is_verified, created_at)
     values ('captain', 'captain@example.com', 'captain@example.com', '-', 'code', true, now())`,
  );
  await stage.store();
  let last: Doors | undefined;
  return {
    async openFixture(options?: FixtureOptions): Promise<ProvisionerFixture> {
      last?.leave();
      if (last !== undefined) await stage.restore();
      last = doorsOf(stage);
      return fixtureOn({ database: stage.database, doors: last, owner, packages }, options);
    },
    drop: () => stage.drop(),
  };
}

function fixtureOn(
  { database, doors, owner, packages }: { database: TestDatabase; doors: Doors; owner: Db; packages: StackPackages },
  { timeouts = LIVE_TIMEOUTS, intervals = INTERVALS, clock = fixtureClock(), boot_ms = 20_000 }: FixtureOptions = {},
): ProvisionerFixture {
  const memory = createMemoryClouds({ clock, boot_ms });
  const copies = new MemoryCopies();
  const hosts = createMemoryHosts({ clouds: memory, clock, copies });
  const box = new SealBox({ keys: [{ id: 'k1', key: Buffer.alloc(32, 7) }], random: systemRandom() });
  let seeds = 0;

  const { dns, certificates } = outside(() => fixture);

  const fixture: ProvisionerFixture = {
    database,
    owner,
    clock,
    memory,
    hosts,
    copies,
    packages,
    timeouts,
    intervals,
    dnsRight: () => true,
    duringDnsQuery: () => Promise.resolve(),
    authority: null,

    async actor({
      points = crashPoints(),
      clouds = memory.clouds,
      ssh = hosts.ssh,
      dialer = NOBODY,
      log,
      backups,
      options,
      buckets,
      platformDns,
    } = {}) {
      const reported: string[] = [];
      const db = await doors.open(points);
      const { provisioner, secrets, common } = build(db, {
        clouds,
        ssh,
        dialer,
        reported,
        log,
        backups,
        options,
        buckets,
        platformDns,
      });
      const arriving: { events?: Messaging } = {};
      const transports = { events: direct(arriving), work: NO_SIGNALS };
      const messaging = new Messaging({
        ...common,
        relays: false,
        transports,
        // The lease of a crashed process expires after a second instead of half a minute, because crashes are frequent
        // here.
        lease_ms: LEASE_MS,
      });
      arriving.events = messaging;
      const relay = new Messaging({ ...common, ...RELAYING, db: owner, transports });
      return { db, messaging, relay, provisioner, secrets, points, reported };
    },

    async running() {
      const reported: string[] = [];
      const db = await database.open({ service: 'provisioner' });
      const pgNotify = new PgNotify({ db, clock });
      const events = new PostgresEventTransport({ db, clock, pgNotify });
      const work = new PostgresWorkTransport({ db, clock, pgNotify });
      const { provisioner, secrets, common } = build(db, {
        clouds: memory.clouds,
        ssh: hosts.ssh,
        dialer: NOBODY,
        reported,
        transport: work,
      });
      const messaging = new Messaging({ ...common, relays: false, transports: { events, work }, pgNotify });
      const ofRelay = await database.open({ service: 'billing' });
      const relay = new Messaging({
        ...common,
        ...RELAYING,
        db: ofRelay,
        transports: { events: new PostgresEventTransport({ db: ofRelay, clock, pgNotify }), work: NO_SIGNALS },
        pgNotify,
      });
      await messaging.start();
      await relay.start();
      const stop = async (): Promise<void> => {
        await relay.stop();
        await messaging.stop();
        await pgNotify.close();
      };
      return { db, messaging, relay, provisioner, secrets, points: crashPoints(), reported, stop };
    },

    ...customer({ owner, clock }),

    async steps(id) {
      const rows = await database.sql<{ step: string; outcome: string }>(
        'select step, outcome from deployment_steps where deployment_id = $1 order by id',
        [id],
      );
      return rows.map(({ step, outcome }) => `${step} ${outcome}`);
    },

    async until(actor, id, ...statuses) {
      for (let turns = 0; turns < TURNS_MAX; turns++) {
        const row = await fixture.row(id);
        if (statuses.includes(row.status)) return row;
        if (await turn(actor)) continue;
        const next = await nextDue(database, clock.at);
        if (next === null)
          throw new Error(
            `nothing is due and the deployment is ${row.status}: ${row.failure_reason} ${actor.reported.join('\n')}`,
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
      throw new Error('work did not settle');
    },
  };

  function build(
    db: Db,
    on: {
      clouds: Clouds;
      ssh: Ssh;
      dialer: Dialer;
      reported: string[];
      log?: Log | undefined;
      backups?: Partial<BackupOptions> | undefined;
      options?: Partial<ProvisionerOptions> | undefined;
      buckets?: BucketStore | undefined;
      platformDns?: PlatformDns | undefined;
      transport?: WorkTransport;
    },
  ) {
    const random = seededRandom(100 + ++seeds);
    const { outbox, deployments } = parts(db, clock, random);
    const work = new WorkSchedule({ clock, ...(on.transport === undefined ? {} : { transport: on.transport }) });
    const secrets = new Secrets({ box, clock, kinds: SHARED_SECRETS });
    const provisioner = buildProvisioner({
      db,
      clock,
      random,
      outbox,
      work,
      deployments,
      secrets,
      clouds: on.clouds,
      ssh: on.ssh,
      dialer: on.dialer,
      dns,
      certificates,
      packages,
      copies,
      ...(on.options === undefined ? {} : { options: on.options }),
      ...(on.buckets === undefined ? {} : { buckets: on.buckets }),
      ...(on.platformDns === undefined ? {} : { platformDns: on.platformDns }),
      timeouts,
      intervals,
      log: on.log ?? collecting(on.reported),
      ...(on.backups === undefined ? {} : { backups: on.backups }),
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
      onError: (error: unknown, facts?: object) =>
        void on.reported.push(`${String(error)} ${JSON.stringify(facts ?? {})}`),
    };
    return { provisioner, secrets, common };
  }

  return fixture;
}

interface Doors {
  open(points: CrashPoints): Promise<Db>;
  /** Ends the access of all processes to the database. */
  leave(): void;
}

/**
 * Manages the database connections of processes. A closed process passes its connections on to the next process, and
 * can no longer use them.
 */
function doorsOf(stage: ReusableDatabase): Doors {
  const free: string[] = [];
  const inside = new Set<() => void>();
  let counter = 0;
  return {
    async open(points) {
      const name = free.pop() ?? `process ${++counter}`;
      const door = await stage.open('provisioner', name, points);
      let left = false;
      const leave = (): void => {
        left = true;
        inside.delete(leave);
      };
      inside.add(leave);
      const through = <T>(place: string, go: () => Promise<T>): Promise<T> =>
        left || points.dead ? Promise.reject(new Crash(place)) : go();
      return {
        ...door,
        checkpoints: points,
        tx: (place, fn) => through(place, () => door.tx(place, fn)),
        read: (place, fn) => through(place, () => door.read(place, fn)),
        close: async () => {
          if (left) return;
          leave();
          free.push(name);
        },
      };
    },
    leave: () => inside.forEach((leave) => leave()),
  };
}

/** Runs one round of all tasks of a process. Returns false if there was nothing to do. */
export async function turn({ messaging, relay }: FixtureActor): Promise<boolean> {
  let did = await relay.relayTick();
  did += await messaging.drainTick();
  for (const kind of WORK_KINDS) did += await messaging.workTick(kind);
  return did > 0;
}

export const reconcile = ({ messaging }: FixtureActor): Promise<number> => messaging.workTick(RECONCILE_WORK);

/** Runs every due reconciliation with the providers. */
export async function compareProviders(actor: FixtureActor): Promise<void> {
  await actor.provisioner.recovery.run();
  while ((await reconcile(actor)) > 0);
}

/** Runs every due check for leaks. */
export async function findLeaks(actor: FixtureActor): Promise<void> {
  await actor.provisioner.recovery.run();
  while ((await actor.messaging.workTick(FIND_LEAKS_WORK)) > 0);
}

/** Runs the next reconciliations. */
export async function nextComparison(fixture: ProvisionerFixture, actor: FixtureActor): Promise<void> {
  fixture.clock.at += fixture.intervals.reconcile_every_ms;
  await compareProviders(actor);
}

/** Runs until the checkpoint crashes the process. Returns true if it crashed. */
export async function untilDead(
  fixture: ProvisionerFixture,
  actor: FixtureActor,
  id: number,
  ...statuses: DeploymentStatus[]
): Promise<boolean> {
  try {
    await fixture.until(actor, id, ...statuses);
  } catch (error) {
    if (!actor.points.dead) throw error;
  }
  return actor.points.dead;
}

/** Starts processes with these checkpoints, one after the other, until one of them finishes without a crash. */
export async function untilFinished(fixture: ProvisionerFixture, id: number, points: () => CrashPoints): Promise<void> {
  for (let isDead = true; isDead;) {
    const actor = await fixture.actor({ points: points() });
    isDead = await untilDead(fixture, actor, id, 'READY');
    await actor.db.close();
  }
}

async function nextDue(database: TestDatabase, now: number): Promise<number | null> {
  const [row] = await database.sql<{ due: number | null }>(
    `select min(greatest(due_at, leased_until)) as due from work where kind <> all($1) and greatest(due_at, leased_until) > $2`,
    [[RECONCILE_WORK, FIND_LEAKS_WORK], iso(now)],
  );
  return row?.due ?? null;
}

function collecting(reported: string[]): Log {
  const store = (message: string, facts?: object): void =>
    void reported.push(`${message} ${JSON.stringify(facts ?? {})}`);
  const log: Log = { ...SILENT, warn: store, error: store, child: () => log };
  return log;
}

function direct(arriving: { events?: Messaging }): EventTransport {
  return {
    publish: async (batch: readonly Envelope[]) => arriving.events?.arrived(batch),
    subscribe: () => Promise.resolve(),
    health: () => WITH_THE_DATABASE,
    close: () => Promise.resolve(),
  };
}

/** Rejects all connections, so that nothing leaves the test. */
const NOBODY: Dialer = { dial: () => Promise.reject(new Error('nobody there')) };

/** A part of billing that only publishes events. */
const RELAYING = { service: 'billing', handlers: {}, work: {} };

const NO_SIGNALS: WorkTransport = {
  signal: () => Promise.resolve(),
  listen: () => Promise.resolve(),
  health: () => WITH_THE_DATABASE,
  close: () => Promise.resolve(),
};

/** Expects that the cloud has this number of live servers for the ref. */
export function expectServers(fixture: ProvisionerFixture, ref: string, count: number): void {
  const living = fixture.memory.living().filter(({ labels }) => labels.deployment === ref);
  expect(living).toHaveLength(count);
}
