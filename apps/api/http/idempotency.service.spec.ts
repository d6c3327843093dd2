import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ALL_CALLS, type Call } from '@moorage/contracts';
import { DAY_MS, MINUTE_MS } from '@moorage/domain';
import type { Db } from '@moorage/server';
import { copied } from '@moorage/tests/services/api/backups';
import { type Neighbours, neighbours, ordered, ORDER, SOLD_OUT } from '@moorage/tests/services/api/deployments';
import {
  type ApiHarness,
  apiHarness,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';

const nameOf = ({ method, path }: Call): string => `${method} ${path}`;

/** Calls that change something without accepting a key, and the reasons. */
const WITHOUT_KEY: Readonly<Record<string, string>> = {
  'POST /auth/login': 'moves no money',
  'POST /auth/logout': 'moves no money',
  'POST /auth/forgot-password': 'moves no money',
  'POST /auth/reset-password': 'moves no money',
  'POST /auth/verify-email': 'grants credits once: its token is used up by it',
  'GET /auth/verify-email': 'grants credits once: its token is used up by it',
  'POST /mails/unsubscribe': 'moves no money',
  'POST /users': 'moves no money',
  'POST /users/resend-verification': 'moves no money',
  'PUT /users/self/language': 'moves no money',
  'PUT /users/self/username': 'moves no money',
  'POST /users/self/email-change': 'moves no money',
  'DELETE /users/self/email-change': 'moves no money',
  'PUT /users/self/password': 'moves no money',
  'DELETE /users/self/sessions/{id}': 'moves no money',
  'DELETE /users/self/sessions': 'moves no money',
  'POST /users/self/reauthentication': 'moves no money',
  'POST /users/self/two-factor': 'moves no money',
  'POST /users/self/two-factor/confirm': 'moves no money',
  'POST /users/self/two-factor/recovery-codes': 'moves no money',
  'POST /users/self/two-factor/disable': 'moves no money',
  'PUT /users/self/notifications': 'moves no money',
  'POST /users/self/exports': 'moves no money',
  'PUT /billing/details': 'moves no money',
  'POST /billing/statements/{month}': 'issues once: the second time it is the same',
  'DELETE /users/self': 'leaves the money where it is',
  'POST /users/self/api-tokens': 'moves no money',
  'DELETE /users/self/api-tokens/{id}': 'moves no money',
  'POST /users/admin-create': 'moves no money',
  'PATCH /users/{id}/make-admin': 'moves no money',
  'PATCH /users/{id}/remove-admin': 'moves no money',
  'POST /billing/admin/payment-differences/{id}/settle': 'moves no money, and settles once',
  'POST /billing/admin/users/{id}/automatic-top-up/stop': 'what is off stays off, and is mailed once',
  'POST /admin/leaks/{id}/remove': 'moves no money, and decides once',
  'POST /admin/leaks/{id}/keep': 'moves no money, and decides once',
  'POST /admin/leaks/{id}/adopt': 'moves no money, and decides once',
  'POST /users/{id}/prepare-deletion': 'refunds once: what was stopped is not stopped again',
  'POST /users/{id}/deactivate': 'leaves the money where it is',
  'POST /users/{id}/reactivate': 'moves no money',
  'DELETE /users/{id}': 'leaves the money where it is',
  'DELETE /users/{id}/sessions': 'moves no money',
  'POST /users/{id}/impersonation': 'moves no money',
  'DELETE /users/{id}/impersonation': 'moves no money',
  'POST /servers/validate-vps': 'moves no money',
  'POST /deployments/pricing/calculate': 'changes nothing',
  'POST /deployments/package-request': 'moves no money',
  'POST /deployments/{id}/restart': 'moves no money',
  'POST /deployments/{id}/backups': 'one is taken at a time: a repeat is refused',
  'POST /deployments/{id}/backups/{backup_id}/restore': 'one is under way at a time: a repeat is refused',
  'POST /deployments/{id}/backups/{backup_id}/download': 'one archive is prepared at a time: a repeat is refused',
  'POST /deployments/{id}/backup-downloads/{download_id}/link': 'moves no money',
  'PUT /deployments/{id}/backups/bucket': 'a repeat sets the same bucket, with the same password',
  'POST /deployments/{id}/backups/bucket/check': 'one is under way at a time: a repeat is refused',
  'DELETE /deployments/{id}/backups/bucket': 'moves no money',
  'POST /deployments/{id}/dns/records': 'moves no money: correct records are left as they are',
  'POST /deployments/{id}/ssh-keys': 'a key is in the list once: a repeat is refused',
  'DELETE /deployments/{id}/ssh-keys/{key_id}': 'moves no money',
  'POST /deployments/{id}/start-server': 'a repeat is refused, because the server is being started',
  'POST /deployments/{id}/containers/{container}/restart': 'once a minute: a repeat is refused',
  'POST /deployments/{id}/undo-restore': 'what is being undone is not undone again',
  'POST /deployments/{id}/retry-dns-validation': 'moves no money',
  'POST /deployments/{id}/reveal-secrets': 'moves no money',
  'PUT /deployments/{id}/domain': 'moves no money',
  'POST /deployments/{id}/update': 'a repeat is refused, because the deployment is being updated',
  'POST /deployments/{id}/reboot': 'a repeat is refused, because the server is being rebooted, or plans the same',
  'PUT /deployments/{id}/update-settings': 'moves no money',
  'PUT /admin/releases/{package}/{version}': 'moves no money',
  'PATCH /deployments/{id}/configuration': 'one change is under way at a time: a repeat is refused',
  'POST /deployments/{id}/domains': 'moves no money: a repeat is refused, because the name is listed',
  'DELETE /deployments/{id}/domains/{domain_id}': 'moves no money',
  'PUT /deployments/{id}/name': 'moves no money',
  'PUT /deployments/{id}/deletion-lock': 'moves no money',
  'POST /deployments/{id}/dismiss-ending': 'moves no money',
  'PUT /billing/automatic-top-up': 'sets figures: what it charges later, it charges once',
  'DELETE /billing/card': 'moves no money',
  'POST /webhooks/stripe': 'each event once, by its id',
  'POST /webhooks/clouds/{provider}': 'moves no money: each event once, by its id',
  'POST /admin/providers/{provider}/check': 'moves no money',
  'POST /admin/providers/{provider}/confirm': 'a project is confirmed once',
  'PUT /admin/providers/{provider}/credentials': 'moves no money',
  'DELETE /admin/providers/{provider}/credentials': 'moves no money',
  'POST /admin/queues/session': 'moves no money',
  'POST /support/contact': 'moves no money',
  'POST /support/conversations/{id}/close': 'moves no money',
  'POST /support/visits': 'moves no money',
  'PUT /support/admin/conversations/{id}/assignee': 'moves no money',
  'POST /support/admin/conversations/{id}/close': 'moves no money',
  'POST /support/referral-request': 'moves no money',
  'POST /support/referral-requests/{id}/approve': 'a request is decided once',
  'POST /support/referral-requests/{id}/reject': 'a request is decided once',
  'POST /signup-credits/redeem': 'a code pays once',
  'PATCH /referrals/admin/credits/{id}/adjust': 'sets an amount: the same again changes nothing',
  'POST /referrals/admin/referrals/{id}/approve': 'a referral is decided once',
  'POST /referrals/admin/referrals/{id}/reject': 'a referral is decided once',
};

describe('calls that accept an Idempotency-Key', () => {
  it('include every call with side effects, except those listed here with a reason', () => {
    const changing = ALL_CALLS.filter(({ method }) => method !== 'GET');
    const without = changing.filter((call) => call.idempotency_key !== true).map(nameOf);
    expect(without.filter((name) => WITHOUT_KEY[name] === undefined)).toEqual([]);
    const taking = ALL_CALLS.filter((call) => call.idempotency_key === true).map(nameOf);
    expect(taking.filter((name) => WITHOUT_KEY[name] !== undefined)).toEqual([]);
    expect(taking).toEqual(expect.arrayContaining(Object.keys(MOVING)));
  });
});

/** Objects that the cases need, created for each test. */
interface Stage {
  readonly api: ApiHarness;
  readonly customer: TestAccount;
  readonly admin: TestAccount;
  /** A READY deployment of the customer. */
  readonly deployment: number;
  /** A copy of this deployment. */
  readonly copy: number;
  /** Another deployment, in DNS_VALIDATION. */
  readonly waiting: number;
  /** Another deployment, which failed because its size was sold out. */
  readonly soldOut: number;
  /** A checkout session of the customer. */
  readonly session: string;
  /** A conversation of the customer with support. */
  readonly conversation: number;
  /** The link to a visitor's conversation. */
  readonly visit: string;
}

interface Moving {
  /** Name of the transaction that moves the money or writes the message. */
  readonly tx: string;
  /** Sends the request, or a different one under the same key with `other`. */
  readonly send: (stage: Stage, key: string, other?: boolean) => PromiseLike<{ status: number; body: unknown }>;
  /** SQL that counts the effects. */
  readonly happened: string;
  /** Type of the ledger entry that stores the key as its cause. */
  readonly caused?: string;
  /**
   * Status of a repeat. It is the first response, or elsewhere the same response because of the state that the repeat
   * finds.
   */
  readonly status: number;
}

const messageOf = ({ id }: TestAccount, other: boolean): string => (other ? 'Something else' : `Words of ${id}`);
const WRITTEN = `select 1 from support_entries where message = 'Words of ' || $1::integer`;

/** Orders a move of the deployment, and makes the new deployment ready, unless that was done before. */
async function openedMove(api: ApiHarness, { auth }: TestAccount, deployment: number): Promise<void> {
  const place = { server_type: 'new', cloud_provider: 'hetzner', region: 'nbg1', instance_type: 'cpx22' };
  const { status, body } = await api.http.post(`/api/deployments/${deployment}/move`).set(auth).send(place);
  if (status !== 201) return;
  const target = (body as { id: number }).id;
  const world = await neighbours(api);
  await world.moveTo(target, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true }], 'READY');
  await api.database.sql(
    `update moves set state = 'waiting', switched_at = now(), remove_at = now() + interval '1 day' where target_id = $1`,
    [target],
  );
}

const endOfMove = (end: 'finish' | 'cancel', removed: 'source_id' | 'target_id'): Moving => ({
  tx: `moves.${end}`,
  send: async ({ api, customer, deployment }, key, other = false) => {
    await openedMove(api, customer, deployment);
    return api.http
      .post(`/api/deployments/${other ? deployment + 1 : deployment}/move/${end}`)
      .set({ ...customer.auth, 'idempotency-key': key });
  },
  happened: `select 1 from deployments where user_id = $1 and id in (select ${removed} from moves) and desired = 'destroyed'`,
  status: 200,
});

const MOVING: Readonly<Record<string, Moving>> = {
  'POST /billing/admin/users/{id}/adjust-balance': {
    tx: 'wallet.adjust',
    send: ({ api, customer, admin }, key, other = false) =>
      api.http
        .post(`/api/billing/admin/users/${customer.id}/adjust-balance`)
        .set({ ...admin.auth, 'idempotency-key': key })
        .send({ amount: other ? 6 : 5 }),
    happened: `select 1 from ledger_transactions where user_id = $1 and type = 'adjustment'`,
    caused: 'adjustment',
    status: 200,
  },
  'PATCH /deployments/{id}': {
    tx: 'deployments.change-support-level',
    send: ({ api, customer, deployment }, key, other = false) =>
      api.http
        .patch(`/api/deployments/${deployment}`)
        .set({ ...customer.auth, 'idempotency-key': key })
        .send({ support_level: other ? 3 : 2 }),
    happened: `select 1 from ledger_transactions where user_id = $1 and type = 'rerate'`,
    caused: 'rerate',
    status: 200,
  },
  'POST /deployments/{id}/resize': {
    tx: 'deployments.resize',
    send: ({ api, customer, deployment }, key, other = false) =>
      api.http
        .post(`/api/deployments/${deployment}/resize`)
        .set({ ...customer.auth, 'idempotency-key': key })
        .send({ instance_type: other ? 'cpx42' : 'cpx32', expected_hourly_cost: other ? 0.1249 : 0.0643 }),
    happened: `select 1 from deployment_changes c join deployments d on d.id = c.deployment_id where d.user_id = $1`,
    status: 200,
  },
  'DELETE /deployments/{id}': {
    tx: 'deployments.delete',
    send: ({ api, customer, deployment }, key, other = false) =>
      api.http
        .delete(`/api/deployments/${other ? deployment + 1 : deployment}`)
        .set({ ...customer.auth, 'idempotency-key': key }),
    happened: `select 1 from ledger_transactions where user_id = $1 and type = 'refund'`,
    caused: 'refund',
    status: 200,
  },
  'POST /deployments/{id}/cancel': {
    tx: 'deployments.cancel',
    send: ({ api, customer, waiting }, key, other = false) =>
      api.http
        .post(`/api/deployments/${other ? waiting - 1 : waiting}/cancel`)
        .set({ ...customer.auth, 'idempotency-key': key }),
    happened: `select 1 from ledger_transactions where user_id = $1 and type = 'refund'`,
    caused: 'refund',
    status: 200,
  },
  'POST /deployments': {
    tx: 'deployments.create',
    send: ({ api, customer }, key, other = false) =>
      api.http
        .post('/api/deployments')
        .set({ ...customer.auth, 'idempotency-key': key })
        .send({ ...ORDER, client_name: other ? 'another one' : 'keyed' }),
    happened: `select 1 from deployments where user_id = $1 and client_name = 'keyed'`,
    status: 201,
  },
  'POST /deployments/{id}/retry': {
    tx: 'deployments.retry',
    send: ({ api, customer, soldOut }, key, other = false) =>
      api.http
        .post(`/api/deployments/${soldOut}/retry`)
        .set({ ...customer.auth, 'idempotency-key': key })
        .send({ region: other ? 'hel1' : 'nbg1', instance_type: 'cpx22', expected_hourly_cost: 0.0356 }),
    happened: `select 1 from deployments where user_id = $1 and region = 'nbg1'`,
    status: 201,
  },
  'POST /deployments/{id}/backups/{backup_id}/deployments': {
    tx: 'backups.deploy',
    send: ({ api, customer, deployment, copy }, key, other = false) =>
      api.http
        .post(`/api/deployments/${deployment}/backups/${copy}/deployments`)
        .set({ ...customer.auth, 'idempotency-key': key })
        .send({
          server_type: 'new',
          cloud_provider: 'hetzner',
          region: other ? 'hel1' : 'nbg1',
          instance_type: 'cpx22',
          expected_hourly_cost: 0.0356,
        }),
    happened: `select 1 from deployments d join restores r on r.deployment_id = d.id where d.user_id = $1 and d.region = 'nbg1'`,
    status: 201,
  },
  'POST /deployments/{id}/move': {
    tx: 'moves.start',
    send: ({ api, customer, deployment }, key, other = false) =>
      api.http
        .post(`/api/deployments/${deployment}/move`)
        .set({ ...customer.auth, 'idempotency-key': key })
        .send({
          server_type: 'new',
          cloud_provider: 'hetzner',
          region: other ? 'hel1' : 'nbg1',
          instance_type: 'cpx22',
        }),
    happened: `select 1 from moves m join deployments d on d.id = m.target_id where d.user_id = $1 and d.region = 'nbg1'`,
    status: 201,
  },
  'POST /deployments/{id}/clone': {
    tx: 'moves.start',
    send: ({ api, customer, deployment }, key, other = false) =>
      api.http
        .post(`/api/deployments/${deployment}/clone`)
        .set({ ...customer.auth, 'idempotency-key': key })
        .send({
          server_type: 'new',
          cloud_provider: 'hetzner',
          region: other ? 'hel1' : 'nbg1',
          instance_type: 'cpx22',
          domain: 'clone.example.com',
        }),
    happened: `select 1 from moves m join deployments d on d.id = m.target_id where d.user_id = $1 and d.region = 'nbg1'`,
    status: 201,
  },
  'POST /deployments/{id}/move/finish': endOfMove('finish', 'source_id'),
  'POST /deployments/{id}/move/cancel': endOfMove('cancel', 'target_id'),
  'POST /stripe/create-checkout-session': {
    tx: 'payments.checkout',
    send: ({ api, customer }, key, other = false) =>
      api.http
        .post('/api/stripe/create-checkout-session')
        .set({ ...customer.auth, 'idempotency-key': key })
        .send({ amount_cents: other ? 1600 : 1500 }),
    happened: 'select 1 from checkout_sessions where user_id = $1 and amount_cents = 1500',
    status: 201,
  },
  'POST /stripe/test-checkout/{session_id}': {
    tx: 'payments.test-key',
    send: ({ api, session }, key, other = false) =>
      api.http
        .post(`/api/stripe/test-checkout/${session}`)
        .set({ 'idempotency-key': key })
        .send({ outcome: other ? 'cancel' : 'pay' }),
    happened: `select 1 from ledger_transactions where user_id = $1 and type = 'payment' and amount_micros = 1000000`,
    status: 200,
  },
  'POST /support/conversations/{id}/messages': {
    tx: 'support.reply',
    send: ({ api, customer, conversation }, key, other = false) =>
      api.http
        .post(`/api/support/conversations/${conversation}/messages`)
        .set({ ...customer.auth, 'idempotency-key': key })
        .send({ message: messageOf(customer, other) }),
    happened: WRITTEN,
    status: 201,
  },
  'POST /support/visits/messages': {
    tx: 'support.visitor-reply',
    send: ({ api, customer, visit }, key, other = false) =>
      api.http
        .post('/api/support/visits/messages')
        .set({ 'idempotency-key': key })
        .send({ token: visit, message: messageOf(customer, other) }),
    happened: WRITTEN,
    status: 201,
  },
  'POST /support/admin/conversations/{id}/answers': {
    tx: 'inbox.answered',
    send: ({ api, customer, admin, conversation }, key, other = false) =>
      api.http
        .post(`/api/support/admin/conversations/${conversation}/answers`)
        .set({ ...admin.auth, 'idempotency-key': key })
        .send({ message: messageOf(customer, other) }),
    happened: WRITTEN,
    status: 201,
  },
  'POST /support/admin/conversations/{id}/notes': {
    tx: 'inbox.noted',
    send: ({ api, customer, admin, conversation }, key, other = false) =>
      api.http
        .post(`/api/support/admin/conversations/${conversation}/notes`)
        .set({ ...admin.auth, 'idempotency-key': key })
        .send({ message: messageOf(customer, other) }),
    happened: WRITTEN,
    status: 201,
  },
};
const CASES = Object.entries(MOVING);

async function staged(api: ApiHarness, others: Neighbours, admin: TestAccount): Promise<Stage> {
  const customer = await api.user();
  await api.pay(customer, 2000);
  const { id: deployment } = await ordered(api, customer);
  await others.moveTo(
    deployment,
    'PROVISIONING',
    ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.9.9' }],
    'READY',
  );
  const { id: waiting } = await ordered(api, customer, { client_name: 'waiting' });
  await others.moveTo(waiting, 'PROVISIONING', 'DNS_VALIDATION');
  const { id: soldOut } = await ordered(api, customer, { client_name: 'sold out' });
  await others.moveTo(soldOut, SOLD_OUT);
  const { db, clock, ledger } = api.deps;
  await db.tx('test.settle', async (tx) => {
    await ledger.settleAccount(tx, { userId: customer.id, at: await clock.now(tx) });
  });
  const begun = await api.http
    .post('/api/stripe/create-checkout-session')
    .set(customer.auth)
    .send({ amount_cents: 100 });
  return {
    api,
    customer,
    admin,
    deployment,
    copy: await copied(api, deployment),
    waiting,
    soldOut,
    session: (begun.body as { session_id: string }).session_id,
    ...(await conversations(api, customer)),
  };
}

async function conversations(api: ApiHarness, customer: TestAccount): Promise<Pick<Stage, 'conversation' | 'visit'>> {
  const write = (email: string, auth: Readonly<Record<string, string>>) =>
    api.http.post('/api/support/contact').set(auth).send({ name: 'Jane', email, subject: 'Help', message: 'How?' });
  const own = await write(customer.email, customer.auth);
  const visitor = `visitor${customer.id}@example.org`;
  await write(visitor, {});
  await api.run();
  const [confirmation] = await api.mailsTo(visitor);
  return {
    conversation: (own.body as { conversation_id: number }).conversation_id,
    visit: /\/conversation#(\S+)/.exec(confirmation?.text ?? '')?.[1] ?? '',
  };
}

const code = ({ status, body }: { status: number; body: unknown }) => [status, (body as { code?: string }).code];
let keys = 0;
const newKey = () => `key-${++keys}`;

describe('repeated call with a key that moves money or sends a message', () => {
  let api: ApiHarness;
  let others: Neighbours;
  let admin: TestAccount;
  let stage: Stage;
  beforeAll(async () => {
    api = await apiHarness();
    others = await neighbours(api);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    await toFirstMinuteOfDay(api);
    // Each test lasts a day, and sessions expire.
    admin = await api.admin();
    stage = await staged(api, others, admin);
  });

  const times = async (query: string) => (await api.database.sql(query, [stage.customer.id])).length;

  it.each(CASES)('%s: happens once, and the repeat gets the first response', async (_, { send, happened, status }) => {
    const key = newKey();
    const first = await send(stage, key);
    expect(first.status).toBe(status);
    const again = await send(stage, key);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await times(happened)).toBe(1);
  });

  it.each(CASES)('%s: happens once for eight concurrent requests', async (_, { send, happened, status }) => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(stage, key)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => status));
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    expect(await times(happened)).toBe(1);
  });

  it.each(CASES)('%s: rejects a different request under the same key', async (_, { send, happened }) => {
    const key = newKey();
    await send(stage, key);
    expect(code(await send(stage, key, true))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await times(happened)).toBe(1);
  });

  it('cannot use the key of another call', async () => {
    const key = newKey();
    const { 'PATCH /deployments/{id}': level, 'DELETE /deployments/{id}': remove } = MOVING;
    expect((await level?.send(stage, key))?.status).toBe(200);
    expect(code((await remove?.send(stage, key)) ?? { status: 0, body: {} })).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it.each(CASES.filter(([, { caused }]) => caused !== undefined))(
    '%s: stores the key as the cause in the ledger permanently',
    async (_, { send, happened, caused }) => {
      const key = newKey();
      await send(stage, key);
      const causes = await api.database.sql(
        `select type from ledger_transactions where cause = any (array['key:' || $1 || ':' || $3, 'key:' || $2 || ':' || $3])`,
        [stage.customer.id, stage.admin.id, key],
      );
      expect(causes).toEqual([{ type: caused }]);
      // After a day the response is deleted, and still nothing is done twice.
      api.pass(DAY_MS + MINUTE_MS);
      await send(stage, key);
      expect(await times(happened)).toBe(1);
    },
  );

  it('applies an adjustment each time without a key, each with its own cause', async () => {
    const adjust = () =>
      api.http.post(`/api/billing/admin/users/${stage.customer.id}/adjust-balance`).set(admin.auth).send({ amount: 5 });
    await adjust();
    await adjust();
    const causes = await api.database.sql<{ cause: string }>(
      `select cause from ledger_transactions where user_id = $1 and type = 'adjustment'`,
      [stage.customer.id],
    );
    expect(new Set(causes.map(({ cause }) => cause)).size).toBe(2);
  });

  it.each(['', 'has blank', 'k'.repeat(256)])('rejects %j as a key', async (key) => {
    const { 'POST /billing/admin/users/{id}/adjust-balance': adjust } = MOVING;
    expect(code((await adjust?.send(stage, key)) ?? { status: 0, body: {} })).toEqual([422, 'FIELDS_INVALID']);
  });

  it('is documented for the calls that accept a key', async () => {
    const { paths } = (await api.http.get('/api/docs-json')).body as {
      paths: Record<string, Record<string, { parameters: { name: string; in: string }[]; responses: object }>>;
    };
    const taking = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { parameters }]) =>
          parameters.some(({ name, in: place }) => name === 'Idempotency-Key' && place === 'header'),
        )
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    expect(taking.sort()).toEqual(
      ALL_CALLS.filter((call) => call.idempotency_key === true)
        .map(nameOf)
        .sort(),
    );
    expect(JSON.stringify(paths['/deployments/{id}']?.delete?.responses)).toContain('IDEMPOTENCY_KEY_REUSED');
  });
});

/**
 * A proxy in front of the database that can cut the connection when the outcome is unknown: PostgreSQL has committed,
 * and its response to COMMIT is lost.
 */
interface Cutter {
  readonly url: string;
  /** Drops the next response to a COMMIT. */
  arm(): void;
  readonly cuts: number;
  close(): Promise<void>;
}

async function commitCutter(databaseUrl: string): Promise<Cutter> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let armed = false;
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (data: Buffer) => {
      if (armed && data.includes('COMMIT\0')) {
        armed = false;
        cuts++;
        client.destroy();
        upstream.destroy();
      } else client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    arm: () => void (armed = true),
    get cuts() {
      return cuts;
    },
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

describe('database connection that breaks after COMMIT, before the response', () => {
  let api: ApiHarness;
  let cut: ApiHarness;
  let cutter: Cutter;
  let others: Neighbours;
  let admin: TestAccount;
  /** Name of the transaction that gets no response to its COMMIT. */
  let target: string | null = null;
  beforeAll(async () => {
    api = await apiHarness();
    cutter = await commitCutter(api.database.url);
    const db = await api.database.open({ service: 'api', url: cutter.url });
    cut = await apiHarness({ beside: api, deps: (deps) => ({ ...deps, db: cutting(db) }) });
    await toFirstMinuteOfDay(api, cut);
    others = await neighbours(api);
    admin = await api.admin();
  });
  afterAll(async () => {
    await cut.close();
    await cutter.close();
    await api.close();
  });

  function cutting(db: Db): Db {
    return {
      ...db,
      tx: (name, fn) =>
        db.tx(name, async (tx) => {
          const value = await fn(tx);
          if (name === target) {
            target = null;
            cutter.arm();
          }
          return value;
        }),
    };
  }

  it.each(CASES)('%s: returns 503, and the repeat finds it done', async (_, { tx, send, happened, status }) => {
    const stage = { ...(await staged(api, others, admin)), api: cut };
    const key = newKey();
    const before = cutter.cuts;
    target = tx;
    const lost = await send(stage, key);
    expect([code(lost), cutter.cuts - before]).toEqual([[503, 'SERVICE_UNAVAILABLE'], 1]);
    const again = await send(stage, key);
    expect(again.status).toBe(status);
    expect(await api.database.sql(happened, [stage.customer.id])).toHaveLength(1);
  });
});

describe('keys of another account', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await apiHarness();
  });
  afterAll(() => api.close());

  it('are unknown to the caller', async () => {
    const [one, two] = [await api.user(), await api.user()];
    const begin = (account: TestAccount) =>
      api.http
        .post('/api/stripe/create-checkout-session')
        .set({ ...account.auth, 'idempotency-key': 'shared' })
        .send({ amount_cents: 1500 });
    const [first, second] = [await begin(one), await begin(two)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect((first.body as { session_id: string }).session_id).not.toBe(
      (second.body as { session_id: string }).session_id,
    );
  });
});
