import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeploymentDomainsAnswer, FurtherDomainAnswer } from '@moorage/contracts';
import { eventsOf, type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let others: Neighbours;
let jane: TestAccount;
let id: number;
let domain: string;
beforeAll(async () => {
  api = await apiHarness();
  others = await neighbours(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  jane = await api.user();
  await api.pay(jane, 10_000);
  domain = `${jane.username}.sandbox.localhost`;
  id = await ready(jane, domain);
});

async function ready(owner: TestAccount, name: string): Promise<number> {
  const order = await ordered(api, owner, { domain: name });
  const withServer = { server_exists: true, instance_ip: '5.9.9.9' };
  await others.moveTo(order.id, 'PROVISIONING', ['DNS_VALIDATION', withServer], 'READY');
  return order.id;
}

const path = (what = '', of = id) => `/api/deployments/${of}/domains${what}`;
const post = (
  host: string,
  { who = jane, of = id, ...more }: { who?: TestAccount; of?: number; reason?: string } = {},
) =>
  api.http
    .post(path('', of))
    .set(who.auth)
    .send({ host, ...more });
const add = async (host: string): Promise<FurtherDomainAnswer> =>
  (await post(host).expect(201)).body as FurtherDomainAnswer;
const list = async (who = jane): Promise<DeploymentDomainsAnswer> =>
  (await api.http.get(path()).set(who.auth).expect(200)).body as DeploymentDomainsAnswer;
const remove = (domainId: number, who = jane, query = {}) =>
  api.http
    .delete(path(`/${domainId}`))
    .set(who.auth)
    .query(query);
/** Returns the code of the refusal and the field that it names. */
const refusal = async (requested: ReturnType<typeof post>): Promise<string> => {
  const { status, body } = await requested;
  const [problem] = (body as { errors?: { path: string; code: string }[] }).errors ?? [];
  return `${status} ${problem === undefined ? (body as { message_code: string }).message_code : `${problem.path} ${problem.code}`}`;
};
const audit = () =>
  api.database.sql(
    `select action, facts ->> 'host' as host, reason from audit_records where subject = $1 and action like 'deployment.domain_%' order by id`,
    [`deployment:${id}`],
  );

describe('further domains of a deployment', () => {
  it('are listed after the address to which they redirect, and are set up by the provisioner', async () => {
    expect(await list()).toMatchObject({ primary: { host: `admin.${domain}` }, offered: true, most: 10, domains: [] });
    const added = await add(`WWW.${domain}`);
    expect(added).toMatchObject({
      host: `www.${domain}`,
      kind: 'redirect',
      state: 'setting_up',
      record: { type: 'A', value: '5.9.9.9', right: null, reason: null },
      certificate: null,
      failure: null,
      checked_at: null,
    });
    expect((await list()).domains).toEqual([added]);
    expect(await eventsOf(api, id)).toContain('deployment.further_domain_changed');
    expect(await api.database.sql(`select key from work where kind = 'apply-domains'`)).toContainEqual({
      key: String(id),
    });
    expect(await audit()).toEqual([{ action: 'deployment.domain_added', host: `www.${domain}`, reason: null }]);
  });

  it('show the results of the last check, unless the server has another address now', async () => {
    const { id: domainId } = await add(`www.${domain}`);
    const certificate = {
      host: `www.${domain}`,
      address: '5.9.9.9',
      verdict: 'good',
      reason: null,
      refusal: null,
      issuer: 'CN=R11',
      expires_at: '2099-01-01T00:00:00.000Z',
      checked_at: '2026-12-01T00:00:00.000Z',
    };
    await api.database.sql(
      `update deployment_domains set applied_at = added_at, checked_at = added_at, certificate = $2,
         record = '{"type": "A", "value": "5.9.9.9", "right": true, "reason": null}' where id = $1`,
      [domainId, JSON.stringify(certificate)],
    );
    expect((await list()).domains[0]).toMatchObject({
      state: 'active',
      certificate: { state: 'good', expires_at: '2099-01-01T00:00:00.000Z' },
    });
    await api.database.sql(`update deployments set instance_ip = '5.9.9.8' where id = $1`, [id]);
    expect((await list()).domains[0]).toMatchObject({
      state: 'setting_up',
      record: { value: '5.9.9.8', right: null },
    });
  });

  it('stay in the list until the server has no redirect any more', async () => {
    const { id: domainId } = await add(`www.${domain}`);
    const removed = await remove(domainId).expect(200);
    expect((removed.body as DeploymentDomainsAnswer).domains).toMatchObject([{ id: domainId, state: 'removing' }]);
    expect((await remove(999_999)).status).toBe(404);
    expect((await audit()).at(-1)).toMatchObject({ action: 'deployment.domain_removed', host: `www.${domain}` });
  });

  it('are refused with the field for a name that cannot redirect', async () => {
    await add(`www.${domain}`);
    expect(await refusal(post(`admin.${domain}`))).toBe('422 host further_domain.own');
    expect(await refusal(post(`www.${domain}`))).toBe('422 host further_domain.listed');
    expect(await refusal(post('www.shop.onion'))).toBe('422 host order.domain_reserved');
    expect(await refusal(post('shop`) || Host(`x.de'))).toBe('422 host order.domain');
  });

  it('are at most ten', async () => {
    for (let n = 0; n < 10; n++) await add(`n${n}.${domain}`);
    expect(await refusal(post(`n10.${domain}`))).toBe('422 host further_domain.too_many');
  });

  it('never take the names of another customer', async () => {
    const bob = await api.user();
    await api.pay(bob, 10_000);
    const his = await ready(bob, `${bob.username}.sandbox.localhost`);
    await add(`www.${domain}`);
    const byBob = (host: string) => refusal(post(host, { who: bob, of: his }));
    expect(await byBob(`www.${domain}`)).toBe('422 host further_domain.taken');
    expect(await byBob(domain)).toBe('422 host further_domain.taken');
    expect(await byBob(`other.${domain}`)).toBe('422 host further_domain.taken');
    const free = `free-${id}.sandbox.localhost`;
    await add(free);
    expect(await byBob(free)).toBe('422 host further_domain.taken');
    expect((await post(free, { who: bob })).status).toBe(404);
    // The name is free again when the deployment is over.
    await api.database.sql(`update deployments set status = 'DESTROYED', billable_to = now() where id = $1`, [id]);
    expect((await post(free, { who: bob, of: his })).status).toBe(201);
    expect((await post(`www.${domain}`, { who: bob, of: his })).status).toBe(201);
  });

  it('of one customer may be below the domain of another deployment of the same customer', async () => {
    const second = await ready(jane, `second-${domain}`);
    expect((await post(`www.${domain}`, { of: second })).status).toBe(201);
    expect(await refusal(post(`admin.${domain}`, { of: second }))).toBe('422 host further_domain.taken');
  });

  it('cannot be changed during a restart', async () => {
    await api.http.post(`/api/deployments/${id}/restart`).set(jane.auth).expect(200);
    expect((await post(`www.${domain}`)).status).toBe(409);
  });

  it('need a reason from staff, which the owner receives', async () => {
    const admin = await api.admin();
    expect(await refusal(post(`www.${domain}`, { who: admin }))).toMatch('422 reason');
    await post(`www.${domain}`, { who: admin, reason: 'requested by phone' }).expect(201);
    const [{ id: domainId } = { id: 0 }] = (await list(admin)).domains;
    expect((await remove(domainId, admin)).status).toBe(422);
    await remove(domainId, admin, { reason: 'requested by phone' }).expect(200);
    expect(await audit()).toEqual([
      { action: 'deployment.domain_added', host: `www.${domain}`, reason: 'requested by phone' },
      { action: 'deployment.domain_removed', host: `www.${domain}`, reason: 'requested by phone' },
    ]);
  });
});
