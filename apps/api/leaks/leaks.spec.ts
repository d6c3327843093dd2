import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LeakAnswer, LeakPageAnswer } from '@moorage/contracts';
import { iso } from '@moorage/domain';
import { ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let admin: TestAccount;
beforeEach(async () => {
  api = await apiHarness();
  admin = await api.admin();
});
afterEach(() => api.close());

const plant = async (changes: Record<string, unknown> = {}): Promise<number> => {
  const row = {
    provider: 'hetzner',
    kind: 'disk',
    region: 'fsn1',
    holding_id: 'volumes/7',
    name: 'left-7',
    labels: JSON.stringify({ 'managed-by': 'moorage', installation: 'i' }),
    micros_per_day: 250_000,
    state: 'confirmed',
    first_seen_at: iso(api.deps.clock.localNow()),
    last_seen_at: iso(api.deps.clock.localNow()),
    times_seen: 2,
    ...changes,
  };
  const columns = Object.keys(row);
  const [created] = await api.database.sql<{ id: number }>(
    `insert into cloud_leaks (${columns.join(', ')}) values (${columns.map((_, n) => `$${n + 1}`).join(', ')}) returning id`,
    Object.values(row),
  );
  return created?.id ?? 0;
};
const list = async (query = ''): Promise<LeakPageAnswer> =>
  (await api.http.get(`/api/admin/leaks${query}`).set(admin.auth).expect(200)).body as LeakPageAnswer;
const decide = (id: number, what: 'remove' | 'keep' | 'adopt', reason = 'a test') =>
  api.http.post(`/api/admin/leaks/${id}/${what}`).set(admin.auth).send({ reason });
const work = () => api.database.sql(`select key from work where kind = 'decide-leak'`);

describe('list of leaked servers', () => {
  it('shows undecided ones, most expensive first, with their total cost per day', async () => {
    await plant();
    await plant({ holding_id: 'volumes/8', micros_per_day: 900_000, state: 'suspected' });
    await plant({ holding_id: 'volumes/9', micros_per_day: null });
    await plant({ holding_id: 'volumes/10', state: 'gone', ended_at: iso(api.deps.clock.localNow()) });
    const { leaks, cost_daily, total_pages } = await list();
    expect(leaks.map(({ provider_id, cost_daily: cost, state }) => [provider_id, cost, state])).toEqual([
      ['volumes/8', 0.9, 'suspected'],
      ['volumes/7', 0.25, 'confirmed'],
      ['volumes/9', null, 'confirmed'],
    ]);
    expect([cost_daily, total_pages]).toEqual([1.15, 1]);
    expect(leaks.map(({ confirmed_from }) => confirmed_from !== null)).toEqual([true, false, false]);
    expect((await list('?per_page=2')).leaks).toHaveLength(2);
    expect((await list('?per_page=2&page=2')).leaks).toHaveLength(1);
    expect((await list('?show=ended')).leaks.map(({ provider_id }) => provider_id)).toEqual(['volumes/10']);
  });

  it('names the provider that did not respond', async () => {
    await api.database.sql(`insert into provider_breakers (provider, leaks_failure) values ('vultr', '403 no')`);
    expect((await list()).failures).toEqual([{ provider: 'vultr', words: '403 no' }]);
  });
});

describe('decision about a leak', () => {
  it('stores and audits a removal, and passes it to the provisioner once', async () => {
    const id = await plant();
    const { status, body } = await decide(id, 'remove');
    expect(status).toBe(200);
    expect(body as LeakAnswer).toMatchObject({
      state: 'removing',
      decision: { by: admin.username, reason: 'a test' },
    });
    expect(await work()).toEqual([{ key: String(id) }]);
    expect(
      await api.database.sql(
        `select actor_user_id, subject, facts from audit_records where action = 'leak.removal_requested'`,
      ),
    ).toEqual([
      {
        actor_user_id: admin.id,
        subject: `leak:${id}`,
        facts: { provider: 'hetzner', kind: 'disk', region: 'fsn1', id: 'volumes/7', reason: 'a test' },
      },
    ]);
    expect(await decide(id, 'remove')).toMatchObject({ status: 409, body: { code: 'LEAK_STATE' } });
    expect(await decide(id, 'keep')).toMatchObject({ status: 409 });
  });

  it('is rejected before the second check, without a reason, and for an unknown leak', async () => {
    const id = await plant({ state: 'suspected' });
    for (const what of ['remove', 'keep', 'adopt'] as const)
      expect(await decide(id, what)).toMatchObject({ status: 409, body: { code: 'LEAK_STATE' } });
    expect(await decide(id, 'remove', '')).toMatchObject({ status: 422 });
    expect(await decide(99, 'remove')).toMatchObject({ status: 404 });
    expect(await work()).toEqual([]);
  });

  it('takes a retained server off the list, and allows its removal later', async () => {
    const id = await plant();
    await decide(id, 'keep', 'our image for rescues');
    expect((await list()).leaks).toEqual([]);
    expect(await work()).toEqual([]);
    expect((await list('?show=kept')).leaks).toMatchObject([
      { state: 'kept', decision: { reason: 'our image for rescues' } },
    ]);
    expect(await decide(id, 'remove')).toMatchObject({ status: 200 });
    expect(await work()).toHaveLength(1);
  });

  it('allows adoption only for a deployment that lost its server', async () => {
    const owner = await api.user();
    await api.pay(owner, 3_000);
    const { id: deployment } = await ordered(api, owner);
    await api.database.sql(`update deployments set status = 'FAILED' where id = $1`, [deployment]);
    await api.database.sql(
      `insert into servers (deployment_id, provider, region, instance_type, ssh_user, ssh_port, state, provider_server_id, gone_at, created_at)
       values ($1, 'hetzner', 'fsn1', 'cpx22', 'root', 22, 'gone', '5', now(), now())`,
      [deployment],
    );
    const [row] = await api.database.sql<{ ref: string }>('select ref from deployments where id = $1', [deployment]);
    const labels = JSON.stringify({ 'managed-by': 'moorage', installation: 'i', deployment: row?.ref });
    const id = await plant({ kind: 'server', holding_id: '8', labels });
    expect((await list()).leaks).toMatchObject([{ is_adoptable: false }]);
    expect(await decide(id, 'adopt')).toMatchObject({ status: 409, body: { code: 'LEAK_STATE' } });
    await api.database.sql(`update deployments set lost_from = 'READY' where id = $1`, [deployment]);
    expect((await list()).leaks).toMatchObject([{ is_adoptable: true }]);
    expect(await decide(id, 'adopt')).toMatchObject({ status: 200, body: { state: 'adopting' } });
    expect(await work()).toEqual([{ key: String(id) }]);
  });
});
