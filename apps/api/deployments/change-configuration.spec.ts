import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ConfigurationAnswer, deploymentSecrets, secretBefore } from '@moorage/contracts';
import { MINUTE_MS } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { eventsOf, type Neighbours, neighbours, ordered, refused } from '@moorage/tests/services/api/deployments';

const PASSKEY = 'a-passkey-of-the-customer';

let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
let id: number;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  account = await harness.user();
  await harness.pay(account, 2000);
  ({ id } = await ordered(harness, account, { komodo_host_ip: '5.9.0.7', komodo_passkey: PASSKEY }));
  await others.moveTo(id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
});

const configure = (values: object, who: TestAccount = account, more: object = {}) =>
  harness.http
    .patch(`/api/deployments/${id}/configuration`)
    .set(who.auth)
    .send({ values, ...more });
const read = async (): Promise<ConfigurationAnswer> =>
  (await harness.http.get(`/api/deployments/${id}/configuration`).set(account.auth)).body as ConfigurationAnswer;
const row = async (columns: string): Promise<object | undefined> =>
  (await harness.database.sql(`select ${columns} from deployments where id = $1`, [id]))[0];
const sealed = async (): Promise<string[]> =>
  (
    await harness.database.sql<{ name: string }>('select name from secrets where owner = $1 order by name', [
      deploymentSecrets(id),
    ])
  ).map(({ name }) => name);

describe('the configuration', () => {
  it('lists values without secrets, and which of them can be changed', async () => {
    const { values, change } = await read();
    expect(change).toBeNull();
    const one = (field: string) => values.find((value) => value.field === field);
    expect(one('domain')).toEqual({
      field: 'domain',
      secret: false,
      changeable: true,
      is_set: true,
      value: 'example.com',
    });
    expect(one('komodo_passkey')).toMatchObject({ secret: true, changeable: true, is_set: true, value: null });
    expect(one('admin_password')).toMatchObject({ secret: true, changeable: false });
    expect(JSON.stringify(values)).not.toContain(PASSKEY);
  });

  it('restarts with the new values, which the provisioner applies', async () => {
    const { status, body } = await configure({ admin_email: 'harbour@example.com', traefik_subdomain: 'router' });
    expect([status, body]).toMatchObject([200, { status: 'RESTARTING', actions: [] }]);
    expect(await row('config, restart_from')).toEqual({
      config: {
        DOMAIN: 'example.com',
        EMAIL: 'harbour@example.com',
        // The name of the administrator defaulted to the previous address, and it cannot be changed.
        ADMIN_USERNAME: 'jane@example.com',
        ADMIN_SUBDOMAIN: 'admin',
        KOMODO_HOST_IP: '5.9.0.7',
        TRAEFIK_SUBDOMAIN: 'router',
      },
      restart_from: 'READY',
    });
    expect((await eventsOf(harness, id)).at(-1)).toBe('deployment.change_requested');
    expect((await read()).change).toMatchObject({
      state: 'running',
      fields: ['admin_email', 'admin_username', 'traefik_subdomain'],
      failure: null,
    });
    const [stored] = await harness.database.sql('select before, after, secrets from deployment_changes');
    expect(stored).toEqual({
      before: { EMAIL: 'jane@example.com', ADMIN_USERNAME: null, TRAEFIK_SUBDOMAIN: null },
      after: { EMAIL: 'harbour@example.com', ADMIN_USERNAME: 'jane@example.com', TRAEFIK_SUBDOMAIN: 'router' },
      secrets: [],
    });
  });

  it('replaces a secret and keeps the previous one sealed until the change has ended', async () => {
    expect((await configure({ komodo_passkey: 'another-passkey-of-theirs' })).status).toBe(200);
    expect(await sealed()).toContain(secretBefore('KOMODO_PASSKEY'));
    const { db, secrets } = harness.deps;
    const opened = await db.tx('test.open', async (tx) => [
      await secrets.get(tx, deploymentSecrets(id), 'KOMODO_PASSKEY'),
      await secrets.get(tx, deploymentSecrets(id), secretBefore('KOMODO_PASSKEY')),
    ]);
    expect(opened).toEqual(['another-passkey-of-theirs', PASSKEY]);
    const everywhere = await harness.database.sql(
      `select (select string_agg(data::text, '') from outbox) || (select string_agg(facts::text, '') from audit_records)
         || (select string_agg(before::text || after::text, '') from deployment_changes) as text`,
    );
    expect(JSON.stringify(everywhere)).not.toMatch(/passkey-of/);
  });

  it('removes values that belong together', async () => {
    expect((await configure({ komodo_passkey: null, komodo_host_ip: '' })).status).toBe(200);
    expect(await sealed()).not.toContain('KOMODO_PASSKEY');
    expect(await row(`config ? 'KOMODO_HOST_IP' as listed, komodo_host_ip`)).toEqual({
      listed: false,
      komodo_host_ip: null,
    });
  });

  it.each([
    ['a value that is set at creation only', { admin_password: 'Another-password-1' }, 'admin_password'],
    ['an invalid value', { admin_email: 'nobody' }, 'admin_email'],
    ['a required value that is removed', { admin_email: null }, 'admin_email'],
    ['half of a pair', { komodo_passkey: null }, 'komodo_passkey'],
    ['a name that another value uses', { traefik_subdomain: 'admin' }, 'traefik_subdomain'],
  ])('refuses %s at its field', async (_, values, path) => {
    await refused(harness, () => configure(values), 422, {
      code: 'FIELDS_INVALID',
      errors: [expect.objectContaining({ path })],
    });
  });

  it('does nothing without a difference', async () => {
    await refused(harness, () => configure({ admin_email: 'jane@example.com' }), 200, { status: 'READY' });
  });

  it('is refused while another change is under way, and in other statuses', async () => {
    await configure({ admin_email: 'harbour@example.com' });
    await refused(harness, () => configure({ admin_email: 'quay@example.com' }), 409, { code: 'DEPLOYMENT_STATE' });
    await refused(harness, () => harness.http.post(`/api/deployments/${id}/restart`).set(account.auth), 409, {
      code: 'DEPLOYMENT_STATE',
    });
  });

  it('accepts one of two changes that arrive at the same time', async () => {
    const answers = await Promise.all([
      configure({ admin_email: 'harbour@example.com' }),
      configure({ admin_email: 'quay@example.com' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('of a ready deployment includes its domain, at most once per fifteen minutes', async () => {
    const setDomain = (domain: string) =>
      harness.http.put(`/api/deployments/${id}/domain`).set(account.auth).send({ domain });
    expect((await setDomain('example.org')).body).toMatchObject({ status: 'RESTARTING', domain: 'example.org' });
    await others.moveTo(id, ['READY', { restart_from: null }]);
    await harness.database.sql(`update deployment_changes set state = 'done', finished_at = requested_at`);
    await refused(harness, () => setDomain('example.net'), 429, { code: 'RATE_LIMITED' });
    await refused(harness, () => configure({ domain: 'example.net' }), 429, { code: 'RATE_LIMITED' });
    harness.pass(15 * MINUTE_MS);
    expect((await configure({ domain: 'example.net' })).body).toMatchObject({ domain: 'example.net' });
  });

  it.each(['READY', 'DNS_FAILED'] as const)('that failed does not delay the next domain in %s', async (status) => {
    const end = async (state: string) => {
      await others.moveTo(id, [status, { restart_from: null }]);
      await harness.database.sql(
        `update deployment_changes set state = $1, finished_at = requested_at where state = 'running'`,
        [state],
      );
    };
    expect((await configure({ domain: 'example.org' })).status).toBe(200);
    await end('failed');
    if (status === 'READY') {
      harness.pass(MINUTE_MS);
      expect((await configure({ traefik_subdomain: 'router' })).status).toBe(200);
      await end('done');
    }
    const next = await harness.http
      .put(`/api/deployments/${id}/domain`)
      .set(account.auth)
      .send({ domain: 'example.net' });
    expect(next.body).toMatchObject({ domain: 'example.net' });
  });

  it('is changed by staff only with a reason, which the owner receives', async () => {
    const admin = await harness.admin();
    await refused(harness, () => configure({ admin_email: 'harbour@example.com' }, admin), 422, {
      errors: [expect.objectContaining({ path: 'reason' })],
    });
    const answer = await configure({ admin_email: 'harbour@example.com' }, admin, { reason: 'They asked by phone.' });
    expect(answer.status).toBe(200);
    await harness.run();
    const texts = (await harness.mailsTo(account.email)).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('They asked by phone.'))).toHaveLength(1);
  });

  it('is not visible to others and cannot be changed by them', async () => {
    const stranger = await harness.user();
    await refused(harness, () => configure({ admin_email: 'evil@example.com' }, stranger), 404, { code: 'NOT_FOUND' });
    const { status } = await harness.http.get(`/api/deployments/${id}/configuration`).set(stranger.auth);
    expect(status).toBe(404);
  });
});
