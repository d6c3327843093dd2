import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deployment, type DeploymentAnswer } from '@moorage/contracts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import {
  everythingStored,
  type Neighbours,
  neighbours,
  ORDER,
  ordered,
  OWN_SERVER,
} from '@moorage/tests/services/api/deployments';

let harness: ApiHarness;
let others: Neighbours;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
});
afterAll(() => harness.close());

const post = (account: TestAccount, body: object, headers: Record<string, string> = {}) =>
  harness.http.post('/api/deployments/').set(account.auth).set(headers).send(body);

async function rich(cents = 2000): Promise<TestAccount> {
  const account = await harness.user();
  await harness.pay(account, cents);
  return account;
}

async function refused(account: TestAccount, body: object, headers: Record<string, string> = {}) {
  const before = await everythingStored(harness);
  const answer = await post(account, body, headers);
  expect(await everythingStored(harness)).toEqual(before);
  return answer;
}

describe('order', () => {
  it('stores domain and email in their DNS form', async () => {
    const order = { ...ORDER, domain: 'MÜNCHEN-Shop.de', admin_email: 'ada@münchen.de' };
    const { status, body } = await post(await rich(), order);
    expect([status, body]).toMatchObject([201, { domain: 'xn--mnchen-shop-thb.de' }]);
    const [row] = await harness.database.sql(
      `select config ->> 'EMAIL' as email from deployments order by id desc limit 1`,
    );
    expect(row).toEqual({ email: 'ada@xn--mnchen-3ya.de' });
  });

  it('creates a deployment in CREATING with its price, event and sealed secrets', async () => {
    const account = await rich();
    const { status, body } = await post(account, {
      ...ORDER,
      admin_password: 'Correct-horse-7',
      postgres_password: 'Secret+1',
      support_level: 2,
      is_admin: true,
    });
    const created = body as DeploymentAnswer;
    expect(status).toBe(201);
    expect(created).toMatchObject({
      package: 'pangolin',
      status: 'CREATING',
      status_label: 'Creating...',
      support_level: 2,
      hourly_cost: 0.1041,
      daily_cost: 2.4984,
      domain: 'example.com',
      admin_subdomain: 'admin',
      access_link: 'https://admin.example.com',
      actions: ['cancel'],
      locked_reason: 'Cannot modify during provisioning',
      sandbox: true,
      postgres_password: { set: true },
      user_id: account.id,
    });
    expect(created.client_name).toMatch(/^[a-z0-9]{1,8}-pangolin-\d{6}$/);
    expect(created.user).toBeUndefined();
    const [row] = await harness.database.sql<{ ref: string; config: object; instance_hourly_micros: string }>(
      'select ref, config, instance_hourly_micros from deployments where id = $1',
      [created.id],
    );
    expect(row).toMatchObject({
      config: { DOMAIN: 'example.com', EMAIL: 'jane@example.com', ADMIN_SUBDOMAIN: 'admin' },
      instance_hourly_micros: '35600',
    });
    expect(row?.ref).toMatch(/^[a-z0-9]{16}$/);
    const rates = await harness.database.sql(
      'select support_level, hourly_micros from deployment_rates where deployment_id = $1',
      [created.id],
    );
    expect(rates).toEqual([{ support_level: 2, hourly_micros: '104100' }]);
    const sealed = await harness.database.sql<{ name: string }>(
      'select name from secrets where owner = $1 order by name',
      [`deployment:${created.id}`],
    );
    expect(sealed.map(({ name }) => name)).toEqual(['ADMIN_PASSWORD', 'POSTGRES_PASSWORD']);
    const events = await harness.database.sql(
      'select event_name, data from outbox where stream = $1 and aggregate_id = $2',
      ['deployment', String(created.id)],
    );
    expect(events).toEqual([
      {
        event_name: 'deployment.created',
        data: { deployment_id: created.id, user_id: account.id, package: 'pangolin', server_type: 'new' },
      },
    ]);
  });

  it('is placed at the displayed price, and rejected if that differs by the smallest unit', async () => {
    const account = await rich();
    const shown = await harness.http.post('/api/deployments/pricing/calculate').send(ORDER);
    const { hourly_cost: price } = shown.body as { hourly_cost: number };
    for (const expected_hourly_cost of [0.035599, 0.035601]) {
      const { status, body } = await refused(account, { ...ORDER, expected_hourly_cost });
      expect([status, body]).toMatchObject([409, { code: 'PRICE_CHANGED', expected_hourly_cost, hourly_cost: price }]);
    }
    const { status, body } = await post(account, { ...ORDER, expected_hourly_cost: price });
    expect([status, (body as DeploymentAnswer).hourly_cost]).toEqual([201, price]);
    const prices = await harness.database.sql(
      `select m.hourly_micros::int as meter, r.hourly_micros::int as rate
       from meters m join deployment_rates r on r.deployment_id = m.deployment_id where m.deployment_id = $1`,
      [(body as DeploymentAnswer).id],
    );
    expect(prices).toEqual([{ meter: price * 1e6, rate: price * 1e6 }]);
  });

  it('writes no secret to any row, response, event or log line', async () => {
    const account = await rich();
    const canaries = {
      admin_password: 'Canary-password-1',
      setup_token: 'canarytokencanarytokencanarytok1',
      postgres_password: 'Canary-postgres-1',
    };
    const created = await post(account, { ...ORDER, ...canaries }, { 'idempotency-key': 'canary-1' });
    expect(created.status).toBe(201);
    const refusedOrder = await post(account, {
      ...ORDER,
      ...canaries,
      domain: 'nope',
      admin_password: 'Canary-password-1 with blanks',
    });
    const seen = [created.text, refusedOrder.text, harness.logged()];
    for (const table of ['deployments', 'outbox', 'idempotency_keys', 'secrets', 'audit_records', 'work']) {
      seen.push(JSON.stringify(await harness.database.sql(`select * from ${table}`)));
    }
    for (const canary of Object.values(canaries)) expect(seen.join('\n')).not.toContain(canary);
  });

  it('accepts a hidden package by its name', async () => {
    const created = await ordered(harness, await rich(), { package: 'test-page', domain: null, admin_email: null });
    expect(created).toMatchObject({ package: 'test-page', domain: null, access_link: null });
  });

  it('accepts a complete client draft and stores only what the package requires', async () => {
    const created = await ordered(harness, await rich(), {
      user_id: 1,
      status: 'READY',
      deleted_at: '2020-01-01',
      instance_ip: '8.8.8.8',
      openai_api_key: 'sk-not-asked-for',
      client_name: 'My shop',
      postgres_host: 'pangolin-postgres',
      postgres_user: 'pangolin',
      github_repo: '',
      komodo_host_ip: '',
    });
    expect(created).toMatchObject({
      client_name: 'My shop',
      status: 'CREATING',
      instance_ip: null,
      deleted_at: null,
      postgres_host: 'pangolin-postgres',
      postgres_user: 'pangolin',
      github_repo: null,
    });
    const names = await harness.database.sql('select name from secrets where owner = $1', [`deployment:${created.id}`]);
    expect(names).toEqual([]);
  });

  it('returns exactly the fields of its contract', async () => {
    const created = await ordered(harness, await rich());
    expect(deployment.strict().parse(created)).toEqual(created);
  });
});

describe('balance for an order', () => {
  it('returns 402 with the required and the available amount when it is too low', async () => {
    const { status, body } = await refused(await harness.user(), ORDER);
    expect(status).toBe(402);
    expect(body).toMatchObject({
      code: 'BALANCE_TOO_LOW',
      needed: 4.99,
      available: 0,
      detail: expect.stringContaining('4.99'),
    });
  });

  it('requires 5.00 plus a day of all deployments for the second one', async () => {
    const account = await rich(600);
    await ordered(harness, account, { support_level: 2 });
    const { status, body } = await refused(account, { ...ORDER, support_level: 3 });
    expect(status).toBe(402);
    expect(body).toMatchObject({ code: 'BALANCE_TOO_LOW', needed: 9.9288, available: 6 });
  });

  it('allows one small deployment on credits alone', async () => {
    const account = await harness.user();
    const { db, ledger, clock } = harness.deps;
    await db.tx('test.grant', async (tx) => {
      await ledger.grantCredit(tx, { userId: account.id, creditType: 'signup', at: await clock.now(tx) });
    });
    const dear = await refused(account, { ...ORDER, support_level: 2 });
    expect(dear.status).toBe(402);
    expect(dear.body).toMatchObject({ code: 'CREDIT_ONLY_LIMIT' });
    await ordered(harness, account);
    expect((await refused(account, ORDER)).body).toMatchObject({
      code: expect.stringMatching(/BALANCE_TOO_LOW|CREDIT_ONLY_LIMIT/),
    });
  });
});

describe('permission to order', () => {
  it('rejects an unverified account', async () => {
    const { status, body } = await refused(await harness.unverified(), ORDER);
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
  });

  it('rejects a visitor', async () => {
    expect((await harness.http.post('/api/deployments').send(ORDER)).status).toBe(401);
  });

  it('limits an account to fifty deployments at a time', async () => {
    const account = await rich(100_000);
    await harness.database.sql(
      `insert into deployments (user_id, ref, client_name, client_id, package, server_type, support_level, instance_hourly_micros, status, created_at, updated_at)
       select $1, 'many' || n, 'x', 'x', 'pangolin', 'new', 1, 0, 'FAILED', now(), now() from generate_series(1, 50) n`,
      [account.id],
    );
    const { status, body } = await refused(account, ORDER);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'DEPLOYMENT_LIMIT' });
  });
});

describe('failed creations', () => {
  /** Lets a creation fail as the provisioner does. The owner removes it from the list afterwards. */
  async function fails(account: TestAccount, hoursAgo: number): Promise<void> {
    const { id } = (await post(account, ORDER)).body as DeploymentAnswer;
    await others.moveTo(id, 'PROVISIONING', 'FAILED');
    const { db, clock } = harness.deps;
    const at = await db.tx('test.now', (tx) => clock.now(tx));
    await harness.database.sql(
      `insert into runs (deployment_id, plan, steps, state, started_at, finished_at) values ($1, 'create', '{}', 'failed', $2, $2)`,
      [id, new Date(at - hoursAgo * HOUR_MS).toISOString()],
    );
    await harness.http.delete(`/api/deployments/${id}`).set(account.auth);
  }

  it('reject the next order after more than five in 24 hours, with the time when it will be accepted', async () => {
    const [account, neighbour] = [await rich(), await rich()];
    for (const hoursAgo of [30, 23, 20, 4, 3, 2]) await fails(account, hoursAgo);
    expect((await post(account, ORDER)).status).toBe(201);
    await fails(account, 1);
    const answer = await refused(account, ORDER);
    expect([answer.status, answer.body]).toEqual([
      429,
      expect.objectContaining({
        code: 'RATE_LIMITED',
        detail: expect.stringMatching(/^More than five of your deployments failed or were cancelled within 24 hours\./),
      }),
    ]);
    const seconds = Number(answer.headers['retry-after']);
    expect(seconds).toBeGreaterThan(59 * 60);
    expect(seconds).toBeLessThanOrEqual(60 * 60);
    expect((await post(neighbour, ORDER)).status).toBe(201);
    harness.pass(HOUR_MS);
    expect((await post(account, ORDER)).status).toBe(201);
  });

  it('include those cancelled before they cost anything, and no others', async () => {
    const account = await rich();
    const cancelled = async (...way: ('PROVISIONING' | 'DNS_VALIDATION')[]): Promise<void> => {
      const { id } = (await post(account, ORDER)).body as DeploymentAnswer;
      await others.moveTo(id, ...way);
      await harness.http.post(`/api/deployments/${id}/cancel`).set(account.auth).expect(200);
      const { db, clock } = harness.deps;
      const at = await db.tx('test.now', (tx) => clock.now(tx));
      await harness.database.sql(
        `insert into runs (deployment_id, plan, steps, state, started_at, finished_at) values ($1, 'create', '{}', 'cancelled', $2, $2)`,
        [id, new Date(at).toISOString()],
      );
    };
    for (let count = 0; count < 5; count++) await cancelled('PROVISIONING');
    await cancelled('PROVISIONING', 'DNS_VALIDATION');
    expect((await post(account, ORDER)).status).toBe(201);
    await cancelled('PROVISIONING');
    expect((await refused(account, ORDER)).body).toMatchObject({ code: 'RATE_LIMITED' });
  });
});

describe('repeated order', () => {
  it('returns the same response and one deployment for the same key and body', async () => {
    const account = await rich();
    const key = { 'idempotency-key': 'order-1' };
    const first = await post(account, ORDER, key);
    await others.moveTo((first.body as DeploymentAnswer).id, 'PROVISIONING');
    const again = await refused(account, ORDER, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it('is rejected for the same key with another body', async () => {
    const account = await rich();
    await post(account, ORDER, { 'idempotency-key': 'order-2' });
    const { status, body } = await refused(account, { ...ORDER, region: 'nbg1' }, { 'idempotency-key': 'order-2' });
    expect([status, (body as { code: string }).code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('treats a key as private to its owner and forgets it after a day', async () => {
    const [one, two] = [await rich(), await rich()];
    const key = { 'idempotency-key': 'order-3' };
    const first = (await post(one, ORDER, key)).body as DeploymentAnswer;
    const other = (await post(two, ORDER, key)).body as DeploymentAnswer;
    expect(other.id).not.toBe(first.id);
    harness.pass(DAY_MS + MINUTE_MS);
    const later = (await post(one, { ...ORDER, region: 'nbg1' }, key)).body as DeploymentAnswer;
    expect(later.id).not.toBe(first.id);
  });

  it('can reuse the key of a rejected order', async () => {
    const account = await harness.user();
    const key = { 'idempotency-key': 'order-4' };
    expect((await post(account, ORDER, key)).status).toBe(402);
    await harness.pay(account, 1000);
    expect((await post(account, ORDER, key)).status).toBe(201);
  });

  it.each(['', 'has blank', 'k'.repeat(256), 'ключ'.normalize()])('rejects %j as a key', async (key) => {
    const encoded = Buffer.from(key, 'utf8').toString('latin1');
    const { status } = await post(await rich(), ORDER, { 'idempotency-key': encoded });
    expect(status).toBe(422);
  });

  it('is deduplicated by client_id for a minute without a key', async () => {
    const account = await rich();
    const draft = { ...ORDER, client_id: 'janepangolin123456' };
    const first = (await post(account, draft)).body as DeploymentAnswer;
    expect(((await post(account, draft)).body as DeploymentAnswer).id).toBe(first.id);
    harness.pass(MINUTE_MS + 1);
    expect(((await post(account, draft)).body as DeploymentAnswer).id).not.toBe(first.id);
  });

  it('creates one deployment from twenty concurrent requests with one key or client_id', async () => {
    for (const [body, headers] of [
      [ORDER, { 'idempotency-key': 'storm' }],
      [{ ...ORDER, client_id: 'storm' }, {}],
    ] as const) {
      const account = await rich();
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(account, body, headers)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
      expect(new Set(answers.map(({ body: created }) => (created as DeploymentAnswer).id)).size).toBe(1);
      const rows = await harness.database.sql('select 1 from deployments where user_id = $1', [account.id]);
      expect(rows).toHaveLength(1);
    }
  });

  it('never spends the same money twice in ten concurrent different orders', async () => {
    const account = await rich(1000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(account, { ...ORDER, support_level: 2 })));
    // 10.00 covers one day of four deployments (2.4984 each).
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(6);
  });
});

describe('own server', () => {
  it('requires a successful check by the same user within the last day', async () => {
    const [account, stranger] = [await rich(), await rich()];
    const order = { ...OWN_SERVER, vps_ip_address: '5.9.1.1' };
    const code = async () => ((await refused(account, order)).body as { code: string }).code;
    expect(await code()).toBe('VPS_CHECK_NEEDED');
    await others.checked(stranger, '5.9.1.1');
    expect(await code()).toBe('VPS_CHECK_NEEDED');
    await others.checked(account, '5.9.1.1');
    harness.pass(DAY_MS);
    expect(await code()).toBe('VPS_CHECK_NEEDED');
    await others.checked(account, '5.9.1.1');
    await others.checked(account, '5.9.1.1', 'refused');
    expect(await code()).toBe('VPS_CHECK_NEEDED');
    await others.checked(account, '5.9.1.1');
    const created = (await post(account, order)).body as DeploymentAnswer;
    expect(created).toMatchObject({
      server_type: 'vps',
      vps_ip_address: '5.9.1.1',
      cloud_provider: null,
      hourly_cost: 0.005,
      sandbox: false,
    });
  });

  it('runs one deployment at a time, regardless of the user', async () => {
    const [account, stranger] = [await rich(), await rich()];
    const order = { ...OWN_SERVER, vps_ip_address: '5.9.1.2' };
    await others.checked(account, '5.9.1.2');
    await others.checked(stranger, '5.9.1.2');
    const created = (await post(account, order)).body as DeploymentAnswer;
    for (const who of [account, stranger]) {
      const { status, body } = await refused(who, order);
      expect([status, (body as { code: string }).code]).toEqual([409, 'VPS_IN_USE']);
    }
    await others.moveTo(created.id, 'FAILED');
    await harness.http.delete(`/api/deployments/${created.id}`).set(account.auth);
    expect((await post(stranger, order)).status).toBe(201);
  });

  it('is assigned to one of two users who order it concurrently', async () => {
    const users = [await rich(), await rich(), await rich()];
    for (const user of users) await others.checked(user, '5.9.1.3');
    const answers = await Promise.all(users.map((user) => post(user, { ...OWN_SERVER, vps_ip_address: '5.9.1.3' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('is stored without the location a client sent along', async () => {
    const account = await rich();
    await others.checked(account, '5.9.1.4');
    const created = await ordered(harness, account, {
      ...OWN_SERVER,
      vps_ip_address: '5.9.1.4',
      cloud_provider: 'hetzner',
      region: 'fsn1',
      instance_type: 'cpx22',
    });
    expect(created).toMatchObject({ cloud_provider: null, region: null, instance_type: null });
  });
});

describe('production', () => {
  it('reports the hidden test package as unknown', async () => {
    const production = await apiHarness({
      beside: harness,
      settings: { mode: 'production', stripe: { secretKey: 'sk_test_x', webhookSecrets: ['whsec_x'], apiBase: null } },
    });
    const account = await rich();
    const before = await everythingStored(harness);
    const { status, body } = await production.http
      .post('/api/deployments')
      .set(account.auth)
      .send({ ...ORDER, package: 'test-page' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ path: 'package', message: 'There is no such package.' }] });
    expect(await everythingStored(harness)).toEqual(before);
    await production.close();
  });
});
