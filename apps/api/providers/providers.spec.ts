import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CREDENTIALS_ENTERED, type ProviderAnswer, providerSecrets } from '@moorage/contracts';
import { CLOUD_NAMES, type CloudName, cloudSetup, PROVIDER_MESSAGES } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

const TOKEN = 'the-token-that-nobody-may-read';
const MARGIN = { percent: 25, minHourlyUsd: 0 };
const clouds = cloudSetup({ sandbox: true, chosen: { hetzner: 'live', gcp: 'off' }, margins: { hetzner: MARGIN } });

let api: ApiHarness;
let admin: TestAccount;
beforeAll(async () => {
  api = await apiHarness({ settings: { clouds } });
  admin = await api.admin();
});
afterAll(() => api.close());
beforeEach(() =>
  api.database.sql(
    `truncate provider_breakers, provider_checks, provider_credentials, catalogues, cloud_budgets;
     delete from secrets where owner like 'provider:%'; delete from work where kind = 'check-provider'`,
  ),
);

const list = async (): Promise<ProviderAnswer[]> =>
  (await api.http.get('/api/admin/providers').set(admin.auth)).body as ProviderAnswer[];
const of = async (name: string): Promise<ProviderAnswer | undefined> =>
  (await list()).find(({ provider }) => provider === name);
const send = (method: 'post' | 'put' | 'delete', path: string, body: object = {}) =>
  api.http[method](`/api/admin/providers/${path}`).set(admin.auth).send(body);
const pin = (project: string) =>
  api.database.sql(
    `insert into provider_breakers (provider, project_id, pinned_at, proven_at) values ('hetzner', $1, now(), now())
     on conflict (provider) do update set project_id = $1`,
    [project],
  );
const work = () => api.database.sql(`select key from work where kind = 'check-provider'`);

describe('providers', () => {
  it('are all listed with their mode', async () => {
    const modes: Partial<Record<CloudName, string>> = { gcp: 'off', hetzner: 'live' };
    expect((await list()).map(({ provider, mode }) => `${provider} ${mode}`)).toEqual(
      CLOUD_NAMES.map((name) => `${name} ${modes[name] ?? 'simulated'}`),
    );
    const [simulated, off] = [await of('aws'), await of('gcp')];
    expect(simulated).toMatchObject({ access: null, check: null, credentials: null });
    expect(off).toMatchObject({ access: null, catalogue: null, check: null, credentials: null });
  });

  it('show rejected credentials, a rate limit pause and the call that failed last', async () => {
    await api.database.sql(
      `insert into provider_breakers (provider, proven_at, refused_at) values ('hetzner', '2026-12-01T10:00:00Z', '2026-12-01T11:00:00Z');
       insert into cloud_budgets (name, creates_left, filled_at, blocked_until) values ('hetzner print', 1, now(), '2099-01-01T00:00:00Z');
       insert into provider_checks (provider, error_kind, error_words, error_at) values ('hetzner', 'auth', '401 unauthorized', '2026-12-01T11:00:00Z')`,
    );
    expect(await of('hetzner')).toMatchObject({
      access: { state: 'refused', since: '2026-12-01T11:00:00.000Z' },
      paused_until: '2099-01-01T00:00:00.000Z',
      last_error: { kind: 'auth', words: '401 unauthorized', at: '2026-12-01T11:00:00.000Z' },
    });
  });
});

describe('project of a provider', () => {
  it('is confirmed once it was shown to an administrator, and again after a change', async () => {
    await pin('project-1');
    expect((await of('hetzner'))?.project).toMatchObject({ id: 'project-1', confirmed_at: null });
    const { status, body } = await send('post', 'hetzner/confirm', { project_id: 'project-1' });
    expect([status, (body as ProviderAnswer).project?.confirmed_at]).toEqual([200, expect.stringMatching(/Z$/)]);
    expect((await send('post', 'hetzner/confirm', { project_id: 'project-1' })).status).toBe(200);
    const records = await api.database.sql(
      `select facts from audit_records where action = 'provider.project_confirmed' and actor_user_id = ${admin.id}`,
    );
    expect(records).toEqual([{ facts: { project_id: 'project-1' } }]);
    await pin('project-2');
    expect((await of('hetzner'))?.project).toMatchObject({ id: 'project-2', confirmed_at: null });
  });

  it('is not confirmed by an administrator who was shown another project', async () => {
    await pin('project-2');
    const { status, body } = await send('post', 'hetzner/confirm', { project_id: 'project-1' });
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({ code: 'PROVIDER_STATE', detail: PROVIDER_MESSAGES.project_changed.detail }),
    ]);
    expect((await of('hetzner'))?.project?.confirmed_at).toBeNull();
  });

  it('requires a recently entered password', async () => {
    const other = await api.admin();
    await api.database.sql(`update sessions set authenticated_at = '2020-01-01' where user_id = ${other.id}`);
    const { body } = await api.http
      .post('/api/admin/providers/hetzner/confirm')
      .set(other.auth)
      .send({ project_id: 'project-1' });
    expect(body).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
  });
});

describe('provider check', () => {
  it('is performed by the provisioner and shown as running until it ends', async () => {
    const { status, body } = await send('post', 'hetzner/check');
    expect([status, (body as ProviderAnswer).check]).toEqual([
      202,
      { is_running: true, checked_at: null, rights: null, quota: null },
    ]);
    expect(await work()).toEqual([{ key: 'hetzner' }]);
    const rights = [{ name: 'write', state: 'missing', words: '403 token_readonly' }];
    await api.database.sql(
      `update provider_checks set checked_at = requested_at, rights = $1, quota = $2 where provider = 'hetzner'`,
      [JSON.stringify(rights), JSON.stringify([{ name: 'servers', region: null, limit: 25, used: 3 }])],
    );
    expect((await of('hetzner'))?.check).toMatchObject({
      is_running: false,
      rights,
      quota: [{ name: 'servers', region: null, limit: 25, used: 3 }],
    });
  });

  it.each(['aws', 'gcp'])('is rejected when there is nothing to check: %s', async (provider) => {
    const { status, body } = await send('post', `${provider}/check`);
    expect([status, body]).toEqual([409, expect.objectContaining({ detail: PROVIDER_MESSAGES.not_live.detail })]);
    expect(await work()).toEqual([]);
  });
});

describe('credentials entered in the console', () => {
  const enter = (values: object = { HETZNER_TOKEN: ` ${TOKEN}\n` }) => send('put', 'hetzner/credentials', { values });

  it('are sealed for the provisioner, tested before use, and never returned', async () => {
    const { status, body, text } = await enter();
    expect([status, (body as ProviderAnswer).credentials]).toEqual([
      202,
      {
        fields: ['HETZNER_TOKEN'],
        entered_since: null,
        entered: { state: 'testing', at: expect.any(String), reason: null, words: null },
      },
    ]);
    expect(await work()).toEqual([{ key: 'hetzner' }]);
    const sealed = await api.deps.db.tx('test', (tx) =>
      api.deps.secrets.get(tx, providerSecrets('hetzner'), CREDENTIALS_ENTERED),
    );
    expect(sealed).toBe(JSON.stringify({ HETZNER_TOKEN: TOKEN }));
    const stored = await api.database.sql('select * from provider_credentials');
    const audited = await api.database.sql(`select * from audit_records where action like 'provider.credentials%'`);
    const listed = JSON.stringify(await list());
    expect(`${text}${listed}${JSON.stringify([stored, audited])}${api.logged()}`).not.toContain(TOKEN);
    expect(audited).toHaveLength(1);
  });

  it('replace others that are still being tested', async () => {
    await enter();
    expect((await enter({ HETZNER_TOKEN: 'another' })).status).toBe(202);
    const sealed = await api.deps.db.tx('test', (tx) =>
      api.deps.secrets.get(tx, providerSecrets('hetzner'), CREDENTIALS_ENTERED),
    );
    expect(sealed).toBe(JSON.stringify({ HETZNER_TOKEN: 'another' }));
  });

  it.each([
    ['of another provider', { LINODE_TOKEN: TOKEN }],
    ['with a field too many', { HETZNER_TOKEN: TOKEN, HETZNER_BASE_URL: 'http://attacker.example' }],
    ['that are empty', { HETZNER_TOKEN: '  ' }],
    ['of no field', {}],
  ])('are rejected at once %s', async (_name, values) => {
    const { status, body } = await enter(values);
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ path: 'values' })] }),
    ]);
    expect(await work()).toEqual([]);
  });

  it('can be removed, after which those of the settings apply', async () => {
    expect((await send('delete', 'hetzner/credentials')).body).toMatchObject({
      detail: PROVIDER_MESSAGES.credentials_none.detail,
    });
    await api.database.sql(
      `insert into provider_credentials (provider, version, stored_at) values ('hetzner', 1, now())
       on conflict (provider) do update set version = 1, stored_at = now()`,
    );
    expect((await of('hetzner'))?.credentials?.entered_since).toMatch(/Z$/);
    const { status, body } = await send('delete', 'hetzner/credentials');
    expect([status, (body as ProviderAnswer).credentials?.entered_since]).toEqual([200, null]);
    expect(await api.database.sql('select version from provider_credentials')).toEqual([{ version: 2 }]);
  });
});
