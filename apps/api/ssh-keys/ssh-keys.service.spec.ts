import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SshKeysAnswer } from '@moorage/contracts';
import { ORDER_MESSAGES } from '@moorage/domain';
import { sshKeyPair, systemRandom } from '@moorage/server';
import { type Neighbours, neighbours, ordered, SOLD_OUT } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let others: Neighbours;
let jane: TestAccount;
beforeAll(async () => {
  api = await apiHarness();
  others = await neighbours(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  jane = await api.user();
  await api.pay(jane, 10_000);
});

const SEEN = { server_exists: true, instance_ip: '5.9.9.9' };
const REASON = 'You asked us to.';
const pairs = Array.from({ length: 21 }, () => sshKeyPair(systemRandom()));
const keyAt = (index: number): string => pairs[index]?.publicKey ?? '';

async function ready(change: object = {}): Promise<number> {
  const { id } = await ordered(api, jane, change);
  await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', SEEN], 'READY');
  return id;
}
const path = (id: number, what = '') => `/api/deployments/${id}/ssh-keys${what}`;
const add = (id: number, key: object, account = jane) => api.http.post(path(id)).set(account.auth).send(key);
const remove = (id: number, keyId: number, account = jane, query = '') =>
  api.http.delete(path(id, `/${keyId}${query}`)).set(account.auth);
const list = async (id: number, account = jane) =>
  (await api.http.get(path(id)).set(account.auth).expect(200)).body as SshKeysAnswer;
const namesOf = async (id: number) => (await list(id)).keys.map(({ name }) => name);
const auditOf = (id: number) =>
  api.database.sql<{ action: string; actor: number; facts: object; reason: string | null }>(
    `select action, actor_user_id as actor, facts, reason from audit_records
     where subject = $1 and action ~ 'ssh_key' order by id`,
    [`deployment:${id}`],
  );
const eventsOf = (id: number) =>
  api.database.sql(`select 1 from outbox where aggregate_id = $1 and event_name = 'deployment.ssh_keys_changed'`, [
    String(id),
  ]);
/** Stores the result of an attempt as the provisioner does. */
const applied = (id: number) =>
  api.database.sql('update deployment_ssh_key_states set applied_at = now() where deployment_id = $1', [id]);

describe('SSH keys of a deployment', () => {
  it('are added and removed, each time to be applied by the provisioner', async () => {
    const id = await ready();
    expect(await list(id)).toEqual({
      keys: [],
      state: 'applied',
      applied_at: null,
      failure: null,
      retry_at: null,
      keys_max: 20,
    });
    const added = (await add(id, { name: ' Laptop ', public_key: ` ${keyAt(0)} jane@laptop\n` }).expect(201))
      .body as SshKeysAnswer;
    expect(added).toMatchObject({
      keys: [{ name: 'Laptop', type: 'ssh-ed25519', fingerprint: pairs[0]?.fingerprint }],
      state: 'applying',
      applied_at: null,
    });
    await applied(id);
    expect(await list(id)).toMatchObject({ state: 'applied', applied_at: expect.any(String) });
    const removed = (await remove(id, added.keys[0]?.id ?? 0).expect(200)).body as SshKeysAnswer;
    expect(removed).toMatchObject({ keys: [], state: 'applying', applied_at: null });
    expect(await eventsOf(id)).toHaveLength(2);
    const facts = { name: 'Laptop', fingerprint: pairs[0]?.fingerprint };
    expect(await auditOf(id)).toEqual([
      { action: 'deployment.ssh_key_added', actor: jane.id, facts, reason: null },
      { action: 'deployment.ssh_key_removed', actor: jane.id, facts, reason: null },
    ]);
    const activity = (await api.http.get('/api/users/self/activity').set(jane.auth)).body as { what: object }[];
    expect(JSON.stringify(activity)).toContain('SSH key \\"Laptop\\" added');
  });

  it('are rejected with the field that is wrong', async () => {
    const id = await ready();
    await add(id, { name: 'Laptop', public_key: keyAt(0) }).expect(201);
    const problem = async (key: object) =>
      ((await add(id, key).expect(422)).body as { errors: { path: string; message: string }[] }).errors;
    expect(await problem({ name: '', public_key: keyAt(1) })).toMatchObject([{ path: 'name' }]);
    expect(await problem({ name: 'x'.repeat(61), public_key: keyAt(1) })).toMatchObject([{ path: 'name' }]);
    const { detail } = ORDER_MESSAGES.ssh_key_twice({ name: 'Laptop' });
    expect(await problem({ name: 'Again', public_key: `${keyAt(0)} other comment` })).toMatchObject([
      { path: 'public_key', message: detail },
    ]);
    const secret = pairs[1]?.privateKey ?? '';
    const answer = await problem({ name: 'Private', public_key: secret });
    expect(answer).toMatchObject([{ path: 'public_key', message: ORDER_MESSAGES.ssh_key_private.detail }]);
    expect(JSON.stringify(answer)).not.toContain(secret.slice(60, 100));
    expect(await namesOf(id)).toEqual(['Laptop']);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it('are at most 20', async () => {
    const id = await ready();
    for (let index = 0; index < 20; index++)
      await add(id, { name: `Key ${index}`, public_key: keyAt(index) }).expect(201);
    const { errors } = (await add(id, { name: 'One more', public_key: keyAt(20) }).expect(422)).body as {
      errors: object[];
    };
    expect(errors).toMatchObject([{ path: 'public_key', message: ORDER_MESSAGES.ssh_keys_most({ most: 20 }).detail }]);
  });

  it.each(['restart', 'delete'] as const)('cannot be changed during a %s, and the reason is given', async (what) => {
    const id = await ready();
    const url = `/api/deployments/${id}`;
    await (what === 'restart' ? api.http.post(`${url}/restart`) : api.http.delete(url)).set(jane.auth).expect(200);
    const { body } = await add(id, { name: 'Laptop', public_key: keyAt(0) }).expect(409);
    const detail = what === 'restart' ? 'Cannot modify during provisioning' : 'Cannot modify during deactivation';
    expect(body).toMatchObject({ code: 'DEPLOYMENT_STATE', detail });
    expect([await namesOf(id), await eventsOf(id)]).toEqual([[], []]);
  });

  it('of another user do not exist, and of another deployment are not removed', async () => {
    const id = await ready();
    const { keys } = (await add(id, { name: 'Laptop', public_key: keyAt(0) })).body as SshKeysAnswer;
    const stranger = await api.user();
    await api.http.get(path(id)).set(stranger.auth).expect(404);
    await add(id, { name: 'Mine', public_key: keyAt(1) }, stranger).expect(404);
    await remove(id, keys[0]?.id ?? 0, stranger).expect(404);
    const other = await ready();
    await remove(other, keys[0]?.id ?? 0).expect(404);
    expect(await namesOf(id)).toEqual(['Laptop']);
  });

  it('are changed by staff only with a reason, which the owner can read', async () => {
    const id = await ready();
    const admin = await api.admin();
    await add(id, { name: 'Support', public_key: keyAt(0) }, admin).expect(422);
    const { keys } = (await add(id, { name: 'Support', public_key: keyAt(0), reason: REASON }, admin).expect(201))
      .body as SshKeysAnswer;
    await remove(id, keys[0]?.id ?? 0, admin).expect(422);
    await remove(id, keys[0]?.id ?? 0, admin, `?reason=${encodeURIComponent(REASON)}`).expect(200);
    expect((await auditOf(id)).map(({ actor, reason }) => [actor, reason])).toEqual([
      [admin.id, REASON],
      [admin.id, REASON],
    ]);
    const mails = await api.database.sql(`select 1 from mails where template = 'support_acted' and recipient = $1`, [
      jane.email,
    ]);
    expect(mails).toHaveLength(2);
  });

  it('of an order begin with its key, named after the comment, and go along to another place', async () => {
    const { id } = await ordered(api, jane, { user_ssh_key: `${keyAt(0)} jane@laptop` });
    expect(await list(id)).toMatchObject({ keys: [{ name: 'jane@laptop' }], state: 'applying' });
    const without = await ordered(api, jane, { user_ssh_key: keyAt(0) });
    expect(await namesOf(without.id)).toEqual(['First key']);
    await api.database.sql(
      `insert into deployment_ssh_keys (deployment_id, name, public_key, fingerprint, added_by, added_at)
       values ($1, 'Phone', $2, $3, $4, now())`,
      [id, keyAt(1), pairs[1]?.fingerprint, jane.id],
    );
    await others.moveTo(id, 'PROVISIONING', SOLD_OUT);
    const elsewhere = { region: 'nbg1', instance_type: 'cpx22', expected_hourly_cost: 0.0356 };
    const again = await api.http.post(`/api/deployments/${id}/retry`).set(jane.auth).send(elsewhere).expect(201);
    const next = (again.body as { id: number }).id;
    expect(await list(next)).toMatchObject({
      keys: [{ name: 'jane@laptop' }, { name: 'Phone' }],
      state: 'applying',
    });
  });
});
