import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ActivityAnswer, ALL_CALLS, type Call, event } from '@moorage/contracts';
import { HOUR_MS } from '@moorage/domain';
import { type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { EXAMPLES, nameOf } from '@moorage/tests/services/api/threats';

/** H3 of the second security review: every action on another user's account leaves a record that its owner can read. */

let api: ApiHarness;
let others: Neighbours;
let admin: TestAccount;
beforeAll(async () => {
  api = await apiHarness();
  others = await neighbours(api);
  admin = await api.admin();
});
afterAll(() => api.close());

const REASON = 'You asked us to.';
const recordsOf = async (account: TestAccount) =>
  api.database.sql<{ action: string; actor: number; via: string; reason: string | null; ip: string | null }>(
    `select r.action, r.actor_user_id as actor, r.via, r.reason, host(o.ip_address) as ip
     from audit_records r left join audit_origins o on o.record_id = r.id
     where r.account_id = $1 and r.actor_user_id <> $1 order by r.id`,
    [account.id],
  );
const activity = async (account: TestAccount, query: Record<string, string | number> = {}) =>
  (await api.http.get('/api/users/self/activity').query(query).set(account.auth)).body as {
    activity: ActivityAnswer[];
    total_pages: number;
    has_next: boolean;
  };

async function customer(): Promise<{ bob: TestAccount; deployment: number }> {
  const bob = await api.user();
  await api.pay(bob, 5_000);
  const { id } = await ordered(api, bob);
  await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.9.9' }], 'READY');
  return { bob, deployment: id };
}

/**
 * Calls that change data of a customer, with a successful request for each. A new call fails here until it has an
 * entry.
 */
const CHANGES: Readonly<Record<string, { action: string; send?: object; query?: object; needs?: 'reason' }>> = {
  'PUT /deployments/{id}/name': { action: 'deployment.renamed' },
  'PUT /deployments/{id}/deletion-lock': { action: 'deployment.deletion_lock_changed', send: { locked: true } },
  'PATCH /deployments/{id}': { action: 'deployment.level_changed', send: { support_level: 2 }, needs: 'reason' },
  'POST /deployments/{id}/resize': { action: 'deployment.resized', needs: 'reason' },
  'PUT /deployments/{id}/update-settings': { action: 'deployment.update_settings_changed', needs: 'reason' },
  'POST /deployments/{id}/restart': { action: 'deployment.restarted', needs: 'reason' },
  'DELETE /deployments/{id}': { action: 'deployment.deactivated', query: {}, needs: 'reason' },
};
/**
 * Calls that need another state and have specs of their own: `change-configuration`, `change-deployment`, `retry-dns`,
 * `reopen-deployment`, `backups`, `further-domains`, `ssh-keys`, `deployment-logs`, `watch`,
 * `updates`, `reboot`.
 */
const ELSEWHERE = [
  'PATCH /deployments/{id}/configuration',
  'PUT /deployments/{id}/domain',
  'POST /deployments/{id}/retry-dns-validation',
  'POST /deployments/{id}/reopen',
  'POST /deployments/{id}/backups',
  'POST /deployments/{id}/domains',
  'POST /deployments/{id}/ssh-keys',
  'DELETE /deployments/{id}/ssh-keys/{key_id}',
  'DELETE /deployments/{id}/domains/{domain_id}',
  'POST /deployments/{id}/backups/{backup_id}/restore',
  'POST /deployments/{id}/undo-restore',
  'POST /deployments/{id}/containers/{container}/restart',
  'POST /deployments/{id}/start-server',
  'POST /deployments/{id}/update',
  'POST /deployments/{id}/reboot',
];
/** Calls for the owner only. */
const OWNERS = [
  'backups/bucket/check',
  'backups/{backup_id}/deployments',
  'backups/{backup_id}/download',
  'backup-downloads/{download_id}/link',
  'cancel',
  'clone',
  'dismiss-ending',
  'dns/records',
  'hand-over',
  'move',
  'move/cancel',
  'move/finish',
  'restore',
  'retry',
  'reveal-secrets',
]
  .map((what) => `POST /deployments/{id}/${what}`)
  .concat(['PUT', 'DELETE'].map((method) => `${method} /deployments/{id}/backups/bucket`));

const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch', PUT: 'put', DELETE: 'delete' } as const;
const isChange = ({ method, path }: Call): boolean => method !== 'GET' && path.startsWith('/deployments/{id}');

describe('administrator changing a customer’s deployment', () => {
  it('uses a call that is listed here', () => {
    expect(ALL_CALLS.filter(isChange).map(nameOf).sort()).toEqual(
      [...Object.keys(CHANGES), ...ELSEWHERE, ...OWNERS].sort(),
    );
  });

  it.each(Object.entries(CHANGES))('%s leaves one record with credential and device', async (name, change) => {
    const { bob, deployment } = await customer();
    const [method = 'GET', path = ''] = name.split(' ');
    const call = (more: object) => {
      const requested = api.http[METHODS[method as keyof typeof METHODS]](
        `/api${path.replace('{id}', String(deployment))}`,
      );
      const isQuery = change.query !== undefined;
      return requested
        .set(admin.auth)
        .query(isQuery ? more : {})
        .send(isQuery ? undefined : { ...EXAMPLES[name], ...change.send, ...more });
    };
    if (change.needs === 'reason') {
      const refused = await call({});
      expect([refused.status, (refused.body as { errors: { path: string }[] }).errors[0]?.path]).toEqual([
        422,
        'reason',
      ]);
      expect(await recordsOf(bob)).toEqual([]);
    }
    const answer = await call(change.needs === 'reason' ? { reason: REASON } : {});
    expect(answer.status).toBe(200);
    const reason = change.needs === 'reason' ? REASON : null;
    expect(await recordsOf(bob)).toEqual([
      { action: change.action, actor: admin.id, via: 'session', reason, ip: '127.0.0.1' },
    ]);
    await api.run();
    const reported = (await api.mailsTo(bob.email)).filter(({ text }) => text.includes(REASON));
    expect(reported).toHaveLength(change.needs === 'reason' ? 1 : 0);
    const { activity: rows } = await activity(bob);
    expect(rows[0]).toMatchObject({ by: 'support', token: null, reason, ip_address: null, browser: null });
    expect(JSON.stringify(rows[0])).not.toContain(admin.username);
  });

  it('is recorded differently for an API token and a session', async () => {
    const { bob, deployment } = await customer();
    const created = await api.http
      .post('/api/users/self/api-tokens')
      .set(admin.auth)
      .send({ label: 'x', scope: 'admin' });
    const { token } = created.body as { token: string };
    const renamed = await api.http
      .put(`/api/deployments/${deployment}/name`)
      .set('authorization', `Bearer ${token}`)
      .send({ name: 'Mass' });
    expect(renamed.status).toBe(200);
    expect(await recordsOf(bob)).toMatchObject([{ action: 'deployment.renamed', via: 'api_token' }]);
  });
});

describe('administrator removing all deployments of a customer', () => {
  it('gives a reason, which the owner finds in an email and in the activity', async () => {
    const { bob } = await customer();
    const prepare = (body: object) => api.http.post(`/api/users/${bob.id}/prepare-deletion`).set(admin.auth).send(body);
    expect((await prepare({})).status).toBe(422);
    expect((await prepare({ reason: ' ' })).status).toBe(422);
    expect(await recordsOf(bob)).toEqual([]);
    expect((await prepare({ reason: REASON })).status).toBe(200);
    await api.run();
    expect((await api.mailsTo(bob.email)).filter(({ text }) => text.includes(REASON))).toHaveLength(1);
    expect((await activity(bob)).activity[0]).toMatchObject({ by: 'support', reason: REASON });
  });
});

describe('administrator reading what a customer wrote or was billed', () => {
  it('leaves a record once an hour for the same object', async () => {
    const { bob } = await customer();
    const documents = (await api.http.get('/api/billing/documents').set(bob.auth)).body as {
      documents: { id: number }[];
    };
    const written = await api.http.post('/api/support/contact').set(bob.auth).send(EXAMPLES['POST /support/contact']);
    const { conversation_id: conversation } = written.body as { conversation_id: number };
    const check = async () => {
      await api.http.get(`/api/billing/documents/${documents.documents[0]?.id}/pdf`).set(admin.auth);
      await api.http.get(`/api/support/admin/conversations/${conversation}`).set(admin.auth);
      // Request of the account's page for its messages.
      await api.http.get(`/api/users/${bob.id}/support-messages`).set(admin.auth);
    };
    await check();
    await check();
    const twice = ['document.read', 'conversation.read', 'conversation.read'];
    expect((await recordsOf(bob)).map(({ action }) => action)).toEqual(twice);
    api.pass(HOUR_MS);
    await check();
    expect(await recordsOf(bob)).toHaveLength(6);
  });

  it('leaves a record for each reply, note, assignment and closing', async () => {
    const { bob } = await customer();
    const written = await api.http.post('/api/support/contact').set(bob.auth).send(EXAMPLES['POST /support/contact']);
    const path = `/api/support/admin/conversations/${(written.body as { conversation_id: number }).conversation_id}`;
    await api.http.post(`${path}/answers`).set(admin.auth).send({ message: 'Like this.' });
    await api.http.post(`${path}/notes`).set(admin.auth).send({ message: 'Asked before.' });
    await api.http.put(`${path}/assignee`).set(admin.auth).send({ user_id: admin.id });
    await api.http.post(`${path}/close`).set(admin.auth);
    expect((await recordsOf(bob)).map(({ action }) => action)).toEqual(
      ['answered', 'noted', 'assigned', 'closed'].map((what) => `conversation.${what}`),
    );
    // Internal actions of staff are not shown.
    expect((await activity(bob, { kind: 'support' })).activity.map(({ what }) => what.code)).toEqual([
      'history.conversation_closed',
      'history.conversation_answered',
    ]);
  });
});

describe('account activity', () => {
  it('shows the actions of its owner only, with token and device', async () => {
    const { bob } = await customer();
    const created = await api.http.post('/api/users/self/api-tokens').set(bob.auth).send({ label: 'backups' });
    const { token } = created.body as { token: string };
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    await api.http
      .put('/api/users/self/username')
      .set(bob.auth)
      .set('user-agent', firefox)
      .send({ username: `b${bob.id}` });
    const [deployment] = (await api.http.get('/api/deployments').set(bob.auth)).body as { id: number }[];
    await api.http
      .put(`/api/deployments/${deployment?.id}/name`)
      .set('authorization', `Bearer ${token}`)
      .send({ name: 'Shop' });
    const { activity: rows } = await activity(bob);
    expect(rows.map(({ what, by, token: label, browser }) => [what.code, by, label, browser])).toEqual([
      ['history.deployment_renamed', 'token', 'backups', null],
      ['history.account_username_changed', 'you', null, 'Firefox'],
      ['history.account_api_token_created', 'you', null, null],
      ['history.deployment_ordered', 'you', null, null],
    ]);
    expect(rows[0]?.deployment).toEqual({ id: deployment?.id, name: 'Shop' });
    expect((await activity(await api.user())).activity).toEqual([]);
  });

  it('shows actions of the product, such as a removal because the balance ran out', async () => {
    const { bob, deployment } = await customer();
    const facts = { client_name: 'Shop', day: '2026-11-30', due_at: '2026-11-30T00:00:00.000Z' };
    const money = { amount_micros: '854400', locked_micros: '0' };
    await api.deps.db.tx('test.depleted', (tx) =>
      api.deps.outbox.append(
        tx,
        event('balance.depleted', bob.id, { deployment_id: deployment, user_id: bob.id, ...facts, ...money }),
      ),
    );
    await api.run();
    const { activity: rows } = await activity(bob, { kind: 'deployments' });
    expect(rows[0]).toMatchObject({
      what: { code: 'history.deployment_depleted' },
      by: 'system',
      deployment: { id: deployment },
    });
  });

  it.each(['9999-12-31', '0001-01-01', '2026-02-30', 'yesterday'])('is rejected for the day %s', async (day) => {
    const { auth } = await api.user();
    const answer = await api.http.get('/api/users/self/activity').query({ to: day }).set(auth);
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([422, 'FIELDS_INVALID']);
  });

  it('is paged and filtered by kind and day', async () => {
    const { bob } = await customer();
    for (const name of ['One', 'Two', 'Three'])
      await api.http
        .put('/api/users/self/username')
        .set(bob.auth)
        .send({ username: `${name}${bob.id}` });
    expect(await activity(bob, { per_page: 3 })).toMatchObject({ total_pages: 2, has_next: true });
    const kinds = (await activity(bob, { kind: 'deployments' })).activity.map(({ what }) => what.code);
    expect(kinds).toEqual(['history.deployment_ordered']);
    expect((await activity(bob, { to: '2020-01-01' })).activity).toEqual([]);
    expect((await activity(bob, { from: '2020-01-01', kind: 'account' })).activity).toHaveLength(3);
  });

  it('is filtered by deployment, without the deployments of others', async () => {
    const { bob, deployment } = await customer();
    const { deployment: other } = await customer();
    await api.http
      .put('/api/users/self/username')
      .set(bob.auth)
      .send({ username: `Bob${bob.id}` });
    const { activity: rows } = await activity(bob, { deployment_id: deployment });
    expect(rows.map(({ what, deployment: of }) => [what.code, of?.id])).toEqual([
      ['history.deployment_ordered', deployment],
    ]);
    expect((await activity(bob, { deployment_id: other })).activity).toEqual([]);
  });
});
