import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DatabaseServer, databaseServer } from '../journeys/database-server';
import { noonOffset } from '../journeys/first-deployment';
import { type Answer, person, until } from '../journeys/customer';
import { type Product, startProduct } from '../journeys/product';
import { BUSY, shownRefusal } from './busy';
import { type Customer, customers, draft, order } from './customers';
import { eventuallyHolds } from './state-after-crash';
import { LONG_MS } from './kill';

/**
 * Ways in which the server ends. It is asked to stop, told to stop immediately, killed as a whole, or has a single
 * process killed (like an out-of-memory kill).
 */
const ENDINGS = ['immediate', 'fast', 'one process', 'kill', 'fast', 'immediate'] as const;
/** Time between an end and the next start, and between full service and the next end. */
const AWAY_MS = 700;
const CALM_MS = 1_000;
/** Maximum time from the server's first response until each kind of call succeeds again. */
const SERVES_AGAIN_MS = 10_000;
/** Interval and maximum time of a client's retries. */
const AGAIN_MS = 250;
const PATIENCE_MS = 60_000;
const CUSTOMERS = 3;
/** Number of each customer's deployments that run before the first restart and are deleted meanwhile. */
const RUNNING = 2;
/** Intervals that stay within each account's limits for orders and payments. */
const ORDER_EVERY_MS = 2_000;
const PAY_EVERY_MS = 4_000;
const OTHERS_EVERY_MS = 80;

let server: DatabaseServer;
let product: Product;
let people: Customer[];
let admin: ReturnType<typeof person>;
/** Deployment ids by customer. */
let running: readonly (readonly number[])[];

beforeAll(async () => {
  product = await startProduct(
    ['api', 'billing', 'provisioner'],
    { LAB_CLOCK_OFFSET_MS: noonOffset() },
    { database: async (folder) => (server = await databaseServer(folder)) },
  );
  people = await customers(product, Array<number>(CUSTOMERS).fill(50_000));
  admin = person(product, 'admin@moorage.localhost', 'journey-admin');
  await admin.login();
  running = await Promise.all(
    people.map(async (who, n) => {
      const ids: number[] = [];
      for (let place = 0; place < RUNNING; place++) ids.push(await order(who, `running-${n}-${place}`));
      return ids;
    }),
  );
  await untilArrived();
}, LONG_MS);
afterAll(() => product.stop(), LONG_MS);

/** F9. The product uses a separate database server, which restarts while users order, pay, read and delete. */
describe('database server that restarts under load', () => {
  const sent: Sent[] = [];
  /** Time of the last response by kind of call. */
  const answeredAt = new Map<string, number>();
  let refused = 0;
  let stopping = false;

  /** Sends a call under its key until it succeeds. The only other permitted response is "try again in a moment". */
  async function answered<T>(call: Call): Promise<Answer<T>> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await call.who.call<T>(call.method, call.path, call.body, call.headers);
      if (answer.status !== 503) {
        answeredAt.set(call.kind, performance.now());
        return answer;
      }
      expect(shownRefusal(answer)).toEqual(BUSY);
      refused++;
      if (performance.now() > deadline) throw new Error(`${call.kind} was refused for a minute`);
      await pause(AGAIN_MS);
    }
  }

  /** Sends a call that must take effect exactly once, and remembers it so that it can be sent again at the end. */
  async function once<T>(call: Omit<Call, 'headers'>, status: number): Promise<T> {
    const keyed = { ...call, headers: { 'idempotency-key': `${call.kind}-${sent.length}` } };
    const place = sent.push({ call: keyed, answer: undefined }) - 1;
    const answer = await answered<T>(keyed);
    expect([call.kind, answer.status, answer.body]).toEqual([call.kind, status, expect.anything()]);
    sent[place] = { call: keyed, answer };
    return answer.body;
  }

  const ordering = async (who: Customer, n: number): Promise<void> => {
    for (let round = 0; !stopping; round++) {
      const body = draft(`restart-${n}-${round}`);
      await once({ kind: 'order', who, method: 'POST', path: '/deployments', body }, 201);
      await pause(ORDER_EVERY_MS);
      const id = running[n]?.[round];
      if (id !== undefined) await once({ kind: 'delete', who, method: 'DELETE', path: `/deployments/${id}` }, 200);
      await pause(ORDER_EVERY_MS);
    }
  };

  const paying = async (who: Customer): Promise<void> => {
    while (!stopping) {
      const { session_id } = await once<{ session_id: string }>(
        { kind: 'checkout', who, method: 'POST', path: '/stripe/create-checkout-session', body: { amount_cents: 700 } },
        201,
      );
      const path = `/stripe/test-checkout/${session_id}`;
      await once({ kind: 'pay', who, method: 'POST', path, body: { outcome: 'pay' } }, 200);
      await pause(PAY_EVERY_MS);
    }
  };

  const adjusting = async (): Promise<void> => {
    for (let round = 0; !stopping; round++) {
      const { id } = people[round % CUSTOMERS]!;
      const path = `/billing/admin/users/${id}/adjust-balance`;
      await once({ kind: 'adjust', who: admin, method: 'POST', path, body: { amount: 1 } }, 200);
      await pause(OTHERS_EVERY_MS);
    }
  };

  const reading = async (who: Customer): Promise<void> => {
    while (!stopping) {
      for (const path of ['/deployments', '/billing/balance']) {
        const { status } = await answered({ kind: `read ${path}`, who, method: 'GET', path });
        expect([path, status]).toEqual([path, 200]);
        await pause(OTHERS_EVERY_MS);
      }
    }
  };

  it(
    'gets every request answered or a retry hint, and recovers within seconds of each restart',
    async () => {
      const load = Promise.all([
        ...people.map((who, n) => ordering(who, n)),
        paying(people[0]!),
        adjusting(),
        ...people.map((who) => reading(who)),
      ]);
      const restarts = async (): Promise<void> => {
        const waits: string[] = [];
        for (const ending of ENDINGS) {
          await servesSince(performance.now());
          await pause(CALM_MS);
          if (stopping) return;
          if (ending === 'one process') await killOneProcess();
          else {
            await server.end(ending);
            await pause(AWAY_MS);
          }
          await server.start();
          const answers = performance.now();
          await servesSince(answers);
          waits.push(`${ending} ${Math.round(performance.now() - answers)} ms`);
        }
        process.stdout.write(`every kind of call again after: ${waits.join(', ')}; ${refused} calls refused\n`);
      };
      const restarting = restarts();
      try {
        // A failure of the load ends it immediately.
        await Promise.race([restarting, load]);
      } finally {
        stopping = true;
        await Promise.allSettled([load, restarting]);
      }
      await load;
      // Each restart was noticed by at least one call.
      expect(refused).toBeGreaterThan(ENDINGS.length);
    },
    LONG_MS,
  );

  /** Waits until every kind of call that is sent continuously has succeeded after that time. */
  async function servesSince(moment: number): Promise<void> {
    const kinds = ['adjust', 'read /deployments', 'read /billing/balance'];
    for (;;) {
      if (kinds.every((kind) => (answeredAt.get(kind) ?? 0) > moment)) return;
      if (performance.now() > moment + SERVES_AGAIN_MS) {
        const late = kinds.filter((kind) => (answeredAt.get(kind) ?? 0) <= moment);
        throw new Error(
          `not answered within ${SERVES_AGAIN_MS} ms: ${late.join(', ')}\n${product.log().slice(-4_000)}`,
        );
      }
      await pause(20);
    }
  }

  async function killOneProcess(): Promise<void> {
    const [busy] = await product.sql<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'moorage-api' order by state_change desc limit 1`,
    );
    if (busy === undefined) throw new Error('the api has no connection');
    process.kill(busy.pid, 'SIGKILL');
  }

  it(
    'loses no confirmed change, and returns the same response for the same key',
    async () => {
      for (const { call, answer } of sent) {
        const again = await answered(call);
        expect([call.kind, again.status, again.body]).toEqual([call.kind, answer?.status, answer?.body]);
      }
      const count = (kind: string): number => sent.filter(({ call }) => call.kind === kind).length;
      expect(
        await product.sql(
          `select (select count(*)::int from deployments) as orders,
             (select count(*)::int from ledger_transactions where type = 'adjustment' and amount_micros = 1000000) as adjustments,
             (select count(*)::int from checkout_sessions where amount_cents = 700 and status = 'paid') as paid,
             (select count(*)::int from ledger_transactions where type = 'payment' and amount_micros = 7000000) as payments`,
        ),
      ).toEqual([
        {
          orders: count('order') + CUSTOMERS * RUNNING,
          adjustments: count('adjust'),
          paid: count('pay'),
          payments: count('pay'),
        },
      ]);
      process.stdout.write(
        `${sent.length} things done once: ${[...new Set(sent.map(({ call }) => call.kind))].map((kind) => `${kind} ${count(kind)}`).join(', ')}\n`,
      );
      for (const kind of ['order', 'delete', 'checkout', 'pay', 'adjust'])
        expect([kind, count(kind) > 1]).toEqual([kind, true]);
    },
    LONG_MS,
  );

  it(
    'delivers everything in transit, with ledger and invariants intact',
    async () => {
      await untilArrived();
      await eventuallyHolds(product);
      const audit = await product.ops('billing:audit');
      expect(audit).toEqual({ code: 0, out: expect.stringContaining('All invariants of the ledger hold') });
      for (const { child } of product.processes) expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    },
    LONG_MS,
  );
});

interface Call {
  readonly kind: string;
  readonly who: Pick<Customer, 'call'>;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

interface Sent {
  readonly call: Call;
  readonly answer: Answer<unknown> | undefined;
}

/** Waits until every deployment is READY or was deleted. None may fail because the database was unavailable. */
function untilArrived(): Promise<object[]> {
  return until(
    'every order READY or given up',
    () =>
      product.sql(
        `select d.id, d.status, d.failure_reason, w.due_at, w.last_error from deployments d
         left join runs r on r.deployment_id = d.id and r.state = 'running'
         left join work w on w.kind = 'run' and w.key = r.id::text
         where d.status not in ('READY', 'DESTROYED') limit 5`,
      ),
    (rows) => rows.length === 0,
    PATIENCE_MS,
  );
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
