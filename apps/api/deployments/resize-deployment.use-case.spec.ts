import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeploymentSizesAnswer } from '@moorage/contracts';
import { HOUR_MS } from '@moorage/domain';
import {
  type ApiHarness,
  apiHarness,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';
import {
  eventsOf,
  type Neighbours,
  neighbours,
  ordered,
  OWN_SERVER,
  refused,
} from '@moorage/tests/services/api/deployments';

let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  account = await harness.user();
  await harness.pay(account, 2000);
  await toFirstMinuteOfDay(harness);
});

async function running(change: object = {}): Promise<number> {
  const { id } = await ordered(harness, account, change);
  await others.moveTo(id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
  return id;
}

const get = (path: string) => harness.http.get(`/api/deployments/${path}`).set(account.auth);
const resize = (id: number, body: object = {}, who: TestAccount = account) =>
  harness.http
    .post(`/api/deployments/${id}/resize`)
    .set(who.auth)
    .send({ instance_type: 'cpx32', expected_hourly_cost: 0.0643, ...body });

describe('sizes for a deployment', () => {
  it('have prices with its level, and reasons why the server cannot get them', async () => {
    const id = await running({ support_level: 2 });
    const { status, body } = await get(`${id}/sizes`);
    expect(status).toBe(200);
    const { sizes, ...facts } = body as DeploymentSizesAnswer;
    expect(facts).toEqual({ instance_type: 'cpx22', disk_gb: 80, disk: 'optional' });
    expect(sizes.find(({ name }) => name === 'cpx32')).toMatchObject({ hourly_cost: 0.1328, refusal: null });
    const reasons = Object.fromEntries(sizes.map(({ name, refusal }) => [name, refusal?.code ?? null]));
    expect(reasons).toMatchObject({ cpx22: 'resize.same_size', cpx12: 'resize.smaller_disk', cx33: null });
  });

  it('depend on the real disk, which may be smaller than that of the size', async () => {
    const id = await running();
    await harness.database.sql(
      `insert into servers (deployment_id, provider, region, instance_type, state, disk_gb, created_at)
       values ($1, 'hetzner', 'fsn1', 'cpx22', 'exists', 40, now())`,
      [id],
    );
    const { body } = await get(`${id}/sizes`);
    const { sizes, disk_gb } = body as DeploymentSizesAnswer;
    expect([disk_gb, sizes.find(({ name }) => name === 'cpx12')?.refusal]).toEqual([40, null]);
  });

  it("do not exist for a customer's own server", async () => {
    await others.checked(account, OWN_SERVER.vps_ip_address);
    const id = await running(OWN_SERVER);
    expect((await get(`${id}/sizes`)).body).toMatchObject({ code: 'DEPLOYMENT_STATE' });
    await refused(harness, () => resize(id), 409, { code: 'DEPLOYMENT_STATE' });
  });
});

describe('resize', () => {
  it('is quoted, and starts without changing the price', async () => {
    const id = await running();
    harness.pass(2 * HOUR_MS);
    const quote = await get(`${id}/resize?instance_type=cpx32`);
    // Hour 02 has begun at the old price, so 21 hours cost 0.0287 more.
    expect(quote.body).toMatchObject({
      hourly_cost: 0.0643,
      daily_cost: 1.5432,
      today: 0.6027,
      needed: 2.1459,
      backs_up: false,
      unreachable_s: 300,
      address_may_change: false,
      disk_gb: 80,
      way_back: true,
    });
    const grown = await get(`${id}/resize?instance_type=cpx32&grow_disk=true`);
    expect(grown.body).toMatchObject({ disk_gb: 160, way_back: false });

    const { status, body } = await resize(id);
    expect([status, body]).toMatchObject([200, { status: 'RESTARTING', hourly_cost: 0.0356, instance_type: 'cpx22' }]);
    expect((await eventsOf(harness, id)).slice(-2)).toEqual([
      'deployment.status_changed',
      'deployment.change_requested',
    ]);
    const [change] = await harness.database.sql<object>(
      'select kind, state, before, after, requested_by from deployment_changes where deployment_id = $1',
      [id],
    );
    expect(change).toMatchObject({
      kind: 'resize',
      state: 'running',
      before: { instance_type: 'cpx22', disk_gb: 80 },
      after: { instance_type: 'cpx32', disk_gb: 80, grow_disk: false, hourly_micros: '64300' },
      requested_by: account.id,
    });
    const [rates] = await harness.database.sql('select count(*)::int from deployment_rates where deployment_id = $1', [
      id,
    ]);
    expect(rates).toEqual({ count: 1 });
    await refused(harness, () => resize(id), 409, { code: 'DEPLOYMENT_STATE' });
  });

  it.each([
    ['to a size that the server cannot get', { instance_type: 'cpx12' }, 422, 'FIELDS_INVALID'],
    ['to an unknown size', { instance_type: 'cpx99' }, 422, 'FIELDS_INVALID'],
    ['at another price', { expected_hourly_cost: 0.06 }, 409, 'PRICE_CHANGED'],
    ['without a price', { expected_hourly_cost: undefined }, 422, 'FIELDS_INVALID'],
  ])('is refused %s', async (_, body, status, code) => {
    const id = await running();
    await refused(harness, () => resize(id, body), status, { code });
  });

  it('is refused with too low a balance', async () => {
    account = await harness.user();
    await harness.pay(account, 500);
    const id = await running({ instance_type: 'cpx32' });
    // 0.0643 x 24 is paid.
    await refused(harness, () => resize(id, { instance_type: 'cpx42', expected_hourly_cost: 0.1249 }), 402, {
      code: 'BALANCE_TOO_LOW',
    });
  });

  it('needs a reason of staff, and is not possible for other customers', async () => {
    const id = await running();
    const [stranger, staff] = [await harness.user(), await harness.admin()];
    await refused(harness, () => resize(id, {}, stranger), 404, { code: 'NOT_FOUND' });
    await refused(harness, () => resize(id, {}, staff), 422, { code: 'FIELDS_INVALID' });
    expect((await resize(id, { reason: 'Requested by phone.' }, staff)).status).toBe(200);
  });

  it('happens once for a repeated request', async () => {
    const id = await running();
    const key = { 'idempotency-key': 'resize-of-1053-once' };
    const answers = [await resize(id).set(key), await resize(id).set(key)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [changes] = await harness.database.sql(
      'select count(*)::int from deployment_changes where deployment_id = $1',
      [id],
    );
    expect(changes).toEqual({ count: 1 });
  });
});
