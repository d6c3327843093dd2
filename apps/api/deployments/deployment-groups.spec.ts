import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer, DeploymentCounts } from '@moorage/contracts';
import { DEPLOYMENT_STATUSES } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let harness: ApiHarness;
let jane: TestAccount;
let tom: TestAccount;
let admin: TestAccount;
beforeAll(async () => {
  harness = await apiHarness();
  [jane, tom, admin] = [await harness.user('jane'), await harness.user('tom'), await harness.admin()];
  await oneOfEach(jane);
  await oneOfEach(tom);
});
afterAll(() => harness.close());

/** Creates a deployment in every status. */
async function oneOfEach(owner: TestAccount): Promise<void> {
  await harness.database.sql(
    `insert into deployments (user_id, ref, client_name, client_id, package, server_type, support_level, instance_hourly_micros, status, created_at, updated_at)
     select $1, $2 || status, $2 || '-' || status, 'x', 'pangolin', 'new', 1, 0, status, now(), now() from unnest($3::text[]) status`,
    [owner.id, owner.username, [...DEPLOYMENT_STATUSES]],
  );
}

const list = async (who: TestAccount, query: object) => {
  const { status, body, headers } = await harness.http.get('/api/deployments').query(query).set(who.auth);
  return {
    status,
    statuses: (body as DeploymentAnswer[]).map((row) => row.status).sort(),
    total: headers['x-total-count'],
  };
};
const counts = async (who: TestAccount, query: object = {}) =>
  (await harness.http.get('/api/deployments/counts').query(query).set(who.auth)).body as DeploymentCounts;

describe('groups of the deployment list', () => {
  it.each([
    ['needs_you', ['DNS_FAILED', 'FAILED']],
    ['in_progress', ['CREATING', 'DESTROYING', 'DNS_VALIDATION', 'PROVISIONING', 'RESTARTING']],
    ['ready', ['ACTIVE', 'READY']],
  ])('%s shows %p', async (group, statuses) => {
    expect(await list(jane, { group })).toEqual({ status: 200, statuses, total: String(statuses.length) });
  });

  it('all shows everything except permanently deleted ones, and combines with a status', async () => {
    expect((await list(jane, { group: 'all' })).statuses).toHaveLength(10);
    expect((await list(jane, { group: 'ready', status: 'READY,FAILED' })).statuses).toEqual(['READY']);
  });

  it('are paged by links', async () => {
    const first = await harness.http
      .get('/api/deployments')
      .query({ group: 'in_progress', per_page: 2 })
      .set(jane.auth);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.link ?? '')?.[1] ?? '';
    expect(next).toContain('group=in_progress');
    const second = await harness.http.get(next).set(jane.auth);
    expect((second.body as object[]).length).toBe(2);
    expect(second.headers['x-total-count']).toBe('5');
  });

  it('are counted with the same search, for the caller only', async () => {
    expect(await counts(jane)).toEqual({ all: 10, needs_you: 2, in_progress: 5, ready: 2 });
    expect(await counts(jane, { search: 'jane-READY' })).toEqual({ all: 1, needs_you: 0, in_progress: 0, ready: 1 });
    expect(await counts(jane, { search: 'tom' })).toEqual({ all: 0, needs_you: 0, in_progress: 0, ready: 0 });
    expect(await counts(admin)).toEqual({ all: 20, needs_you: 4, in_progress: 10, ready: 4 });
    expect(await counts(admin, { user: 'TOM@' })).toEqual({ all: 10, needs_you: 2, in_progress: 5, ready: 2 });
    // Only administrators can filter by owner.
    expect(await counts(jane, { user: 'tom' })).toMatchObject({ all: 10 });
    expect((await harness.http.get('/api/deployments/counts')).status).toBe(401);
  });

  it('include a deployment in progress in needs_you while it waits for its owner', async () => {
    const kim = await harness.user('kim');
    await oneOfEach(kim);
    const run = (status: string, plan: string, steps: readonly string[], position: number, memory: object = {}) =>
      harness.database.sql(
        `insert into runs (deployment_id, plan, steps, position, memory, started_at)
         select id, $3, $4::text[], $5, $6, now() from deployments where user_id = $1 and status = $2`,
        [kim.id, status, plan, [...steps], position, JSON.stringify(memory)],
      );
    await run('CREATING', 'create', ['wait-for-ssh', 'validate-dns'], 0);
    await run('PROVISIONING', 'create', ['wait-for-ssh', 'validate-dns'], 0, { action_required: 'access' });
    await run('DNS_VALIDATION', 'create', ['wait-for-ssh', 'validate-dns', 'issue-certificate'], 1);
    await run('DESTROYING', 'destroy', ['remove-stack', 'confirm'], 0, { action_required: null });

    const theirs = ['DNS_FAILED', 'DNS_VALIDATION', 'FAILED', 'PROVISIONING'];
    expect(await list(kim, { group: 'needs_you' })).toEqual({ status: 200, statuses: theirs, total: '4' });
    expect(await counts(kim)).toEqual({ all: 10, needs_you: 4, in_progress: 5, ready: 2 });
    // The rows agree with the counts.
    const { body } = await harness.http.get('/api/deployments').query({ group: 'in_progress' }).set(kim.auth);
    const turns = (body as DeploymentAnswer[]).filter(({ progress }) => progress?.action_required === true);
    expect(turns.map(({ status }) => status).sort()).toEqual(['DNS_VALIDATION', 'PROVISIONING']);

    await harness.database.sql(
      `insert into dns_checks (deployment_id, records, all_right, checked_at)
       select id, '[]', true, now() from deployments where user_id = $1 and status = 'DNS_VALIDATION'`,
      [kim.id],
    );
    expect((await counts(kim)).needs_you).toBe(3);
  });

  it('contain running deployments with an open alarm twice', async () => {
    const lea = await harness.user('lea');
    await oneOfEach(lea);
    const incident = (kind: string, status: string, ended: string | null = null) =>
      harness.database.sql(
        `insert into incidents (deployment_id, user_id, kind, subject, facts, began_at, ended_at, settled_at)
         select id, user_id, $3, '', '{}', now(), $4, $4 from deployments where user_id = $1 and status = $2`,
        [lea.id, status, kind, ended],
      );
    await incident('disk_filling', 'ACTIVE');
    await incident('down', 'READY', '2026-11-20T10:00:00Z');
    await incident('down', 'RESTARTING');
    expect(await counts(lea)).toMatchObject({ needs_you: 2, ready: 2 });
    await incident('server_off', 'READY');
    await incident('down', 'READY');
    expect((await list(lea, { group: 'needs_you' })).statuses).toEqual(['DNS_FAILED', 'FAILED', 'READY']);
    expect(await counts(lea)).toMatchObject({ needs_you: 3, ready: 2 });
    const { body } = await harness.http.get('/api/deployments').query({ group: 'ready' }).set(lea.auth);
    const worst = (body as DeploymentAnswer[]).map(({ status, worst_incident: one }) => [status, one]);
    expect(Object.fromEntries(worst)).toEqual({
      ACTIVE: { kind: 'disk_filling', severity: 'warning' },
      READY: { kind: 'server_off', severity: 'alarm' },
    });
  });

  it.each(['', 'deleted', 'READY', '__proto__', 'ready,needs_you'])('reject the group "%s"', async (group) => {
    expect((await list(jane, { group }).catch(() => ({ status: 422 }))).status).toBe(422);
  });
});
