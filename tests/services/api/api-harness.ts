import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloudSetup, DAY_MS, MINUTE_MS, parseSupportDays } from '@moorage/domain';
import { ACCOUNT_SECRETS, EVENTS, SHARED_SECRETS, SUBSCRIPTIONS } from '@moorage/contracts';
import { Deployments } from '@moorage/database';
import { Ledger } from '@moorage/ledger';
import {
  WITH_THE_DATABASE,
  Messaging,
  PgNotify,
  Outbox,
  WorkSchedule,
  type EventTransport,
  type WorkTransport,
} from '@moorage/messaging';
import {
  AccountSecrets,
  type Clock,
  createLog,
  type Log,
  SealBox,
  Secrets,
  type Db,
  systemClock,
  systemRandom,
} from '@moorage/server';
import { CHEAP_GUESSES, testDatabase, type TestDatabase } from '@moorage/testing';
import supertest from 'supertest';
import type { Api } from '@moorage/api/api';
import { Mailbox } from '@moorage/api/mail/mailbox.service';
import type { ApiSettings } from '@moorage/api/settings';
import { type ApiParts, buildApi } from './build-api';
import { LIMITS, type LimitTable } from '@moorage/api/http/limits';

/** The harness reads the emails of all accounts. */
const EVERYTHING = { email: '', isAdmin: true, since: 0 };

export interface ApiHarness {
  readonly database: TestDatabase;
  readonly api: Api;
  readonly deps: ApiParts;
  readonly settings: ApiSettings;
  readonly http: ReturnType<typeof supertest>;
  /** Returns everything logged so far, as text. */
  logged(): string;
  /** Advances the clock. */
  readonly pass: (ms: number) => void;
  /** Passes events through outbox, inbox and handlers, and runs all due work, until nothing is left. */
  run(): Promise<void>;
  mailsTo(email: string): Promise<{ subject: string; text: string }[]>;
  /** Returns the token in the newest email with this kind of link. */
  linkToken(email: string, path: 'verify-email' | 'reset-password'): Promise<string>;
  /**
   * Creates a new account and logs it in. Its email address is not verified. Its session stays recently authenticated
   * however far the clock is moved, whereas a session opened by a login does not. `from` is the address it signs up
   * from, which is trusted if 127.0.0.1 is a trusted proxy.
   */
  unverified(name?: string, more?: { referral_code?: string; from?: string }): Promise<TestAccount>;
  /** Creates a new account, verified and logged in. */
  user(name?: string, more?: { referral_code?: string; from?: string }): Promise<TestAccount>;
  admin(): Promise<TestAccount>;
  /** Returns a user that was deactivated after the login. */
  deactivated(): Promise<TestAccount>;
  /** Tops an account up through test checkout. */
  pay(account: TestAccount, cents: number): Promise<void>;
  close(): Promise<void>;
}

export interface TestAccount {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** Pass it as `.set(account.auth)`. */
  readonly auth: { readonly authorization: string };
}

export interface HarnessOptions {
  readonly settings?: Partial<ApiSettings>;
  /** Replaces some of the real parts. */
  readonly deps?: (deps: ApiParts) => ApiParts;
  /** A second api on the same database. */
  readonly beside?: ApiHarness;
}

const SECRET = 'a secret of tests, long enough for a signature';
const RELAXED = Object.fromEntries(
  Object.entries(LIMITS).map(([name, limit]) => [
    name,
    { ...limit, windows: limit.windows.map((window) => ({ ...window, points: window.points * 10_000 })) },
  ]),
) as unknown as LimitTable;

export const TEST_SETTINGS: ApiSettings = {
  mode: 'demo',
  publicUrl: 'http://moorage.test',
  jwtSecret: SECRET,
  clientKeys: [],
  trustedProxies: [],
  brand: {
    name: 'Moorage',
    tagline: 'Berths for software.',
    supportEmail: 'support@moorage.test',
    introVideoUrl: null,
  },
  links: { terms: null, privacy: null, imprint: null, status: null, docs: null, forum: null, changelog: null },
  support: {
    hours: { days: parseSupportDays('Mon-Fri 09:00-17:00') ?? [], zone: 'UTC' },
    hoursText: 'Mon-Fri 09:00-17:00',
    phone: '+49 30 1234567',
    manager: { name: 'Sam Manager', email: 'sam@moorage.test' },
  },
  operator: {
    name: 'Moorage Hosting GmbH',
    address: ['Hafenstraße 1', '20457 Hamburg', 'Germany'],
    taxId: 'DE123456789',
    tax: { rate: 19_000, text: 'VAT 19 % included' },
  },
  adminsNeedTwoFactor: false,
  checkoutMaxCents: 100_000,
  gracePeriodMinutes: 60,
  deleteUndoHours: 0,
  stripe: null,
  mail: { from: 'Moorage <no-reply@moorage.test>', url: null, folder: 'mail' },
  backups: { hasTarget: false, quotaOf: (level) => (level === 3 ? 100 : 20) * 1_000_000_000 },
  downloads: { folder: join(tmpdir(), 'moorage-downloads'), bytesMax: 20_000_000_000 },
  documentWorker: null,
  packagesFolder: 'infra/packages',
  checksImages: false,
  clouds: cloudSetup({ sandbox: true, chosen: {} }),
  creditOnlyMaxHourly: 0.1,
  vpsAllowedCidrs: [],
  hasPrivateServers: false,
  // No name in the tests belongs to a real owner.
  domainAllowedZones: ['localhost', 'test', 'example', 'example.com', 'example.net', 'example.org'],
  platform: null,
  // Nothing listens there, so no test reaches a real provider.
  dns: { resolvers: ['127.0.0.1:1'], apiBase: 'http://127.0.0.1:1', connect: null },
  queues: null,
  callbacks: { awsTopics: [], azureKey: null, googleAccount: null },
  limits: RELAXED,
  passwordCost: CHEAP_GUESSES,
};

/** Starts the whole api on a real PostgreSQL, for suites that send HTTP requests. Nothing is scheduled. */
export async function apiHarness(options: HarnessOptions = {}): Promise<ApiHarness> {
  const database = options.beside?.database ?? (await testDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'moorage-api-'));
  const lines: string[] = [];
  const { clock, pass } = movableClock();
  const settings: ApiSettings = {
    ...TEST_SETTINGS,
    mail: { ...TEST_SETTINGS.mail, folder: join(folder, 'mail') },
    ...options.settings,
  };
  const db = await database.open({ service: 'api' });
  const log = createLog({ level: 'debug', service: 'api', write: (line) => lines.push(line) });
  const built = apiParts({ db, clock, settings, log });
  const deps = options.deps?.(built) ?? built;
  const api = await buildApi(deps, { checkAnswers: true });
  await api.listen({ host: '127.0.0.1', port: 0 });
  const http = supertest(api.app.getHttpServer());
  const run = runner(deps, api);
  const mailbox = new Mailbox(settings);
  let counter = 0;

  const harness: ApiHarness = {
    database,
    api,
    deps,
    settings,
    http,
    logged: () => lines.join(''),
    pass,
    run,
    async mailsTo(email) {
      const list = (await mailbox.list(EVERYTHING)).filter(({ to }) => to.includes(email));
      return Promise.all(list.map(({ id }) => mailbox.read(EVERYTHING, id)));
    },
    async linkToken(email, path) {
      await run();
      for (const { text } of await harness.mailsTo(email)) {
        const found = new RegExp(`/${path}\\?token=(\\S+)`).exec(text)?.[1];
        if (found !== undefined) return found;
      }
      throw new Error(`no email with a ${path} link was sent to ${email}`);
    },
    async unverified(name, { from, ...more } = {}) {
      const username = name ?? `user-${process.pid}-${++counter}`;
      const password = `pass-${username}`;
      const email = `${username.toLowerCase()}@example.com`;
      const signup = await http
        .post('/api/users/')
        .set(from === undefined ? {} : { 'x-forwarded-for': from })
        .send({ username, email, password, ...more });
      if (signup.status !== 201) throw new Error(`signup: ${signup.text}`);
      const id = (signup.body as { id: number }).id;
      const account = await loggedIn(http, { id, username, email, password });
      await database.sql(`update sessions set authenticated_at = '2999-01-01' where user_id = $1`, [id]);
      return account;
    },
    async user(name, more) {
      const account = await harness.unverified(name, more);
      const token = await harness.linkToken(account.email, 'verify-email');
      const verified = await http.get('/api/auth/verify-email').query({ token });
      if (verified.status !== 200) throw new Error(`verify: ${verified.text}`);
      return account;
    },
    async admin() {
      const account = await harness.user();
      await database.sql('update users set is_admin = true where id = $1', [account.id]);
      return account;
    },
    async deactivated() {
      const account = await harness.user();
      await database.sql(
        `update users set deactivated_at = now(), username = 'deactivated_' || id || '_' || username where id = $1`,
        [account.id],
      );
      return account;
    },
    async pay(account, cents) {
      const session = await http
        .post('/api/stripe/create-checkout-session')
        .set(account.auth)
        .send({ amount_cents: cents });
      const id = (session.body as { session_id: string }).session_id;
      const paid = await http.post(`/api/stripe/test-checkout/${id}`).send({ outcome: 'pay' });
      if (paid.status !== 200) throw new Error(`pay: ${paid.text}`);
    },
    async close() {
      await api.close();
      await deps.pgNotify.close();
      if (options.beside === undefined) await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return harness;
}

/** Returns the parts of an api on the database, with keys of tests. */
export function apiParts({
  db,
  clock,
  settings,
  log,
}: {
  db: Db;
  clock: Clock;
  settings: ApiSettings;
  log: Log;
}): ApiParts {
  const random = systemRandom();
  const outbox = new Outbox({ clock, random });
  const deployments = new Deployments({ outbox });
  const box = new SealBox({ keys: [{ id: 'test', key: Buffer.alloc(32, 7) }], random });
  return {
    db,
    clock,
    random,
    log,
    settings,
    outbox,
    work: new WorkSchedule({ clock }),
    pgNotify: new PgNotify({ db, clock }),
    ledger: new Ledger({ deployments, outbox, actor: 'api', gracePeriodMinutes: 60 }),
    deployments,
    secrets: new Secrets({ box, clock, kinds: SHARED_SECRETS }),
    accountSecrets: new AccountSecrets({ box, clock, kinds: ACCOUNT_SECRETS }),
    box,
  };
}

async function loggedIn(http: ApiHarness['http'], account: Omit<TestAccount, 'token' | 'auth'>): Promise<TestAccount> {
  const login = await http
    .post('/api/auth/login')
    .type('form')
    .send({ username: account.email, password: account.password });
  if (login.status !== 200) throw new Error(`login: ${login.text}`);
  const token = (login.body as { access_token: string }).access_token;
  return { ...account, token, auth: { authorization: `Bearer ${token}` } };
}

/**
 * Moves the clock to shortly after 00:00 UTC, so that no test crosses an hour by chance. Billing uses whole clock
 * hours.
 */
export async function toFirstMinuteOfDay(api: ApiHarness, ...beside: readonly ApiHarness[]): Promise<void> {
  const { db, clock } = api.deps;
  const now = await db.tx('test.now', (tx) => clock.now(tx));
  for (const { pass } of [api, ...beside]) pass(DAY_MS - (now % DAY_MS) + MINUTE_MS);
}

/** Returns a clock that starts at 12:20 UTC, so that no test crosses an hour or a day by chance. */
function movableClock(): { clock: Clock; readonly pass: (ms: number) => void } {
  const real = systemClock();
  let offset = new Date().setUTCHours(12, 20, 0, 0) - Date.now();
  return {
    clock: {
      ...real,
      now: async (tx) => (await real.now(tx)) + offset,
      localNow: () => real.localNow() + offset,
    },
    pass: (ms) => void (offset += ms),
  };
}

const ROUNDS_MAX = 200;

/** Runs the api's own messaging manually, so that nothing runs between the calls of a test. */
function runner({ db, clock, random }: ApiParts, api: Api): () => Promise<void> {
  const events: EventTransport = {
    publish: (batch) => messaging.arrived(batch),
    subscribe: () => Promise.resolve(),
    health: () => WITH_THE_DATABASE,
    close: () => Promise.resolve(),
  };
  const work: WorkTransport = {
    signal: () => Promise.resolve(),
    listen: () => Promise.resolve(),
    health: () => WITH_THE_DATABASE,
    close: () => Promise.resolve(),
  };
  const errors: unknown[] = [];
  const messaging = new Messaging({
    db,
    clock,
    random,
    service: 'api',
    known: EVENTS,
    subscriptions: SUBSCRIPTIONS,
    handlers: api.handlers,
    work: Object.fromEntries(Object.entries(api.work).map(([kind, { run }]) => [kind, { concurrency: 1, run }])),
    transports: { events, work },
    onError: (error) => void errors.push(error),
  });
  const untilDone = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      let moved = (await messaging.relayTick()) + (await messaging.drainTick());
      for (const kind of Object.keys(api.work)) moved += await messaging.workTick(kind);
      const [error] = errors.splice(0);
      if (error !== undefined)
        throw error instanceof Error ? error : new Error('something that is no error was thrown');
      if (moved === 0) return;
    }
    throw new Error('it never ends');
  };
  // Sequential, because a run would not find what a concurrent run is working on.
  let before: Promise<unknown> = Promise.resolve();
  return () => {
    const turn = before.then(untilDone, untilDone);
    before = turn;
    return turn;
  };
}

/** Returns addresses by rel, as a browser parses the Link header. */
export function linksOf(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...(headers.link ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, address, rel]) => [rel, address]),
  );
}

let networks = 0;
/** Returns an address in a network that is used nowhere else in this process. */
export function elsewhere(): string {
  const next = ++networks;
  return `100.${64 + (next >> 8)}.${next & 255}.9`;
}
