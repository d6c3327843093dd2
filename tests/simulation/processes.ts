import type { Api, ApiSettings } from '@moorage/api';
import { buildApi } from '../services/api';
import type { BillingService, SealFiles } from '@moorage/billing';
import { billingHandlers, buildBilling } from '../services/billing';
import {
  ACCOUNT_SECRETS,
  EVENTS,
  SYNC_PAYMENT,
  RETRY_STRIPE_EVENT,
  SHARED_SECRETS,
  SUBSCRIPTIONS,
} from '@moorage/contracts';
import { Deployments, type Service } from '@moorage/database';
import { cloudSetup, HOUR_MS, MINUTE_MS, parseSupportDays, PRICE_LIST, SECOND_MS } from '@moorage/domain';
import { Ledger, INVARIANTS } from '@moorage/ledger';
import { Messaging, Outbox, WorkSchedule, type EventHandlers, PgNotify, type WorkKind } from '@moorage/messaging';
import {
  INTERVALS,
  type Intervals,
  LIVE_TIMEOUTS,
  type StackPackages,
  type RetryPolicy,
  Sandbox,
  type StepTimeouts,
} from '@moorage/provisioner';
import { buildProvisioner } from '../services/provisioner';
import { SealBox, Secrets, parseSealKeys, type Random, AccountSecrets, SILENT } from '@moorage/server';
import { CHEAP_GUESSES } from '@moorage/testing';
import { type ProcessParts, type WorldProcess } from './world/world';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Auditors } from './auditors';
import { NOT_ALL_LOST } from './read-state';
import type { ExternalSystems } from './external-systems';

/**
 * Assembles the services for the simulation like their processes, with the clock, randomness and network of the
 * simulation.
 */
export const GRACE_PERIOD_MINUTES = 60;
const SEAL_KEYS = `world:${Buffer.alloc(32, 7).toString('base64')}`;

/** Sends no notifications, so everything is found by polling. */
export class NoNotices extends PgNotify {
  override notify(): void {}

  override send(): Promise<void> {
    return Promise.resolve();
  }

  override listen(): Promise<() => void> {
    return Promise.resolve(() => undefined);
  }
}

export interface Wiring {
  readonly outbox: Outbox;
  readonly work: WorkSchedule;
  readonly deployments: Deployments;
  readonly ledger: Ledger;
  readonly secrets: Secrets;
  readonly accountSecrets: AccountSecrets;
  readonly box: SealBox;
}

export function wire(service: Service, { clock, random }: Pick<ProcessParts, 'clock' | 'random'>): Wiring {
  const outbox = new Outbox({ clock, random });
  const deployments = new Deployments({ outbox });
  const box = new SealBox({ keys: parseSealKeys(SEAL_KEYS), random });
  return {
    outbox,
    work: new WorkSchedule({ clock }),
    deployments,
    ledger: new Ledger({ deployments, outbox, actor: service, gracePeriodMinutes: GRACE_PERIOD_MINUTES }),
    box,
    secrets: new Secrets({ box, clock, kinds: SHARED_SECRETS }),
    accountSecrets: new AccountSecrets({ box, clock, kinds: ACCOUNT_SECRETS }),
  };
}

/**
 * Returns the loops of a service, which are drain, sweep, one per kind of work, and the relay except in the
 * provisioner.
 */
export function loopsOf(
  service: Service,
  { db, clock, random, network, onError }: ProcessParts,
  { handlers, work }: { handlers: EventHandlers; work: Readonly<Record<string, WorkKind>> },
): WorldProcess {
  const messaging = new Messaging({
    db,
    clock,
    random,
    service,
    known: EVENTS,
    subscriptions: SUBSCRIPTIONS,
    handlers,
    work,
    transports: { events: network.events, work: network.work },
    onError,
    relays: service !== 'provisioner',
  });
  return {
    arrived: (envelopes) => messaging.arrived(envelopes),
    ticks: [
      ...(service === 'provisioner' ? [] : [{ name: 'relay', weight: 2, run: () => messaging.relayTick() }]),
      { name: 'drain', weight: 3, run: () => messaging.drainTick() },
      { name: 'sweep', weight: 0.4, run: () => messaging.sweepTick() },
      ...Object.keys(work).map((kind) => ({
        name: `work ${kind}`,
        weight: WEIGHTS[kind] ?? 1,
        run: () => messaging.workTick(kind),
      })),
    ],
  };
}

/** Weights of work. Runs have most of the turns, and comparisons of whole lists have the fewest. */
const WEIGHTS: Readonly<Record<string, number>> = {
  run: 8,
  'check-vps': 1,
  'dns-check': 0.4,
  'reconcile-servers': 0.4,
  'server-callback': 0.2,
};

export const API_SETTINGS: ApiSettings = {
  mode: 'demo',
  publicUrl: 'http://world.localhost',
  jwtSecret: 'a secret of the world that is long enough',
  clientKeys: [],
  trustedProxies: [],
  brand: { name: 'World', tagline: '', supportEmail: 'support@world.localhost', introVideoUrl: null },
  links: { terms: null, privacy: null, imprint: null, status: null, docs: null, forum: null, changelog: null },
  support: {
    hours: { days: parseSupportDays('Mon-Fri 09:00-17:00') ?? [], zone: 'UTC' },
    hoursText: 'Mon-Fri 09:00-17:00',
    phone: null,
    manager: null,
  },
  operator: { name: 'World', address: [], taxId: null, tax: null },
  adminsNeedTwoFactor: false,
  checkoutMaxCents: 100_000,
  gracePeriodMinutes: 60,
  deleteUndoHours: 0,
  stripe: null,
  mail: { from: 'world@world.localhost', url: null, folder: tmpdir() },
  backups: { hasTarget: false, quotaOf: (level) => (level === 3 ? 100 : 20) * 1_000_000_000 },
  platform: null,
  downloads: { folder: join(tmpdir(), 'moorage-downloads'), bytesMax: 20_000_000_000 },
  documentWorker: null,
  packagesFolder: 'infra/packages',
  clouds: cloudSetup({ sandbox: true, chosen: {} }),
  creditOnlyMaxHourly: PRICE_LIST.creditOnlyMaxHourly.toWire(),
  passwordCost: CHEAP_GUESSES,
  vpsAllowedCidrs: [],
  hasPrivateServers: false,
  checksImages: false,
  domainAllowedZones: ['localhost'],
  queues: null,
  dns: { resolvers: null, apiBase: null, connect: null },
  callbacks: { awsTopics: [], azureKey: null, googleAccount: null },
};

/** The api with data known only to its process. The simulated payment provider signs with the secret. */
export interface BuiltApi {
  readonly api: Api;
  readonly wiring: Wiring;
  readonly stripeSecret: string;
}

export async function apiOf(parts: ProcessParts): Promise<BuiltApi> {
  const wiring = wire('api', parts);
  const drawn: string[] = [];
  const random: Random = {
    ...parts.random,
    text(length, alphabet) {
      const text = parts.random.text(length, alphabet);
      drawn.push(text);
      return text;
    },
  };
  const api = await buildApi(
    {
      db: parts.db,
      clock: parts.clock,
      random,
      log: SILENT,
      settings: API_SETTINGS,
      pgNotify: new NoNotices(parts),
      ...wiring,
    },
    { checkAnswers: true },
  );
  const [secret, ...others] = drawn.splice(0);
  if (secret === undefined || others.length > 0)
    throw new Error('the secret of test payments is not the only one drawn');
  return { api, wiring, stripeSecret: `whsec_${secret}` };
}

/** Returns the api process without its email work, because emails are files, which the simulation does not inspect. */
export function apiProcessOf(parts: ProcessParts, { api }: BuiltApi): WorldProcess {
  const work = Object.fromEntries(
    [RETRY_STRIPE_EVENT, SYNC_PAYMENT].map((kind) => {
      const handler = api.work[kind];
      if (handler === undefined) throw new Error(`the api has no ${kind}`);
      return [kind, { concurrency: 1, run: handler.run }];
    }),
  );
  return loopsOf('api', parts, { handlers: api.handlers, work });
}

const seldom = (policy: RetryPolicy): RetryPolicy => ({
  ...policy,
  backoff_ms: Math.max(policy.backoff_ms, 15 * SECOND_MS),
  backoff_max_ms: policy.deadline_ms === null ? 2 * HOUR_MS : policy.backoff_max_ms,
});

/**
 * Deadlines of the product with fewer polls in between, because waiting costs nothing here, but each poll takes time.
 */
const TIMEOUTS: StepTimeouts = {
  ...LIVE_TIMEOUTS,
  steps: Object.fromEntries(
    Object.entries(LIVE_TIMEOUTS.steps).map(([step, policy]) => [step, seldom(policy)]),
  ) as StepTimeouts['steps'],
  server_poll_ms: 15 * SECOND_MS,
  ssh_poll_ms: 15 * SECOND_MS,
  health_poll_ms: 15 * SECOND_MS,
  busy_poll_ms: 15 * SECOND_MS,
  dns_poll_ms: 4 * MINUTE_MS,
  certificate_poll_ms: 2 * MINUTE_MS,
  removal_poll_ms: 15 * SECOND_MS,
};
const SELDOM: Intervals = { ...INTERVALS, dns_recheck_ms: 20 * MINUTE_MS, reconcile_every_ms: 30 * MINUTE_MS };

export function provisionerOf(
  parts: ProcessParts,
  { outside, packs }: { outside: ExternalSystems; packs: StackPackages },
): WorldProcess {
  const { db, clock, random } = parts;
  const wiring = wire('provisioner', parts);
  const provisioner = buildProvisioner({
    db,
    clock,
    random,
    ...wiring,
    clouds: new Sandbox(db, clock, { boot_ms: 20_000 }).clouds,
    ssh: outside.ssh,
    dns: outside.dns,
    certificates: outside.certificates,
    packages: packs,
    copies: outside.copies,
    timeouts: TIMEOUTS,
    intervals: SELDOM,
    options: { acmeDirectoryUrl: 'https://acme.localhost/directory', traefikPlugins: 'off' },
    log: SILENT,
  });
  const loops = loopsOf('provisioner', parts, provisioner);
  /** Acts like an alerted operator, who checks the provider's own pages, so only real losses are confirmed. */
  const operator = async (): Promise<void> => {
    const open = await db.tx('operator.read', (tx) =>
      tx.query<{ provider: string }>(
        `select provider from provider_breakers where opened_at is not null and provider not in (${NOT_ALL_LOST})`,
      ),
    );
    for (const { provider } of open) {
      await provisioner.confirmLost.confirm({ provider, by: 'operator', reason: 'looked at the provider' });
    }
  };
  return {
    ...loops,
    ticks: [
      ...loops.ticks,
      { name: 'sweep of rows', weight: 0.4, run: () => provisioner.recovery.run() },
      { name: 'operator', weight: 0.1, run: operator },
    ],
  };
}

/** Builds billing. `seals` is null if there is no proof. */
export function createBillingOf(parts: ProcessParts, seals: SealFiles | null): BillingService {
  const { db, clock } = parts;
  const { ledger } = wire('billing', parts);
  // A single worker, because the simulation could not control branches of an actor.
  const options = { ledger, invariants: INVARIANTS, sealFiles: seals, chunkUsers: 3, workers: 1 };
  return buildBilling({ db, clock, log: SILENT, ...options });
}

export function billingOf(parts: ProcessParts, auditors: Auditors | undefined): WorldProcess {
  const billing = createBillingOf(parts, auditors?.sealFiles ?? null);
  const loops = loopsOf('billing', parts, {
    handlers: billingHandlers({ clock: parts.clock, ledger: wire('billing', parts).ledger }),
    work: {},
  });
  const clocks = [
    { name: 'catch up', weight: 1, run: () => billing.catchUp() },
    { name: 'forgotten', weight: 0.4, run: () => billing.settleForgotten() },
    { name: 'warnings', weight: 0.2, run: () => billing.warnLow() },
  ];
  return { ...loops, ticks: [...loops.ticks, ...(auditors?.watched(billing, parts.db, clocks) ?? clocks)] };
}
