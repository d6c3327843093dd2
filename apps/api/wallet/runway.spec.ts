import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunwayAnswer } from '@moorage/contracts';
import { addDays, DAY_MS, dayOf, HOUR_MS, instant, iso, MINUTE_MS, startOfDay } from '@moorage/domain';
import { type Neighbours, neighbours, ORDER, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, elsewhere, type TestAccount } from '@moorage/tests/services/api/api-harness';

describe('runway over HTTP', () => {
  let api: ApiHarness;
  let others: Neighbours;
  beforeAll(async () => {
    api = await apiHarness({ settings: { trustedProxies: ['127.0.0.1'] } });
    others = await neighbours(api);
    // Starts at 10:30 UTC of some day, whenever the test is run.
    const now = api.deps.clock.localNow();
    api.pass(startOfDay(addDays(dayOf(now), 1)) + 10 * HOUR_MS + 30 * MINUTE_MS - now);
  });
  afterAll(() => api.close());

  const runway = async (account: TestAccount, query: object = {}): Promise<RunwayAnswer> => {
    const { status, body, text } = await api.http.get('/api/billing/runway').query(query).set(account.auth);
    if (status !== 200) throw new Error(text);
    return body as RunwayAnswer;
  };
  const settled = (account: TestAccount) =>
    api.deps.db.tx('test.settle', async (tx) =>
      api.deps.ledger.settleAccount(tx, { userId: account.id, at: await api.deps.clock.now(tx) }),
    );
  /** Creates a running Pangolin at 0.0356 an hour. */
  const running = async (account: TestAccount, change: object = {}): Promise<{ id: number; client_name: string }> => {
    const deployment = await ordered(api, account, change);
    await others.moveTo(deployment.id, 'PROVISIONING', [
      'DNS_VALIDATION',
      { server_exists: true, instance_ip: '5.9.7.1' },
    ]);
    await settled(account);
    return deployment;
  };

  it('has no date for an account without deployments', async () => {
    const account = await api.user();
    expect(await runway(account)).toEqual({
      ends_at: null,
      stops_first: null,
      stops: [],
      level: 'none',
      daily_cost: 0,
      running: 0,
      starting: 0,
      days: [],
      grace_periods: [],
      saving: null,
      longer: null,
      keep_until: null,
      locked_credits: 0,
      locked_now: 0,
      unlock_needs: 0,
      unlock_balance: 5,
      order_today: null,
      order_refusal: null,
      now: expect.any(String),
    });
  });

  it('is the same for administrators as for the account owner', async () => {
    const account = await api.user();
    await api.pay(account, 500);
    await running(account);
    const ofOther = (id: number | string, by: TestAccount) => api.http.get(`/api/users/${id}/runway`).set(by.auth);
    const admin = await api.admin();
    const { now: _, ...own } = await runway(account);
    expect((await ofOther(account.id, admin)).body).toMatchObject(own);
    expect((await ofOther(account.id, account)).status).toBe(403);
    expect((await ofOther(999_999, admin)).status).toBe(404);
  });

  it('names the date, what stops, and the days until then', async () => {
    const account = await api.user();
    await api.pay(account, 500);
    const deployment = await running(account);
    const answer = await runway(account);
    const today = dayOf(instant(answer.now));
    // 14 started hours of today, then 5 daily charges of 0.8544.
    expect(answer).toMatchObject({
      ends_at: `${addDays(today, 6)}T00:00:00.000Z`,
      stops_first: { deployment_id: deployment.id, client_name: deployment.client_name },
      stops: [{ deployment_id: deployment.id, client_name: deployment.client_name }],
      level: 'week',
      daily_cost: 0.8544,
      running: 1,
      locked_credits: 0,
    });
    expect(answer.days).toHaveLength(14);
    expect(answer.days[0]).toEqual({
      date: today,
      regular: 4.5016,
      referral: 0,
      signup: 0,
      total: 4.5016,
      charged: 0.4984,
      lasts: true,
    });
    expect(answer.days[5]).toMatchObject({ date: addDays(today, 5), total: 0.2296, charged: 0.8544, lasts: true });
    expect(answer.days[6]).toMatchObject({ total: 0.2296, charged: 0, lasts: false });
    const balance = await api.http.get('/api/billing/balance').set(account.auth);
    expect(balance.body).toMatchObject({ total_balance: answer.days[0]?.total });
  });

  it('shows the effect of a payment and an order without changing anything', async () => {
    const account = await api.user();
    await api.pay(account, 1000);
    await running(account);
    const today = dayOf(instant((await runway(account)).now));
    const ends = async (query: object) => (await runway(account, query)).ends_at?.slice(0, 10);
    // 9.5016 left: 11 daily charges of 0.8544.
    expect(await ends({})).toBe(addDays(today, 12));
    expect(await ends({ add_amount: '10' })).toBe(addDays(today, 23));
    const what = await runway(account, { order_hourly: '0.0685' });
    // 14 hours of the new deployment today, then 2.4984 a day.
    expect(what).toMatchObject({
      order_today: 0.959,
      daily_cost: 2.4984,
      running: 2,
      ends_at: `${addDays(today, 4)}T00:00:00.000Z`,
      stops: [{ deployment_id: null, client_name: null }],
    });
    expect(await ends({ order_hourly: '0.0685', add_amount: '5' })).toBe(addDays(today, 6));
    expect(what.order_refusal).toBeNull();
    expect(await runway(account)).toMatchObject({ running: 1, daily_cost: 0.8544, order_today: null });
    // The balance lacks the 70 for the rest of today, so it would not even start.
    const tooDear = await runway(account, { order_hourly: '5' });
    expect(tooDear).toMatchObject({
      level: 'days',
      ends_at: tooDear.now,
      stops: [{ deployment_id: null }],
      grace_periods: [],
    });
  });

  it('gives the same reason for rejecting an order as creating it', async () => {
    const account = await api.user();
    expect((await runway(account, { order_hourly: '0.0356' })).order_refusal).toMatchObject({
      code: 'BALANCE_TOO_LOW',
      detail: expect.stringContaining('You need 4.99'),
      needed: 4.99,
      available: 0,
      owed: 0,
    });
    expect((await runway(account, { order_hourly: '0.0356', add_amount: '5' })).order_refusal).toBeNull();
    expect((await runway(account, { order_hourly: '1', add_amount: '5' })).order_refusal).toMatchObject({
      code: 'BALANCE_TOO_LOW',
      needed: 24,
      available: 5,
    });
    expect((await runway(account)).order_refusal).toBeNull();
    const { status, body } = await api.http.post('/api/deployments').set(account.auth).send(ORDER);
    expect([status, (body as { needed: number }).needed]).toEqual([402, 4.99]);
  });

  it('counts a deployment in progress once: before the order, during creation, and when running', async () => {
    const account = await api.user();
    await api.pay(account, 2000);
    await running(account);
    const before = await runway(account);
    const requested = await runway(account, { order_hourly: '0.0356' });
    expect(requested.ends_at).not.toBe(before.ends_at);

    const order = await ordered(api, account);
    const counted = { ends_at: requested.ends_at, daily_cost: requested.daily_cost, running: 2 };
    expect(await runway(account)).toMatchObject({ ...counted, starting: 1, level: requested.level });
    await others.moveTo(order.id, 'PROVISIONING');
    const coming = await runway(account);
    expect(coming).toMatchObject({ ...counted, starting: 1 });
    // Listed by name, which the forecast before the order did not have.
    expect(coming.stops.map(({ client_name: name }) => name)).toContain(order.client_name);

    await others.moveTo(order.id, ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.7.2' }]);
    expect(await runway(account)).toMatchObject({ ...counted, starting: 0 });
    await settled(account);
    await others.moveTo(order.id, 'READY');
    const after = await runway(account);
    expect(after).toMatchObject({ ...counted, starting: 0 });
    expect(after.days).toEqual(coming.days);
  });

  it('adds an order to deployments in progress', async () => {
    const account = await api.user();
    await api.pay(account, 1000);
    await ordered(api, account);
    expect(await runway(account)).toMatchObject({ level: 'calm', running: 1, starting: 1, daily_cost: 0.8544 });
    expect(await runway(account, { order_hourly: '0.005' })).toMatchObject({
      running: 2,
      starting: 1,
      daily_cost: 0.9744,
    });
  });

  it('states the amount that keeps everything, and an order, until the end of a day', async () => {
    const account = await api.user();
    await api.pay(account, 500);
    await running(account);
    const day = addDays(dayOf(instant((await runway(account)).now)), 20);
    const end = iso(startOfDay(addDays(day, 1)));
    const { keep_until: kept } = await runway(account, { keep_until: day });
    expect(kept).toMatchObject({ runs_until: end, amount: expect.any(Number) });
    expect((await runway(account, { add_amount: String(kept?.amount) })).ends_at).toBe(end);
    expect((await runway(account, { add_amount: String((kept?.amount ?? 0) - 0.01) })).ends_at).not.toBe(end);

    const withOrder = await runway(account, { keep_until: day, order_hourly: '0.0356' });
    expect(withOrder.keep_until?.amount).toBeGreaterThan((kept?.amount ?? 0) + 20 * 0.8544);
    expect((await runway(account, { keep_until: dayOf(instant(withOrder.now)) })).keep_until?.amount).toBe(0);
    expect((await runway(account, { keep_until: addDays(day, 4_000) })).keep_until).toBeNull();
  });

  it('no longer counts a deployment that was cancelled before it ran', async () => {
    const account = await api.user();
    await api.pay(account, 1000);
    const order = await ordered(api, account);
    await others.moveTo(order.id, 'PROVISIONING', 'FAILED');
    expect(await runway(account)).toMatchObject({ ends_at: null, level: 'none', running: 0, starting: 0 });
  });

  it('states the amount and the deadline in a grace period, which ends on payment', async () => {
    const account = await api.user();
    await api.pay(account, 500);
    const deployment = await running(account);
    const [{ regular = 0 } = {}] = (await runway(account)).days;
    await api.http
      .post(`/api/billing/admin/users/${account.id}/adjust-balance`)
      .set((await api.admin()).auth)
      .send({ amount: -regular + 0.1, description: 'spent' });
    api.pass(DAY_MS);
    await settled(account);
    const answer = await runway(account);
    expect(answer).toMatchObject({
      level: 'days',
      grace_periods: [
        {
          deployment_id: deployment.id,
          client_name: deployment.client_name,
          amount: 0.8544,
          needed: 0.7544,
          grace_period_ends_at: expect.any(String),
        },
      ],
    });
    expect(instant(answer.grace_periods[0]?.grace_period_ends_at ?? '') - instant(answer.now)).toBeGreaterThan(
      59 * MINUTE_MS,
    );
    expect((await runway(account, { add_amount: '1' })).grace_periods).toEqual([]);
    await api.pay(account, 100);
    expect(await runway(account)).toMatchObject({ grace_periods: [] });
  });

  it('explains locked credits', async () => {
    const referrer = await api.user();
    const [{ referral_code } = { referral_code: '' }] = await api.database.sql<{ referral_code: string }>(
      'select referral_code from users where id = $1',
      [referrer.id],
    );
    const account = await api.user(undefined, { referral_code, from: elsewhere() });
    await api.pay(account, 150);
    expect(await runway(account)).toMatchObject({ locked_now: 4.99, unlock_needs: 3.5, unlock_balance: 5 });
    await api.pay(account, 350);
    expect(await runway(account)).toMatchObject({ locked_now: 0, unlock_needs: 0 });
  });

  it.each([
    ['add_amount', '0'],
    ['add_amount', '0.99'],
    ['add_amount', '1001'],
    ['add_amount', '1.001'],
    ['add_amount', '-5'],
    ['add_amount', '1e3'],
    ['add_amount', 'ten'],
    ['add_amount', ''],
    ['add_amount', ' 5'],
    ['order_hourly', '-1'],
    ['order_hourly', '0.0000001'],
    ['order_hourly', '1000.1'],
    ['order_hourly', 'NaN'],
    ['order_hourly', 'Infinity'],
  ])('rejects %s=%s with a message', async (name, value) => {
    const account = await api.user();
    const { status, body } = await api.http
      .get('/api/billing/runway')
      .query({ [name]: value })
      .set(account.auth);
    expect([status, body]).toMatchObject([
      422,
      { code: 'FIELDS_INVALID', errors: [{ path: name, message: expect.stringMatching(/^Use a number from/) }] },
    ]);
  });

  it.each(['tomorrow', '2026-02-30', '2026-1-1', ''])('rejects keep_until=%s', async (value) => {
    const account = await api.user();
    const { status, body } = await api.http.get('/api/billing/runway').query({ keep_until: value }).set(account.auth);
    expect([status, body]).toMatchObject([422, { code: 'FIELDS_INVALID', errors: [{ path: 'keep_until' }] }]);
  });

  it('requires a login', async () => {
    expect((await api.http.get('/api/billing/runway')).status).toBe(401);
  });
});
