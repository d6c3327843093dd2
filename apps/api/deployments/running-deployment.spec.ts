import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer } from '@moorage/contracts';
import { asStored, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import {
  type ApiHarness,
  apiHarness,
  type TestAccount,
  toFirstMinuteOfDay,
} from '@moorage/tests/services/api/api-harness';
import { eventsOf, type Neighbours, neighbours, ordered, refused } from '@moorage/tests/services/api/deployments';

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

const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string, who: TestAccount = account) =>
  harness.http[method](`/api/deployments/${path}`).set(who.auth);

async function running(): Promise<number> {
  const { id } = await ordered(harness, account);
  await others.moveTo(id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
  return id;
}

async function dnsFailed(): Promise<number> {
  const { id } = await ordered(harness, account);
  await others.moveTo(id, 'PROVISIONING', 'DNS_VALIDATION', ['DNS_FAILED', { failure: asStored('No record.') }]);
  return id;
}

describe('restart', () => {
  it('moves a READY deployment to RESTARTING and stores its previous state', async () => {
    const id = await running();
    const { status, body } = await call('post', `${id}/restart`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'RESTARTING', status_label: 'Restarting...', actions: [] });
    const [row] = await harness.database.sql('select restart_from from deployments where id = $1', [id]);
    expect(row).toEqual({ restart_from: 'READY' });
    expect((await eventsOf(harness, id)).slice(-2)).toEqual([
      'deployment.status_changed',
      'deployment.restart_requested',
    ]);
  });

  it('shares its limit of one per fifteen minutes with DNS validation', async () => {
    const id = await running();
    await call('post', `${id}/restart`);
    await others.moveTo(id, 'DNS_FAILED');
    harness.pass(10 * MINUTE_MS);
    const headers = await refused(harness, () => call('post', `${id}/retry-dns-validation`), 429, {
      code: 'RATE_LIMITED',
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(4 * 60);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(5 * 60);
    harness.pass(5 * MINUTE_MS);
    expect((await call('post', `${id}/retry-dns-validation`)).body).toMatchObject({
      status: 'DNS_VALIDATION',
      failure_reason: null,
    });
    expect((await eventsOf(harness, id)).at(-1)).toBe('deployment.dns_retry_requested');
  });

  it('is rejected with the message of the state when the deployment does not run', async () => {
    const { id } = await ordered(harness, account);
    await refused(harness, () => call('post', `${id}/restart`), 409, {
      code: 'DEPLOYMENT_STATE',
      detail: 'Cannot modify during provisioning',
    });
    const failed = await dnsFailed();
    await refused(harness, () => call('post', `${failed}/restart`), 409, {
      code: 'DEPLOYMENT_STATE',
      detail: expect.stringContaining('DNS Setup Required'),
    });
    await call('delete', String(failed));
    await refused(harness, () => call('post', `${failed}/restart`), 409, {
      detail: 'Cannot modify during deactivation',
    });
  });

  it('happens once for two concurrent requests', async () => {
    const id = await running();
    const answers = await Promise.all([call('post', `${id}/restart`), call('post', `${id}/restart`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('DNS validation', () => {
  it('can be requested again only in DNS_FAILED', async () => {
    const id = await running();
    await refused(harness, () => call('post', `${id}/retry-dns-validation`), 409, { code: 'DEPLOYMENT_STATE' });
    const failed = await dnsFailed();
    expect((await call('post', `${failed}/retry-dns-validation`)).body).toMatchObject({ status: 'DNS_VALIDATION' });
  });
});

describe('support level', () => {
  const patch = (id: number | string, body: object | string, who: TestAccount = account) =>
    call('patch', String(id), who).type('json').send(body);

  it('changes at once and re-rates the rest of the day', async () => {
    const id = await running();
    harness.pass(2 * HOUR_MS);
    const quote = await call('get', `${id}/support-level?level=2`);
    // Hour 02 has begun at the old price, so 21 hours cost 0.0685 more.
    expect(quote.body).toMatchObject({
      support_level: 2,
      daily_cost: 2.4984,
      hourly_cost: 0.1041,
      today: 1.4385,
      available: expect.any(Number),
    });
    const { status, body } = await patch(id, {
      support_level: 2,
      status: 'DESTROYED',
      user_id: 1,
      deleted_at: '2020-01-01',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      support_level: 2,
      daily_cost: 2.4984,
      status: 'READY',
      deleted_at: null,
      user_id: account.id,
    });
    const rows = await harness.database.sql<{ sum: string }>(
      `select sum(amount_micros)::text from ledger_transactions where deployment_id = $1`,
      [id],
    );
    expect(rows[0]?.sum).toBe(String(-(24 * 35_600 + 21 * 68_500)));
    expect((await eventsOf(harness, id)).at(-1)).toBe('deployment.support_level_changed');
  });

  it('changes once per clock hour', async () => {
    const id = await running();
    await patch(id, { support_level: 2 });
    harness.pass(HOUR_MS - 5 * MINUTE_MS);
    const headers = await refused(harness, () => patch(id, { support_level: 1 }), 429, { code: 'RATE_LIMITED' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(5 * 60);
    harness.pass(5 * MINUTE_MS);
    expect((await patch(id, { support_level: 1 })).status).toBe(200);
  });

  it('is unchanged by a request for the same level, which does not count towards the limit', async () => {
    const id = await running();
    const { status, body } = await patch(id, { support_level: 1 });
    expect([status, (body as DeploymentAnswer).support_level]).toEqual([200, 1]);
    expect((await patch(id, { support_level: 2 })).status).toBe(200);
  });

  it('is not raised when the balance is too low', async () => {
    const poor = await harness.user();
    await harness.pay(poor, 500);
    account = poor;
    const id = await running();
    await refused(harness, () => patch(id, { support_level: 3 }), 402, {
      code: 'BALANCE_TOO_LOW',
      needed: expect.any(Number),
      available: expect.any(Number),
    });
    const [row] = await harness.database.sql('select support_level from deployments where id = $1', [id]);
    expect(row).toEqual({ support_level: 1 });
  });

  it('is not changed while the deployment is in progress', async () => {
    const { id } = await ordered(harness, account);
    await refused(harness, () => patch(id, { support_level: 2 }), 409, {
      code: 'DEPLOYMENT_STATE',
      detail: 'Cannot modify during provisioning',
    });
    await refused(harness, () => call('get', `${id}/support-level?level=2`), 409, { code: 'DEPLOYMENT_STATE' });
  });
});

describe('status', () => {
  it('returns the changing fields, with an ETag that makes an unchanged poll cheap', async () => {
    const { id } = await ordered(harness, account);
    const first = await call('get', `${id}/status`);
    expect(first.body).toEqual({
      id,
      status: 'CREATING',
      failure_reason: null,
      failure: null,
      deleted_at: null,
      instance_ip: null,
      vps_ip_address: null,
      version: 1,
    });
    const tag = first.headers.etag ?? '';
    const same = await call('get', `${id}/status`).set('if-none-match', tag);
    expect([same.status, same.text]).toEqual([304, '']);
    await others.moveTo(id, 'PROVISIONING');
    const moved = await call('get', `${id}/status`).set('if-none-match', tag);
    expect([moved.status, (moved.body as { status: string }).status]).toEqual([200, 'PROVISIONING']);
  });
});

describe('timeline', () => {
  it('lists what was done in order, and continues after an entry', async () => {
    const { id } = await ordered(harness, account);
    await harness.database.sql(
      `insert into deployment_steps (deployment_id, run_id, step, outcome, message, at)
       select $1, 1, 'create-server', outcome, null, now() from unnest(array['started', 'waiting', 'done']) outcome`,
      [id],
    );
    const all = (await call('get', `${id}/steps`)).body as { id: number; outcome: string }[];
    expect(all.map(({ outcome }) => outcome)).toEqual(['started', 'waiting', 'done']);
    const rest = (await call('get', `${id}/steps?after=${all[0]?.id}`)).body as { outcome: string }[];
    expect(rest.map(({ outcome }) => outcome)).toEqual(['waiting', 'done']);
  });
});

describe('secrets', () => {
  it('are shown to their owner only, and each reveal is recorded without them', async () => {
    const { id } = await ordered(harness, account, {
      admin_password: 'Correct-horse-7',
      postgres_password: 'Secret+1',
    });
    const { deps } = harness;
    await deps.db.tx('test.keys', (tx) => deps.secrets.put(tx, `deployment:${id}`, 'ssh_private_key', 'never shown'));
    const { status, body, headers } = await call('post', `${id}/reveal-secrets`);
    expect(status).toBe(200);
    expect(body).toEqual({
      secrets: [
        { name: 'ADMIN_PASSWORD', label: 'Admin Password', value: 'Correct-horse-7' },
        { name: 'POSTGRES_PASSWORD', label: 'Postgres Password', value: 'Secret+1' },
      ],
    });
    expect(headers['cache-control']).toBe('no-store');
    const records = await harness.database.sql(
      `select actor_user_id, action, facts from audit_records where subject = $1 and action <> 'deployment.ordered'`,
      [`deployment:${id}`],
    );
    expect(records).toEqual([
      {
        actor_user_id: account.id,
        action: 'deployment.secrets_revealed',
        facts: { names: ['ADMIN_PASSWORD', 'POSTGRES_PASSWORD'] },
      },
    ]);
  });

  it('are not shown to an administrator', async () => {
    const { id } = await ordered(harness, account, { admin_password: 'Correct-horse-7' });
    const admin = await harness.admin();
    await refused(harness, () => call('post', `${id}/reveal-secrets`, admin), 404, { code: 'NOT_FOUND' });
  });
});

describe('login details', () => {
  /** Generates a secret as the provisioner does for fields left empty in the wizard. */
  const generate = (id: number, name: string, value: string) =>
    harness.deps.db.tx('test.generate', (tx) => harness.deps.secrets.put(tx, `deployment:${id}`, name, value));
  const dashboard = {
    title: 'Dashboard',
    title_texts: { en: 'Dashboard', de: 'Dashboard' },
    address: 'https://admin.example.com/',
    open_link: null,
    user: 'jane@example.com',
    password: 'ADMIN_PASSWORD',
    token: null,
  };
  const detailsOf = async (id: number, who = account) => (await call('get', String(id), who)).body as DeploymentAnswer;

  it('are shown to the owner once it runs, with the names of the secrets only', async () => {
    const { id } = await ordered(harness, account, { traefik_subdomain: 'edge' });
    await generate(id, 'ADMIN_PASSWORD', 'Made-for-Jane-1');
    await generate(id, 'DASHBOARD_PASSWORD', 'Made-for-Jane-2');
    expect((await detailsOf(id)).sign_in).toEqual([]);
    await others.moveTo(id, 'PROVISIONING', 'DNS_VALIDATION');
    expect((await detailsOf(id)).sign_in).toEqual([]);
    await others.moveTo(id, 'READY');
    const traefik = {
      ...dashboard,
      title: 'Traefik dashboard',
      title_texts: { en: 'Traefik dashboard', de: 'Traefik-Dashboard' },
      address: 'https://edge.example.com/dashboard/',
      user: 'admin',
      password: 'DASHBOARD_PASSWORD',
    };
    const { status, body, text } = await call('get', String(id));
    expect(status).toBe(200);
    expect((body as DeploymentAnswer).sign_in).toEqual([dashboard, traefik]);
    expect(text).not.toContain('Made-for-Jane');
    const restarted = await call('post', `${id}/restart`);
    expect(restarted.body).toMatchObject({ status: 'RESTARTING', sign_in: [dashboard, traefik] });
    await others.moveTo(id, ['DNS_FAILED', { failure: asStored('No record.') }]);
    expect((await detailsOf(id)).sign_in).toEqual([]);
  });

  it('include the generated password from the one recorded call', async () => {
    const id = await running();
    expect((await detailsOf(id)).sign_in).toEqual([{ ...dashboard, password: null }]);
    await generate(id, 'ADMIN_PASSWORD', 'Made-for-Jane-1');
    await generate(id, 'SERVER_SECRET', 'the platform’s own');
    const [row] = (await detailsOf(id)).sign_in ?? [];
    const { secrets } = (await call('post', `${id}/reveal-secrets`)).body as {
      secrets: { name: string; value: string }[];
    };
    expect(secrets.filter(({ name }) => name === row?.password).map(({ value }) => value)).toEqual(['Made-for-Jane-1']);
    expect(secrets.map(({ name }) => name)).toEqual(['ADMIN_PASSWORD']);
  });

  it('are emailed once it is ready, without the secrets', async () => {
    const { id } = await ordered(harness, account, { admin_username: 'root@example.com' });
    await generate(id, 'ADMIN_PASSWORD', 'Made-for-Jane-1');
    await others.moveTo(id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    await harness.run();
    const ready = (await harness.mailsTo(account.email)).filter(({ subject }) => subject.endsWith('is ready'));
    expect(ready).toHaveLength(1);
    expect(ready[0]?.text).toMatch(/^https:\/\/admin\.example\.com\/$/m);
    expect(ready[0]?.text).toContain('Username: root@example.com');
    expect(ready[0]?.text).toMatch(new RegExp(`^http://moorage\\.test/dashboard\\?deployment=${id}#sign-in$`, 'm'));
    expect(ready[0]?.text).not.toMatch(/Made-for-Jane|ADMIN_PASSWORD/);
  });

  it('are hidden from administrators and from lists', async () => {
    const id = await running();
    expect((await detailsOf(id, await harness.admin())).sign_in).toEqual([]);
    const [listed] = (await harness.http.get('/api/deployments').set(account.auth)).body as DeploymentAnswer[];
    expect(listed?.id).toBe(id);
    expect(listed).not.toHaveProperty('sign_in');
  });

  it('link to a page of this installation when the server is simulated and the browser is local', async () => {
    const local = await apiHarness({ beside: harness, settings: { publicUrl: 'http://localhost:3000' } });
    const { id } = await ordered(harness, account, { domain: 'ada.sandbox.localhost', admin_subdomain: 'door' });
    await others.moveTo(id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    expect((await local.http.get(`/api/deployments/${id}`).set(account.auth)).body).toMatchObject({
      access_link: 'https://door.ada.sandbox.localhost',
      open_link: 'http://door.ada.sandbox.localhost:3000/',
      sign_in: [
        { address: 'https://door.ada.sandbox.localhost/', open_link: 'http://door.ada.sandbox.localhost:3000/' },
      ],
    });
    expect(await detailsOf(id)).toMatchObject({ open_link: null, sign_in: [{ open_link: null }] });
    await local.close();
  });
});

describe('administrator', () => {
  it('can see and repair every deployment, with its owner', async () => {
    const id = await running();
    const admin = await harness.admin();
    expect((await call('get', String(id), admin)).body).toMatchObject({
      id,
      user: { username: account.username, email: account.email },
    });
    const repair = call('post', `${id}/restart`, admin).send({ reason: 'You asked for it.' });
    expect((await repair).status).toBe(200);
  });
});
