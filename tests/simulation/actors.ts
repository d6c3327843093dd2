import { CONSTANTS, HOUR_MS, type Instant } from '@moorage/domain';
import type { Random } from '@moorage/server';
import type { TestDatabase } from '@moorage/testing';
import type { World } from './world/world';
import type { Installed } from './installation';
import type { ExternalSystems } from './external-systems';
import { deliver, stripeEvent, type StripeEvent, takeBack } from './stripe';

/** Customers of the api, who pay, order, change their minds, and repeat requests without a response. */
export interface Actors {
  /** Performs a random action of a random user. */
  act(): void;
  /** Repeats all requests without a response, as long as their keys are valid. */
  repeatUnanswered(): void;
  /** Responses to users that cannot be true. */
  readonly contradictions: readonly string[];
}

/** A user who exists at the start of the simulation. */
export interface Settler {
  readonly id: number;
  /** Bearer token. */
  readonly token: string;
  /** Address of the user's own machine. */
  readonly address: string;
  /** Token of the verification email, or null if already verified. */
  readonly verify_token: string | null;
}

interface Person extends Settler {
  /** Orders by Idempotency-Key, with the resulting deployment once there was a response. */
  readonly orders: Map<string, Order>;
}

interface Order {
  readonly body: object;
  readonly at: Instant;
  id: number | null;
}

export const PASSWORD = 'canary-of-the-account';
export const ADMIN_PASSWORD = 'Canary-of-the-stack-1';
/** Inputs of users that must not be found anywhere. */
export const SECRETS = [PASSWORD, ADMIN_PASSWORD];
/** Time after which users give up. A key is valid for a day. */
const REPEATED_MS_MAX = 20 * HOUR_MS;
const RUNNING = ['ACTIVE', 'READY', 'DNS_FAILED'];
const SIZES = [
  { cloud_provider: 'hetzner', region: 'fsn1', instance_type: 'cpx22' },
  { cloud_provider: 'aws', region: 'us-east-1', instance_type: 't3.small' },
  { cloud_provider: 'vultr', region: 'ewr', instance_type: 'vc2-1c-2gb' },
];

export interface ActorOptions {
  readonly world: World;
  readonly installed: Pick<Installed, 'current'>;
  readonly outside: ExternalSystems;
  readonly database: TestDatabase;
  readonly settlers: readonly Settler[];
}

export function createActors(options: ActorOptions): Actors {
  const { world, installed, outside, database } = options;
  const random: Random = world.random;
  const contradictions: string[] = [];
  const people: readonly Person[] = options.settlers.map((settler) => ({ ...settler, orders: new Map() }));
  /** Events of the payment provider that have not been accepted yet. */
  const untold = new Map<string, StripeEvent>();
  let actions = 0;

  const chance = (probability: number): boolean => random.fraction() < probability;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.fraction() * list.length)] as T;

  async function call(
    person: Person | null,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    key?: string,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const answer = await installed.current().api.app.inject({
      method,
      url: `/api${path}`,
      headers: {
        ...(person === null ? {} : { authorization: `Bearer ${person.token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    if (process.env.SIMULATION_TALK !== undefined)
      console.log(method, path, answer.statusCode, answer.body.slice(0, 150));
    if (answer.statusCode >= 500 && answer.statusCode !== 503) {
      contradictions.push(`${method} ${path} answered ${answer.statusCode}: ${answer.body}`);
    }
    return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json<Record<string, unknown>>() };
  }

  /** Starts an actor in the api's process. It may end with that process, and then never receives a response. */
  function request(what: string, act: () => Promise<unknown>): void {
    void world.scheduler
      .start({ process: 'api', name: `${what} ${++actions}` }, act)
      .catch((error: unknown) =>
        contradictions.push(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
      );
  }

  const pay = async (person: Person): Promise<void> => {
    const amount_cents = pick([100, 500, 1_000, 3_000]);
    const begun = await call(person, 'POST', '/stripe/create-checkout-session', { amount_cents });
    if (begun.status !== 201) return;
    const outcome = chance(0.9) ? 'pay' : 'cancel';
    for (let clicks = chance(0.3) ? 2 : 1; clicks > 0; clicks--) {
      await call(null, 'POST', `/stripe/test-checkout/${String(begun.body.session_id)}`, { outcome });
    }
  };

  async function place(person: Person, key: string, order: Order): Promise<void> {
    const { status, body } = await call(person, 'POST', '/deployments', order.body, key);
    if (status !== 201) return;
    const id = body.id as number;
    // The clock may leap during the call. An expired key may become another order.
    const isGood = world.clock.at - order.at < CONSTANTS.idempotencyKeyMs;
    if (order.id !== null && order.id !== id && isGood)
      contradictions.push(`${key} was answered with ${order.id} and with ${id}`);
    order.id = id;
  }

  const order = async (person: Person): Promise<void> => {
    const [account] = await database.sql<{ is_verified: boolean }>('select is_verified from users where id = $1', [
      person.id,
    ]);
    if (account?.is_verified === false && chance(0.8)) return verify(person);
    const own = chance(0.3) && !(await isTaken(person.address));
    if (own) {
      outside.addOwnServer(person.address).access = true;
      await call(person, 'POST', '/servers/validate-vps', { ip_address: person.address });
    }
    const number = ++actions;
    const domain = chance(0.6) ? `d${number}.people.localhost` : null;
    if (domain !== null && chance(0.85)) outside.setRecords(domain, true);
    const body = {
      server_type: own ? 'vps' : 'new',
      ...(own ? { vps_ip_address: person.address } : pick(SIZES)),
      support_level: pick([1, 1, 1, 2, 3]),
      client_id: `client-${number}`,
      ...(domain === null
        ? { package: 'test-page' }
        : { package: 'pangolin', domain, admin_email: 'a@people.localhost', admin_password: ADMIN_PASSWORD }),
    };
    const key = `key-${number}`;
    const placed: Order = { body, at: world.clock.at, id: null };
    person.orders.set(key, placed);
    for (let clicks = chance(0.4) ? 2 : 1; clicks > 0; clicks--) await place(person, key, placed);
  };

  const isTaken = async (address: string): Promise<boolean> => {
    const sql = `select 1 from deployments where vps_ip_address = $1::inet and status not in ('DESTROYED', 'DELETED')`;
    return (await database.sql(sql, [address])).length > 0;
  };

  const repeat = async (person: Person): Promise<void> => {
    const fresh = [...person.orders].filter(([, { at }]) => world.clock.at - at < REPEATED_MS_MAX);
    if (fresh.length > 0) await place(person, ...pick(fresh));
  };

  /** Returns a deployment of the user, usually in a suitable status. */
  const idOf = async (person: Person, sensible: readonly string[]): Promise<number | null> => {
    const rows = await database.sql<{ id: number; status: string }>(
      `select id, status from deployments where user_id = $1 and status <> 'DELETED' order by id`,
      [person.id],
    );
    const fit = chance(0.85) ? rows.filter(({ status }) => sensible.includes(status)) : rows;
    return fit.length === 0 ? null : pick(fit).id;
  };

  const on =
    (sensible: readonly string[], act: (person: Person, id: number) => Promise<unknown>) =>
    async (person: Person): Promise<void> => {
      const id = await idOf(person, sensible);
      if (id !== null) await act(person, id);
    };

  const setRecords = on(['PROVISIONING', 'DNS_VALIDATION', 'DNS_FAILED'], async (_person, id) => {
    const [row] = await database.sql<{ domain: string | null }>('select domain from deployments where id = $1', [id]);
    if (row?.domain != null) outside.setRecords(row.domain, chance(0.9));
  });

  async function report(event: StripeEvent): Promise<void> {
    const { api, stripeSecret } = installed.current();
    const { status, body } = await deliver(api, event, stripeSecret);
    if (status === 200) untold.delete(event.id);
    else if (status !== 503) contradictions.push(`${event.type} answered ${status}: ${body}`);
  }

  /** Refunds a part of a payment and then more of it, or lets a bank withdraw money and sometimes lose the dispute. */
  const withdraw = async (person: Person): Promise<void> => {
    const paid = await database.sql<{ intent: string; amount_cents: number }>(
      `select payment_intent as intent, amount_cents from checkout_sessions where user_id = $1 and status = 'paid' order by created_at, id`,
      [person.id],
    );
    if (paid.length === 0) return;
    const { intent, amount_cents } = pick(paid);
    const number = ++actions;
    const cents = Math.floor((amount_cents * pick([1, 2, 4])) / 4);
    const kinds = pick([['refund'], ['refund'], ['dispute'], ['dispute', 'dispute won']] as const);
    const happens = kinds.map((kind, index) => ({
      kind,
      event: stripeEvent(`evt_world_${number}_${index}`, kind, { intent, cents }),
    }));
    // Events arrive in any order.
    if (chance(0.3)) happens.reverse();
    for (const { event } of happens) untold.set(event.id, event);
    for (const { kind, event } of happens) {
      await takeBack(database, { kind, number, at: world.clock.at, intent, cents });
      for (let times = chance(0.2) ? 2 : 1; times > 0; times--) await report(event);
    }
  };

  const verify = async ({ verify_token: token }: Person): Promise<void> => {
    if (token !== null) await call(null, 'GET', `/auth/verify-email?token=${token}`);
  };

  const ACTIONS: readonly (readonly [weight: number, name: string, act: (person: Person) => Promise<unknown>])[] = [
    [5, 'pay', pay],
    [6, 'order', order],
    [2, 'repeat', repeat],
    [
      3,
      'level',
      on(RUNNING, (person, id) => call(person, 'PATCH', `/deployments/${id}`, { support_level: pick([1, 2, 3]) })),
    ],
    [2, 'restart', on(['ACTIVE', 'READY'], (person, id) => call(person, 'POST', `/deployments/${id}/restart`))],
    [2, 'retry', on(['DNS_FAILED'], (person, id) => call(person, 'POST', `/deployments/${id}/retry-dns-validation`))],
    [
      4,
      'delete',
      on([...RUNNING, 'FAILED', 'DESTROYED'], (person, id) => call(person, 'DELETE', `/deployments/${id}`)),
    ],
    [1, 'look', on(RUNNING, (person, id) => call(person, 'GET', `/deployments/${id}`))],
    [1, 'balance', (person) => call(person, 'GET', '/billing/balance')],
    [2, 'records', setRecords],
    [1.5, 'withdraw', withdraw],
    [1, 'verify', verify],
  ];
  const whole = ACTIONS.reduce((sum, [weight]) => sum + weight, 0);

  return {
    contradictions,
    act() {
      let rest = random.fraction() * whole;
      const [, name, act] = ACTIONS.find(([weight]) => (rest -= weight) < 0) ?? ACTIONS[0]!;
      const person = pick(people);
      request(`person${people.indexOf(person)} ${name}`, () => act(person));
    },
    repeatUnanswered() {
      for (const event of untold.values()) request('stripe again', () => report(event));
      for (const person of people) {
        for (const [key, placed] of person.orders) {
          if (placed.id === null && world.clock.at - placed.at < REPEATED_MS_MAX) {
            request('repeat', () => place(person, key, placed));
          }
        }
      }
    },
  };
}
