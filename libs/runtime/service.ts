import { EVENTS, SUBSCRIPTIONS } from '@moorage/contracts';
import { Deployments, Retirement, RETIRE_EVERY_MS, type Service } from '@moorage/database';
import { Messaging, PgNotify, Outbox, WorkSchedule, type OnError, TransportAway } from '@moorage/messaging';
import {
  type Clock,
  type Db,
  type DbOptions,
  failpoints,
  loadOrCreateKey,
  type Log,
  PostgresDb,
  parseSealKeys,
  type Random,
  type SealKey,
  systemClock,
  systemRandom,
  logOutageOnce,
} from '@moorage/server';
import { type Handlers, logged } from './handlers';
import { openWhenReady } from './open-when-ready';
import { type Metrics, messagingObserver } from './metrics';
import { Operations } from './operations/operations';
import { SettingsError } from './read-settings';
import type { Settings } from './settings';
import { ResourceAlert, SHORTAGE_EVERY_MS } from './resource-exhaustion-alert';
import { openTransports, type TransportState, transportState } from './transports';

/** Base of every service process, with its own connections to the database, messaging, time and randomness. */
export abstract class ServiceBase {
  abstract readonly service: Service;
  abstract readonly settings: Settings;
  abstract readonly db: Db;
  abstract readonly clock: Clock;
  abstract readonly random: Random;
  abstract readonly log: Log;
  abstract readonly pgNotify: PgNotify;
  abstract readonly outbox: Outbox;
  abstract readonly work: WorkSchedule;
  abstract readonly deployments: Deployments;
  abstract readonly transports: TransportState;
  abstract readonly metrics: Metrics;
  /** Starts the service's messaging of events and work. `close` stops it. */
  abstract startMessaging(part: Handlers): Promise<Messaging>;
  /** Stops messaging, then closes notifications and database. */
  abstract close(): Promise<void>;
}

export interface ServiceOptions {
  readonly service: Service;
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Log;
  /**
   * Whether this process publishes and sweeps for all services. In a process that runs several services, one is enough.
   */
  readonly relays: boolean;
  /** Metrics of the process. Without it, metrics are not exposed. */
  readonly operations?: Operations | undefined;
}

/**
 * Time-outs by service. The api must return an error while the user is waiting. Billing has more time, but a leaked
 * lock must not block the daily run for other accounts. The locked account is left out, logged and recorded.
 */
const TIMEOUTS: Readonly<
  Record<Service, Pick<DbOptions, 'lock_timeout_ms' | 'statement_timeout_ms' | 'connect_timeout_ms'>>
> = {
  api: { lock_timeout_ms: 8_000, statement_timeout_ms: 20_000, connect_timeout_ms: 15_000 },
  billing: { lock_timeout_ms: 10_000, statement_timeout_ms: 15 * 60_000 },
  provisioner: {},
};

/**
 * Opens the base of a service, and waits until the database is ready.
 *
 * @throws StartRefused when the database is not ready within a minute.
 */
export async function openService({
  service,
  settings,
  databaseUrl,
  log: plainLog,
  relays,
  operations = new Operations(),
}: ServiceOptions): Promise<ServiceBase> {
  const clock = systemClock({ offsetMs: settings.LAB_CLOCK_OFFSET_MS ?? 0 });
  const random = systemRandom();
  const { log, watch } = logOutageOnce({ log: plainLog, clock });
  const onError: OnError = (error, facts) => {
    // The transport reports this itself, once.
    if (!(error instanceof TransportAway)) log.error('background task failed; continuing', { ...facts, error });
  };
  const open = (): Promise<Db> => openDatabase({ service, settings, databaseUrl }, onError);
  const shortage = new ResourceAlert({ service, clock, log });
  const db = shortage.watch(
    watch(await openWhenReady({ service, open, clock, log, onWait: (reason) => operations.waiting(reason) })),
  );
  const pgNotify = new PgNotify({ db, clock, onError });
  const transports = openTransports(settings, { db, clock, pgNotify, onError, log });
  const state = transportState(settings, transports);
  operations.opened({ db, transports: state });
  const { metrics } = operations;
  const outbox = new Outbox({ clock, random, pgNotify });
  let messaging: Messaging | undefined;
  const retirement = new Retirement({ db, clock, service });
  let stopRetiring: () => Promise<void> = () => Promise.resolve();
  const stopTelling = clock.every(
    SHORTAGE_EVERY_MS,
    () => shortage.tick(db),
    (error) => onError(error, { at: 'shortage' }),
  );
  return {
    service,
    settings,
    db,
    clock,
    random,
    log,
    pgNotify,
    outbox,
    work: new WorkSchedule({ clock, transport: transports.work, onError }),
    deployments: new Deployments({ outbox }),
    transports: state,
    metrics,
    async startMessaging({ handlers, work }) {
      messaging = new Messaging({
        db,
        clock,
        random,
        service,
        known: EVENTS,
        subscriptions: SUBSCRIPTIONS,
        handlers: logged(handlers, { log, clock }),
        work,
        transports,
        pgNotify,
        onError,
        relays,
        observer: messagingObserver(metrics),
      });
      await messaging.start();
      const failed = (error: unknown): void => onError(error, { at: 'retire' });
      stopRetiring = clock.every(RETIRE_EVERY_MS, async () => void (await retirement.tick()), failed);
      return messaging;
    },
    async close() {
      await stopTelling();
      await stopRetiring();
      if (messaging === undefined) await Promise.all([transports.events.close(), transports.work.close()]);
      else await messaging.stop();
      await pgNotify.close();
      await db.close();
    },
  };
}

function openDatabase(
  { service, settings, databaseUrl }: Pick<ServiceOptions, 'service' | 'settings' | 'databaseUrl'>,
  onError: OnError,
): Promise<Db> {
  return PostgresDb.open({
    url: databaseUrl,
    connections_max: settings.DATABASE_CONNECTIONS_MAX,
    checkpoints: failpoints(settings.FAILPOINT),
    application_name: `moorage-${service}`,
    ...TIMEOUTS[service],
    onError,
  });
}

/**
 * Returns the key ring for secrets that api and provisioner open, which is SECRETS_KEYS or a key stored in the data
 * folder.
 */
export async function sealKeys(settings: Settings, random: Random): Promise<readonly SealKey[]> {
  if (settings.SECRETS_KEYS !== undefined) return parseSealKeys(settings.SECRETS_KEYS);
  const stored = await loadOrCreateKey({ folder: settings.DATA_DIR, name: 'secrets.key', bytes: 32, random });
  return parseSealKeys(`kept:${stored}`);
}

/**
 * Returns the key ring for secrets that only the api opens (second factors, emails, links in emails), which is
 * ACCOUNT_SECRETS_KEYS or a key stored in the data folder. The provisioner never has its newest key.
 */
export async function accountSealKeys(settings: Settings, random: Random): Promise<readonly SealKey[]> {
  if (settings.ACCOUNT_SECRETS_KEYS === undefined) {
    const name = 'account-secrets.key';
    const stored = await loadOrCreateKey({ folder: settings.DATA_DIR, name, bytes: 32, random });
    return parseSealKeys(`account:${stored}`);
  }
  const own = parseSealKeys(settings.ACCOUNT_SECRETS_KEYS, 'ACCOUNT_SECRETS_KEYS');
  const shared = await sealKeys(settings, random);
  if (shared.some(({ key }) => own[0]?.key.equals(key)))
    throw new SettingsError('ACCOUNT_SECRETS_KEYS: begins with a key of SECRETS_KEYS, which the provisioner has');
  if (shared.some(({ id, key }) => own.some((other) => other.id === id && !other.key.equals(key))))
    throw new SettingsError('ACCOUNT_SECRETS_KEYS: a key has the id of another key in SECRETS_KEYS');
  return own;
}
