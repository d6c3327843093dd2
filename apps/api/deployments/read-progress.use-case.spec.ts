import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer, DeploymentDnsAnswer, ProgressAnswer } from '@moorage/contracts';
import { asStored, DAY_MS, iso, MINUTE_MS, SECOND_MS, stepsOf } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { type Neighbours, neighbours, ordered, ORDER } from '@moorage/tests/services/api/deployments';

let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
  [account, stranger] = [await harness.user(), await harness.user()];
  await harness.pay(account, 50_000);
});
afterAll(() => harness.close());

const get = (path: string, who: TestAccount = account) => harness.http.get(`/api/deployments/${path}`).set(who.auth);
const progress = async (id: number) => (await get(`${id}/progress`)).body as ProgressAnswer;
const dns = async (id: number) => (await get(`${id}/dns`)).body as DeploymentDnsAnswer;
const now = () => harness.deps.clock.localNow();

/** Plays the provisioner: stores a run in this state, and its log. */
async function runOf(
  deployment: Pick<DeploymentAnswer, 'id'>,
  run: { plan?: 'create' | 'destroy'; position?: number; state?: string; startedAt?: number; memory?: object } = {},
  log: readonly (readonly [step: string, outcome: string, at: number, message?: string])[] = [],
): Promise<number> {
  const { plan = 'create', position = 0, state = 'running', startedAt = now(), memory = {} } = run;
  const steps = stepsOf(plan, { server_type: 'new', has_domain: true });
  const [row] = await harness.database.sql<{ id: number }>(
    `insert into runs (deployment_id, plan, steps, position, state, step_started_at, memory, started_at, finished_at)
     values ($1, $2, $3, $4, $5, $6, $7, $6, $8) returning id`,
    [
      deployment.id,
      plan,
      steps,
      position,
      state,
      iso(startedAt),
      JSON.stringify(memory),
      state === 'running' ? null : iso(startedAt),
    ],
  );
  if (row === undefined) throw new Error('no run');
  for (const [step, outcome, at, message] of log) {
    await harness.database.sql(
      'insert into deployment_steps (deployment_id, run_id, step, outcome, message, at) values ($1, $2, $3, $4, $5, $6)',
      [deployment.id, row.id, step, outcome, message ?? null, iso(at)],
    );
  }
  return row.id;
}

async function checked(id: number, records: readonly object[], allRight = false, at = now()): Promise<void> {
  await harness.database.sql(
    `insert into dns_checks (deployment_id, records, all_right, checked_at) values ($1, $2, $3, $4)
     on conflict (deployment_id) do update set records = excluded.records, all_right = excluded.all_right, checked_at = excluded.checked_at`,
    [id, JSON.stringify(records), allRight, iso(at)],
  );
}

const certificatesShown = (id: number, checks: readonly object[]) =>
  harness.database.sql('update dns_checks set certificates = $2 where deployment_id = $1', [
    id,
    JSON.stringify(checks),
  ]);

describe('progress', () => {
  it('starts as a plan and becomes a list of completed, current and upcoming steps', async () => {
    const deployment = await ordered(harness, account);
    expect(await progress(deployment.id)).toMatchObject({
      deployment_id: deployment.id,
      status: 'CREATING',
      run: 'create',
      number: 2,
      of: 10,
      overdue: false,
    });
    await others.moveTo(deployment.id, ['PROVISIONING', { server_exists: true, instance_ip: '203.0.113.41' }]);
    const start = now();
    await runOf(deployment, { position: 1, startedAt: start }, [
      ['create-server', 'started', start],
      ['create-server', 'done', start + 8 * SECOND_MS, 'The server has the address 203.0.113.41.'],
      ['wait-for-ssh', 'started', start + 8 * SECOND_MS],
      ['wait-for-ssh', 'waiting', start + 9 * SECOND_MS, 'The server is starting.'],
    ]);
    const answer = await progress(deployment.id);
    expect(answer).toMatchObject({ status: 'PROVISIONING', number: 3, of: 10 });
    expect(answer.steps[1]).toEqual({
      name: 'create-server',
      part: 'run',
      state: 'done',
      started_at: iso(start),
      ended_at: iso(start + 8 * SECOND_MS),
      duration_ms: 8_000,
      usually_ms: null,
      message: asStored('The server has the address 203.0.113.41.'),
      attempts: 1,
    });
    expect(answer.steps[2]).toMatchObject({
      name: 'wait-for-ssh',
      state: 'running',
      ended_at: null,
      duration_ms: null,
    });
    expect(answer.steps.find(({ name }) => name === 'validate-dns')).toMatchObject({
      state: 'action_required',
      started_at: null,
    });
    const row = (await get(`${deployment.id}`)).body as DeploymentAnswer;
    expect(row.progress).toEqual({ step: 'wait-for-ssh', number: 3, of: 10, action_required: false });
  });

  it('reports that it takes longer than usual', async () => {
    const deployment = await ordered(harness, account);
    await others.moveTo(deployment.id, 'PROVISIONING');
    await runOf(deployment, { startedAt: now() - 6 * MINUTE_MS });
    expect(await progress(deployment.id)).toMatchObject({ overdue: true });
  });

  it('shows where a run failed and what was cleaned up', async () => {
    const deployment = await ordered(harness, account);
    const start = now();
    await runOf(deployment, { state: 'failed', startedAt: start }, [
      ['create-server', 'started', start],
      ['create-server', 'failed', start + SECOND_MS, 'This server size is sold out in this region.'],
    ]);
    await runOf(deployment, { plan: 'destroy', state: 'done', position: 2, memory: { clean_up: true } });
    await others.moveTo(deployment.id, ['FAILED', { failure: asStored('sold out') }]);
    const answer = await progress(deployment.id);
    expect(answer.steps.map(({ name, part, state }) => [name, part, state])).toEqual([
      ['created', 'run', 'done'],
      ['create-server', 'run', 'failed'],
      ['remove-stack', 'cleanup', 'done'],
      ['delete-server', 'cleanup', 'done'],
      ['confirm', 'cleanup', 'done'],
    ]);
    expect(answer.steps[1]?.message?.detail).toBe('This server size is sold out in this region.');
  });

  it('shows the owner that the server denies us access, in the list too', async () => {
    const deployment = await ordered(harness, account);
    await others.moveTo(deployment.id, 'PROVISIONING');
    await runOf(deployment, { position: 1, memory: { action_required: 'access' } });
    expect((await progress(deployment.id)).steps[2]).toMatchObject({ name: 'wait-for-ssh', state: 'action_required' });
    expect(((await get(`${deployment.id}`)).body as DeploymentAnswer).progress).toMatchObject({
      action_required: true,
    });
  });

  it('of an update that was only requested has the steps of the update, and then those of its undo', async () => {
    const deployment = await ordered(harness, account);
    await others.moveTo(deployment.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    await runOf(deployment, { state: 'done', position: 9 });
    const version = '1.24.0-2';
    await harness.http
      .put(`/api/admin/releases/pangolin/${version}`)
      .set((await harness.admin()).auth)
      .send({ ring: 'all', state: 'rolling', expected_changed_at: null });
    await harness.http.post(`/api/deployments/${deployment.id}/update`).set(account.auth).send({ version });
    expect(await progress(deployment.id)).toMatchObject({
      status: 'RESTARTING',
      run: 'update',
      steps: [{ name: 'pull-images', state: 'waiting' }, { name: 'keep-data' }, {}, {}, {}, {}, {}],
    });
    await harness.database.sql("update deployment_changes set state = 'undoing' where deployment_id = $1", [
      deployment.id,
    ]);
    expect(await progress(deployment.id)).toMatchObject({ run: 'undo-update', number: 1, of: 4 });
  });

  it('knows the usual duration of a step after five runs at the same provider', async () => {
    const fresh = await apiHarness({ beside: harness });
    const deployment = await ordered(harness, account, {
      cloud_provider: 'vultr',
      region: 'ewr',
      instance_type: 'vc2-1c-2gb',
    });
    const other = await ordered(harness, account);
    const start = now();
    const usual = async (api: ApiHarness, id: number) => {
      const { body } = await api.http.get(`/api/deployments/${id}/progress`).set(account.auth);
      return (body as ProgressAnswer).steps.find(({ name }) => name === 'bootstrap')?.usually_ms;
    };
    for (const seconds of [50, 40, 60, 45]) {
      await runOf(deployment, { state: 'done', position: 9 }, [
        ['bootstrap', 'started', start],
        ['bootstrap', 'done', start + seconds * SECOND_MS],
      ]);
    }
    await runOf(deployment, { state: 'cancelled' }, [['bootstrap', 'started', start]]);
    expect(await usual(fresh, deployment.id)).toBeNull();
    await runOf(deployment, { state: 'done', position: 9 }, [
      ['bootstrap', 'started', start],
      ['bootstrap', 'done', start + 100 * SECOND_MS],
    ]);
    // Read at most once a minute, because many users watch.
    expect(await usual(fresh, deployment.id)).toBeNull();
    fresh.pass(2 * MINUTE_MS);
    expect(await usual(fresh, deployment.id)).toEqual({ median: 50_000, p95: 92_000 });
    expect(await usual(fresh, other.id)).toBeNull();
    await fresh.close();
  });

  it('is visible to the owner only and missing for unknown deployments', async () => {
    const deployment = await ordered(harness, account);
    for (const part of ['progress', 'dns', 'setup']) {
      const foreign = await get(`${deployment.id}/${part}`, stranger);
      const absent = await get(`999999/${part}`, stranger);
      expect([foreign.status, foreign.body]).toEqual([404, absent.body]);
      expect((await get(`${deployment.id}/${part}`, await harness.admin())).status).toBe(200);
      expect((await harness.http.get(`/api/deployments/${deployment.id}/${part}`)).status).toBe(401);
    }
  });
});

describe('setup', () => {
  it('is the deployment with its progress and its records, which are missing without a domain', async () => {
    const deployment = await ordered(harness, account);
    const read = async (path: string) => (await get(path)).body as Record<string, unknown>;
    const setup = await read(`${deployment.id}/setup`);
    const { progress, dns } = setup as Record<string, Record<string, unknown>>;
    expect(setup).toEqual({
      deployment: await read(`${deployment.id}`),
      progress: { ...(await read(`${deployment.id}/progress`)), now: progress?.now },
      dns: { ...(await read(`${deployment.id}/dns`)), now: dns?.now },
    });
    await harness.database.sql('update deployments set domain = null where id = $1', [deployment.id]);
    expect(await read(`${deployment.id}/setup`)).toMatchObject({ dns: null });
  });
});

describe('DNS records', () => {
  it('are listed before the server has an address, and get their value as soon as it has one', async () => {
    const deployment = await ordered(harness, account, { traefik_subdomain: 'edge' });
    const before = await dns(deployment.id);
    expect(before).toMatchObject({ domain: ORDER.domain, address: null, right_count: 0, all_right: false });
    expect(before.records.map(({ name, fqdn, value, required }) => [name, fqdn, value, required])).toEqual([
      ['admin', 'admin.example.com', null, true],
      ['edge', 'edge.example.com', null, true],
      ['*', '*.example.com', null, false],
    ]);
    await others.moveTo(deployment.id, ['PROVISIONING', { server_exists: true, instance_ip: '203.0.113.42' }]);
    const after = await dns(deployment.id);
    expect(after).toMatchObject({ address: '203.0.113.42', checked_at: null, next_check_at: null });
    for (const record of after.records)
      expect(record).toMatchObject({ type: 'A', value: '203.0.113.42', right: false, reason: null, seen: [] });
  });

  it('show what each resolver returned, when, and when the next check is due', async () => {
    const deployment = await ordered(harness, account);
    await others.moveTo(deployment.id, 'PROVISIONING', ['DNS_VALIDATION', { instance_ip: '203.0.113.43' }]);
    const run = await runOf(deployment, { position: 7 });
    const seen = [
      { resolver: '1.1.1.1', kind: 'public', a: ['203.0.113.43'], aaaa: [], cname: null, error: null },
      { resolver: '8.8.8.8', kind: 'public', a: [], aaaa: [], cname: null, error: 'NXDOMAIN' },
      { resolver: '192.0.2.53', kind: 'zone', a: ['203.0.113.43'], aaaa: ['2001:db8::9'], cname: null, error: null },
    ];
    const admin = { host: 'admin.example.com', type: 'A', value: '203.0.113.43', required: true };
    const at = now() - 12 * SECOND_MS;
    await checked(
      deployment.id,
      [{ ...admin, right: false, problem: 'none', reason: asStored('There is no A record yet.'), seen }],
      false,
      at,
    );
    const next = iso(now() + 10 * MINUTE_MS);
    await harness.database.sql(`insert into work (kind, key, due_at, created_at) values ('run', $1, $2, $2)`, [
      String(run),
      next,
    ]);
    const answer = await dns(deployment.id);
    expect(answer).toMatchObject({ right_count: 0, checked_at: iso(at), next_check_at: next, all_right: false });
    expect(answer.records[0]).toEqual({
      type: 'A',
      name: 'admin',
      fqdn: 'admin.example.com',
      value: '203.0.113.43',
      required: true,
      right: false,
      reason: asStored('There is no A record yet.'),
      seen: [
        { resolver: '1.1.1.1', kind: 'public', values: ['203.0.113.43'], cname: null, error: null },
        { resolver: '8.8.8.8', kind: 'public', values: [], cname: null, error: 'NXDOMAIN' },
        { resolver: '192.0.2.53', kind: 'zone', values: ['203.0.113.43', '2001:db8::9'], cname: null, error: null },
      ],
      certificate: {
        state: 'waiting_for_dns',
        reason: null,
        authority_words: null,
        issuer: null,
        expires_at: null,
        checked_at: null,
      },
    });
    await checked(
      deployment.id,
      [{ ...admin, right: true, problem: null, reason: null, seen: seen.slice(0, 1) }],
      true,
    );
    expect(await dns(deployment.id)).toMatchObject({ right_count: 1, all_right: true });
    expect((await progress(deployment.id)).steps.find(({ name }) => name === 'validate-dns')?.state).toBe('running');
  });

  it('ignore results for another address', async () => {
    const deployment = await ordered(harness, account);
    await others.moveTo(deployment.id, ['PROVISIONING', { instance_ip: '203.0.113.44' }]);
    const old = { host: 'admin.example.com', type: 'A', value: '198.51.100.1', required: true, right: true, seen: [] };
    await checked(deployment.id, [{ ...old, problem: null, reason: null }], true);
    expect(await dns(deployment.id)).toMatchObject({ right_count: 0, checked_at: null, all_right: false });
  });

  it('show the certificate state of each name, with the reason of a rejecting authority', async () => {
    const deployment = await ordered(harness, account);
    const address = '203.0.113.46';
    await others.moveTo(deployment.id, 'PROVISIONING', ['DNS_VALIDATION', { instance_ip: address }]);
    const record = (host: string) => ({ host, type: 'A', value: address, required: true, right: true, seen: [] });
    await checked(deployment.id, ['admin.example.com', 'traefik.example.com', '*.example.com'].map(record), true);
    const stateOf = async () => {
      const { records } = await dns(deployment.id);
      return Object.fromEntries(records.map(({ name, certificate }) => [name, certificate]));
    };
    const [before] = Object.values(await stateOf());
    expect(before).toMatchObject({ state: 'issuing', checked_at: null });

    const at = now();
    const shown = (host: string, over: object) => ({
      host,
      address,
      refusal: null,
      issuer: null,
      expires_at: null,
      ...over,
    });
    await certificatesShown(deployment.id, [
      shown('admin.example.com', {
        verdict: 'not_issued',
        reason: asStored('Refused.'),
        refusal: { problem: 'caa', words: 'caa: CAA record prevents issuance' },
        checked_at: iso(at),
      }),
    ]);
    expect((await stateOf()).admin).toEqual({
      state: 'refused',
      reason: asStored('Refused.'),
      authority_words: 'caa: CAA record prevents issuance',
      issuer: null,
      expires_at: null,
      checked_at: iso(at),
    });

    const good = {
      verdict: 'good',
      reason: null,
      issuer: "C=US, O=Let's Encrypt, CN=R11",
      expires_at: iso(at + 80 * DAY_MS),
      checked_at: iso(at),
    };
    await certificatesShown(deployment.id, [shown('admin.example.com', good)]);
    const states = await stateOf();
    expect(states.admin).toEqual({
      state: 'good',
      reason: null,
      authority_words: null,
      issuer: good.issuer,
      expires_at: good.expires_at,
      checked_at: good.checked_at,
    });
    expect(states['*']).toBeNull();

    // Results for another address do not apply to this address.
    await certificatesShown(deployment.id, [shown('admin.example.com', { ...good, address: '198.51.100.1' })]);
    expect((await stateOf()).admin).toMatchObject({ state: 'issuing', expires_at: null });
  });

  it('show until when another restart or retry is rejected', async () => {
    const deployment = await ordered(harness, account);
    await others.moveTo(
      deployment.id,
      'PROVISIONING',
      ['DNS_VALIDATION', { instance_ip: '203.0.113.47' }],
      'DNS_FAILED',
    );
    expect((await dns(deployment.id)).next_repair_at).toBeNull();
    await harness.http.post(`/api/deployments/${deployment.id}/retry-dns-validation`).set(account.auth).expect(200);
    const { next_repair_at, now: at } = await dns(deployment.id);
    const left = Date.parse(next_repair_at ?? '') - Date.parse(at);
    expect(left).toBeGreaterThan(14 * MINUTE_MS);
    expect(left).toBeLessThanOrEqual(15 * MINUTE_MS);
  });

  it('show in DNS_FAILED when the platform will check again automatically', async () => {
    const deployment = await ordered(harness, account);
    await others.moveTo(
      deployment.id,
      'PROVISIONING',
      ['DNS_VALIDATION', { instance_ip: '203.0.113.45' }],
      'DNS_FAILED',
    );
    await harness.database.sql(`insert into work (kind, key, due_at, created_at) values ('dns-check', $1, $2, $2)`, [
      String(deployment.id),
      iso(now() - 5 * SECOND_MS),
    ]);
    const { next_check_at, now: at } = await dns(deployment.id);
    // Already due, so it is running at this moment.
    expect(next_check_at).toBe(at);
  });

  it('are absent for a package without a domain', async () => {
    const deployment = await ordered(harness, account, { package: 'test-page', domain: null, admin_email: null });
    const { status, body } = await get(`${deployment.id}/dns`);
    expect([status, body]).toMatchObject([404, { code: 'NOT_FOUND', detail: 'This deployment has no domain.' }]);
  });
});
