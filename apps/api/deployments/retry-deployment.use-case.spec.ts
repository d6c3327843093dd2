import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AlternativeAnswer, DeploymentAnswer } from '@moorage/contracts';
import { type CloudName, type ProviderOffer, builtInOffer, iso, MINUTE_MS, STEP_MESSAGES } from '@moorage/domain';
import { saveOffer } from '@moorage/database';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import {
  eventsOf,
  type Neighbours,
  neighbours,
  ORDER,
  ordered,
  refused,
  SOLD_OUT,
} from '@moorage/tests/services/api/deployments';

let api: ApiHarness;
let others: Neighbours;
let jane: TestAccount;
beforeAll(async () => {
  api = await apiHarness();
  others = await neighbours(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.database.sql('delete from catalogues');
  jane = await api.user();
  await api.pay(jane, 3_000);
});

/** Changes what the provider offers, starting from the built-in catalogue. */
async function offers(
  change: (type: ProviderOffer['regions'][number]['instanceTypes'][number], region: string) => object,
  provider: CloudName = 'hetzner',
): Promise<void> {
  const offer = builtInOffer(provider);
  const regions = offer.regions.map((region) => ({
    ...region,
    instanceTypes: region.instanceTypes.map((type) => ({ ...type, ...change(type, region.name) })),
  }));
  const db = await api.database.open({ service: 'provisioner' });
  await db.tx('test.offers', async (tx) => {
    const now = await api.deps.clock.now(tx);
    await saveOffer(tx, { ...offer, regions }, { source: 'built_in', now, due_at: now });
  });
}
const soldOut =
  (...names: string[]) =>
  ({ name }: { name: string }, region: string) => ({ available: !names.includes(`${region}/${name}`) });

const post = (path: string, body: object, headers: Record<string, string> = {}, account = jane) =>
  api.http.post(`/api/deployments${path}`).set(account.auth).set(headers).send(body);
const get = (path: string, account = jane) => api.http.get(`/api/deployments${path}`).set(account.auth);

describe('size that is sold out', () => {
  it('is marked as such with the nearest alternative, and excluded from prices', async () => {
    await offers(soldOut('fsn1/cx23', 'fsn1/cpx12', 'fsn1/cpx42'));
    const { body } = await get('/instance-types/hetzner/fsn1?package=pangolin');
    const of = (name: string) => (body as { name: string }[]).find((one) => one.name === name);
    expect(of('cpx22')).toMatchObject({ available: true, nearest: null });
    expect(of('cx23')).toMatchObject({ available: false, nearest: 'cx33' });
    // No size is as large, so the largest of the smaller sizes is suggested.
    expect(of('cpx42')).toMatchObject({ available: false, nearest: 'cx33' });
    const regions = await get('/regions/hetzner?package=pangolin');
    expect(regions.body).toContainEqual(expect.objectContaining({ name: 'fsn1', from_daily: 0.8544 }));
    expect(regions.body).toContainEqual(expect.objectContaining({ name: 'nbg1', from_daily: 0.5112 }));
  });

  it('cannot be ordered, and the error names the nearest alternative', async () => {
    await offers(soldOut('fsn1/cpx22'));
    const message = 'CPX22 is sold out in this region. CX23 is available.';
    await refused(api, () => post('', ORDER), 422, {
      code: 'FIELDS_INVALID',
      detail: message,
      errors: [expect.objectContaining({ path: 'instance_type', message })],
    });
  });
});

describe('order with an expected price', () => {
  it('is rejected with both prices when they differ, and frees its key', async () => {
    const key = { 'idempotency-key': `price-${jane.id}` };
    await refused(api, () => post('', { ...ORDER, expected_hourly_cost: 0.03 }, key), 409, {
      code: 'PRICE_CHANGED',
      detail: 'The price has changed from 0.03 to 0.0356 USD an hour. Nothing was ordered.',
      expected_hourly_cost: 0.03,
      hourly_cost: 0.0356,
    });
    const again = await post('', { ...ORDER, expected_hourly_cost: 0.0356 }, key);
    expect([again.status, (again.body as DeploymentAnswer).hourly_cost]).toEqual([201, 0.0356]);
  });

  it('compares the price of the whole order including the level', async () => {
    const level = { ...ORDER, support_level: 2 };
    expect((await post('', { ...level, expected_hourly_cost: 0.0356 })).status).toBe(409);
    expect((await post('', { ...level, expected_hourly_cost: 0.1041 })).status).toBe(201);
  });

  it.each(['0.0356', -1, null, Number.MAX_SAFE_INTEGER])('rejects the expected price %p', async (expected) => {
    expect((await post('', { ...ORDER, expected_hourly_cost: expected })).status).toBe(422);
  });
});

describe('deployment that failed because its size was sold out', () => {
  const SECRETS = { admin_password: 'Correct-horse-7', postgres_password: 'Secret+1' };
  /** Order of a package that needs 2 processors and 4 GB. */
  const LARGER = {
    package: 'pangolin-plus',
    admin_username: 'jane@example.com',
    crowdsec_enrollment_key: 'k'.repeat(25),
    static_page_subdomain: 'www',
  };
  async function failed(change: object = {}, account = jane): Promise<number> {
    const { id } = await ordered(api, account, { ...SECRETS, support_level: 2, ...change });
    await others.moveTo(id, 'PROVISIONING', SOLD_OUT);
    return id;
  }
  const alternatives = async (id: number) => (await get(`/${id}/alternatives`)).body as AlternativeAnswer[];

  it('is ordered again elsewhere with one call at the displayed price', async () => {
    const id = await failed();
    await offers(soldOut('fsn1/cpx22', 'fsn1/cx23', 'nbg1/cpx22'));
    const places = await alternatives(id);
    expect(places.map((place) => `${place.region}/${place.instance_type}`)).toEqual([
      'fsn1/cx33',
      'fsn1/cpx32',
      'fsn1/ccx13',
      'fsn1/cpx42',
      'hel1/cpx22',
      'sin/cpx22',
    ]);
    const there = places[4];
    expect(there).toEqual({
      region: 'hel1',
      region_name: 'Helsinki',
      country_code: 'fi',
      instance_type: 'cpx22',
      instance_type_name: 'CPX22',
      cpu: 2,
      memory: 4,
      hourly_cost: 0.1041,
      daily_cost: 2.4984,
    });
    const place = { region: 'hel1', instance_type: 'cpx22', expected_hourly_cost: there?.hourly_cost };
    const { status, body } = await post(`/${id}/retry`, place, { 'idempotency-key': `retry-${id}` });
    const created = body as DeploymentAnswer;
    expect(status).toBe(201);
    expect(created).toMatchObject({
      status: 'CREATING',
      cloud_provider: 'hetzner',
      region: 'hel1',
      instance_type: 'cpx22',
      support_level: 2,
      domain: 'example.com',
      hourly_cost: 0.1041,
      postgres_password: { set: true },
    });
    expect(created.id).not.toBe(id);
    const secrets = await post(`/${created.id}/reveal-secrets`, {});
    expect(secrets.body).toMatchObject({
      secrets: [
        { name: 'ADMIN_PASSWORD', value: SECRETS.admin_password },
        { name: 'POSTGRES_PASSWORD', value: SECRETS.postgres_password },
      ],
    });
    const config = (one: number) => api.database.sql('select config from deployments where id = $1', [one]);
    expect(await config(created.id)).toEqual(await config(id));
    expect(await eventsOf(api, created.id)).toEqual(['deployment.created']);
  });

  it('is ordered once per minute without a key, however often it is requested', async () => {
    const id = await failed();
    const place = { region: 'nbg1', instance_type: 'cpx22', expected_hourly_cost: 0.1041 };
    const first = (await post(`/${id}/retry`, place)).body as DeploymentAnswer;
    const again = (await post(`/${id}/retry`, place)).body as DeploymentAnswer;
    expect(again.id).toBe(first.id);
    api.pass(2 * MINUTE_MS);
    expect(((await post(`/${id}/retry`, place)).body as DeploymentAnswer).id).not.toBe(first.id);
  });

  it.each<[string, object, number, string]>([
    ['at another price', { expected_hourly_cost: 0.1 }, 409, 'PRICE_CHANGED'],
    ['where it is sold out', { instance_type: 'cx23' }, 422, 'FIELDS_INVALID'],
    ['in a size that is too small', { instance_type: 'cpx12' }, 422, 'FIELDS_INVALID'],
    ['in a region of another provider', { region: 'us-east-1' }, 422, 'FIELDS_INVALID'],
    ['without a price', { expected_hourly_cost: undefined }, 422, 'FIELDS_INVALID'],
  ])('is not ordered %s', async (_, change, status, code) => {
    const id = await failed(LARGER);
    await offers(soldOut('nbg1/cx23'));
    const place = { region: 'nbg1', instance_type: 'cpx22', expected_hourly_cost: 0.1041, ...change };
    await refused(api, () => post(`/${id}/retry`, place), status, { code });
  });

  it('is not ordered when the balance is too low', async () => {
    const id = await failed();
    await api.database.sql('update wallets set regular_micros = 0 where user_id = $1', [jane.id]);
    const place = { region: 'nbg1', instance_type: 'cpx22', expected_hourly_cost: 0.1041 };
    await refused(api, () => post(`/${id}/retry`, place), 402, { code: 'BALANCE_TOO_LOW' });
  });

  it('is ordered again by its owner only, while administrators see the alternatives', async () => {
    const id = await failed();
    const place = { region: 'nbg1', instance_type: 'cpx22', expected_hourly_cost: 0.1041 };
    const [admin, kim] = [await api.admin(), await api.user()];
    expect((await get(`/${id}/alternatives`, admin)).status).toBe(200);
    await refused(api, () => post(`/${id}/retry`, place, {}, admin), 404, { code: 'NOT_FOUND' });
    await refused(api, () => post(`/${id}/retry`, place, {}, kim), 404, { code: 'NOT_FOUND' });
    await refused(api, () => get(`/${id}/alternatives`, kim), 404, { code: 'NOT_FOUND' });
  });

  it('is offered elsewhere also when its size was not permitted in the region', async () => {
    const { id } = await ordered(api, jane, SECRETS);
    await others.moveTo(id, 'PROVISIONING', [
      'FAILED',
      { failure: STEP_MESSAGES.cloud_permission, destroy_reason: 'failed' },
    ]);
    await api.database.sql(
      `insert into refused_places (provider, region, instance_type, deployment_id, refused_at)
       values ('hetzner', 'fsn1', 'cpx22', $1, $2)`,
      [id, iso(api.deps.clock.localNow())],
    );
    const places = (await alternatives(id)).map((place) => `${place.region}/${place.instance_type}`);
    expect(places).toHaveLength(6);
    expect(places).not.toContain('fsn1/cpx22');
    await refused(api, () => post('', ORDER), 422, { code: 'FIELDS_INVALID' });
    await api.database.sql('delete from refused_places');
  });

  it('disappears with its secrets once its owner deletes it', async () => {
    const id = await failed();
    await api.http.delete(`/api/deployments/${id}`).set(jane.auth);
    const place = { region: 'nbg1', instance_type: 'cpx22', expected_hourly_cost: 0.1041 };
    await refused(api, () => post(`/${id}/retry`, place), 404, { code: 'NOT_FOUND' });
  });

  it('has no alternative when nothing is available', async () => {
    const id = await failed();
    await offers(() => ({ available: false }));
    expect(await alternatives(id)).toEqual([]);
  });

  it.each<[string, Parameters<Neighbours['moveTo']>[1][]]>([
    ['failed for another reason', ['PROVISIONING', ['FAILED', { failure: STEP_MESSAGES.cloud_quota }]]],
    ['did not fail', ['PROVISIONING']],
  ])('is neither offered nor ordered elsewhere when it %s', async (_, way) => {
    const { id } = await ordered(api, jane);
    await others.moveTo(id, ...way);
    const place = { region: 'nbg1', instance_type: 'cpx22', expected_hourly_cost: 0.0356 };
    const refusal = { code: 'DEPLOYMENT_STATE', message_code: 'order.not_sold_out' };
    await refused(api, () => get(`/${id}/alternatives`), 409, refusal);
    await refused(api, () => post(`/${id}/retry`, place), 409, refusal);
  });
});
