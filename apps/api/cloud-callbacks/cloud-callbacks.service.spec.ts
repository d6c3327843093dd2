import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CloudName, HOUR_MS, iso } from '@moorage/domain';
import { Metrics } from '@moorage/runtime';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import {
  ACCOUNT,
  type FakeGoogle,
  fakeGoogle,
  type FakeSns,
  fakeSns,
  type Fields,
  pushOf,
  stateChange,
  TOPIC,
} from '@moorage/tests/services/api/callback-signing';

const KEY = 'k'.repeat(40);
const INSTANCE = 'i-0123456789abcdef0';

describe('callbacks of clouds and new servers', () => {
  let api: ApiHarness;
  let jane: TestAccount;
  let sns: FakeSns;
  let google: FakeGoogle;
  let deployment: number;
  let refs = 0;
  const now = () => api.deps.clock.localNow();

  beforeAll(async () => {
    let keys = '';
    let pem = '';
    api = await apiHarness({
      settings: {
        publicUrl: 'https://console.example.com',
        callbacks: {
          awsTopics: [TOPIC],
          azureKey: KEY,
          googleAccount: ACCOUNT,
          download: (url) => Promise.resolve(url.includes('googleapis') ? keys : pem),
        },
      },
    });
    jane = await api.user();
    sns = await fakeSns(now());
    google = fakeGoogle(now());
    ({ pem } = sns);
    ({ keys } = google);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    await api.database.sql('delete from work');
    await api.database.sql(`update servers set state = 'gone'`);
    deployment = await serverAt('aws', INSTANCE);
  });

  /** Adds a deployment in creation with a server at this provider. */
  async function serverAt(provider: CloudName, serverId: string): Promise<number> {
    const ref = `callback${String(++refs).padStart(8, '0')}`;
    const [row] = await api.database.sql<{ id: number }>(
      `insert into deployments (user_id, ref, client_name, client_id, package, server_type, cloud_provider, region, instance_type,
         support_level, instance_hourly_micros, status, config, created_at, updated_at)
       values ($1, $2, 'shop', $2, 'test-page', 'new', $3, 'x', 'y', 1, 35600, 'PROVISIONING', '{}', now(), now()) returning id`,
      [jane.id, ref, provider],
    );
    const id = row?.id ?? 0;
    await api.database.sql(
      `insert into runs (deployment_id, plan, steps, position, state, started_at) values ($1, 'create', '{create-server}', 0, 'running', now())`,
      [id],
    );
    await api.database.sql(
      `insert into servers (deployment_id, provider, region, instance_type, provider_server_id, state, created_at)
       values ($1, $2, 'x', 'y', $3, 'exists', now())`,
      [id, provider, serverId],
    );
    return id;
  }
  const post = (provider: string, body: unknown, headers: Fields = {}) =>
    api.http
      .post(`/api/webhooks/clouds/${provider}`)
      .set({ 'content-type': 'application/json', ...headers })
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  const fromSns = (message: Fields) => post('aws', message, { 'content-type': 'text/plain; charset=UTF-8' });
  const scheduled = async () =>
    (await api.database.sql<{ key: string }>(`select key from work where kind = 'server-callback' order by key`)).map(
      ({ key }) => Number(key),
    );
  const messages = async () => (await api.database.sql('select 1 from cloud_messages')).length;
  const counted = async (provider: string, outcome: string) =>
    Number(
      new RegExp(`provider="${provider}",outcome="${outcome}"\\} (\\d+)`).exec(
        await api.api.app.get(Metrics).text(),
      )?.[1] ?? 0,
    );

  describe('AWS event', () => {
    const stopped = (changes: Fields = {}) =>
      sns.notification(stateChange(INSTANCE, 'stopped'), { Timestamp: iso(now()), ...changes });

    it('triggers a check of its server once, however often it is delivered', async () => {
      const message = stopped({ MessageId: 'delivered-often' });
      for (let i = 0; i < 3; i++) {
        const answer = await fromSns(message);
        expect([answer.status, answer.body]).toEqual([200, { received: true }]);
      }
      expect(await scheduled()).toEqual([deployment]);
      await api.database.sql('delete from work');
      expect((await fromSns(message)).status).toBe(200);
      expect(await scheduled()).toEqual([]);
      expect(await counted('aws', 'repeated')).toBeGreaterThanOrEqual(3);
    });

    it('leaves the deployment and its server unchanged', async () => {
      const rows = () =>
        api.database.sql(
          'select d.*, s.* from deployments d join servers s on s.deployment_id = d.id where d.id = $1',
          [deployment],
        );
      const before = await rows();
      await fromSns(sns.notification(stateChange(INSTANCE, 'terminated'), { Timestamp: iso(now()) }));
      expect(await rows()).toEqual(before);
    });

    it.each<[string, () => Fields]>([
      ['changed in transit', () => ({ ...stopped(), Message: '{}' })],
      ['of another topic', () => stopped({ TopicArn: `${TOPIC}-of-others` })],
      ['with a certificate from elsewhere', () => stopped({ SigningCertURL: 'https://evil.example/a.pem' })],
    ])('is rejected, neither stored nor logged: %s', async (_, forge) => {
      const stored = await messages();
      const refused = await counted('aws', 'refused');
      const answer = await fromSns({ ...forge(), canary: 'canary-of-the-body' });
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([400, 'SIGNATURE_INVALID']);
      expect([await scheduled(), await messages()]).toEqual([[], stored]);
      expect(await counted('aws', 'refused')).toBe(refused + 1);
      expect(api.logged()).not.toContain('canary-of-the-body');
    });

    it.each([
      ['late', -2 * HOUR_MS],
      ['in the future', HOUR_MS],
    ])('is ignored when it is %s', async (_, by) => {
      expect((await fromSns(stopped({ Timestamp: iso(now() + by) }))).status).toBe(200);
      expect(await scheduled()).toEqual([]);
    });

    it('is ignored for a server of another installation', async () => {
      expect(
        (await fromSns(sns.notification(stateChange('i-0ffff', 'stopped'), { Timestamp: iso(now()) }))).status,
      ).toBe(200);
      expect(await scheduled()).toEqual([]);
      expect(await counted('aws', 'ignored')).toBe(1);
    });

    it('is ignored for a removed server', async () => {
      await api.database.sql(`update servers set state = 'gone' where deployment_id = $1`, [deployment]);
      await fromSns(stopped());
      expect(await scheduled()).toEqual([]);
    });

    it('triggers a check on redelivery when the first response was lost in a crash', async () => {
      const { at } = api.deps.db.checkpoints;
      let died = false;
      Object.assign(api.deps.db.checkpoints, {
        at: (name: string) =>
          !died && name === 'callbacks.events.committed'
            ? ((died = true), Promise.reject(new Error('killed')))
            : Promise.resolve(),
      });
      const message = stopped();
      const first = await fromSns(message);
      Object.assign(api.deps.db.checkpoints, { at });
      expect([died, first.status, await scheduled()]).toEqual([true, 500, [deployment]]);
      expect((await fromSns(message)).status).toBe(200);
      expect(await scheduled()).toEqual([deployment]);
    });
  });

  it('checks the server of an Azure event and completes the Event Grid handshake', async () => {
    const id = await serverAt('azure', 'moorage-ref9');
    const subject = '/subscriptions/0/resourceGroups/rg-moorage-ref9/providers/Microsoft.Compute/virtualMachines/vm';
    const event = (data: object) => [{ id: `azure-${refs}`, eventTime: iso(now()), subject, data }];
    const handshake = await post(`azure?key=${KEY}`, event({ validationCode: 'CODE' }), {
      'aeg-event-type': 'SubscriptionValidation',
    });
    expect([handshake.status, handshake.body]).toEqual([200, { validationResponse: 'CODE' }]);
    expect((await post('azure?key=wrong', event({}))).status).toBe(400);
    expect(await scheduled()).toEqual([]);
    expect((await post(`azure?key=${KEY}`, event({}))).status).toBe(200);
    expect(await scheduled()).toEqual([id]);
    expect(api.logged()).not.toContain(KEY);
  });

  it('checks the server of a Google event', async () => {
    const id = await serverAt('gcp', 'europe-west3-a/moorage-ref9');
    const body = pushOf('projects/p/zones/europe-west3-a/instances/moorage-ref9', 'google-1', now());
    expect((await post('gcp', body, { authorization: `Bearer ${google.token({ aud: 'other' })}` })).status).toBe(400);
    expect(await scheduled()).toEqual([]);
    const token = google.token();
    expect((await post('gcp', body, { authorization: `Bearer ${token}` })).status).toBe(200);
    expect(await scheduled()).toEqual([id]);
    expect(api.logged()).not.toContain(token);
  });

  it.each(['hetzner', 'nobody', 'own'])('returns 404 for an event of %s', async (provider) => {
    expect((await post(provider, {})).status).toBe(404);
  });

  it('accepts no provider events without settings', async () => {
    const bare = await apiHarness({ beside: api });
    for (const provider of ['aws', 'azure', 'gcp'])
      expect((await bare.http.post(`/api/webhooks/clouds/${provider}`).type('json').send('{}')).status).toBe(404);
    await bare.close();
  });

  describe('first boot of a new server', () => {
    let token: string;
    beforeEach(async () => {
      token = `${deployment}.${randomBytes(32).toString('base64url')}`;
      await api.database.sql(
        `insert into first_boot_tokens (deployment_id, run_id, token_hash, created_at)
         select $1, id, $2, now() from runs where deployment_id = $1`,
        [deployment, createHash('sha256').update(token).digest('base64url')],
      );
    });
    const call = (given: string, provider = 'aws') => post(provider, '{}', { 'moorage-first-boot': given });

    it('resumes its run once', async () => {
      const answer = await call(token);
      expect([answer.status, answer.body]).toEqual([200, { received: true }]);
      expect(await scheduled()).toEqual([deployment]);
      expect(
        await api.database.sql('select provider from cloud_messages where message_id = $1', [
          `first boot ${deployment}`,
        ]),
      ).toEqual([{ provider: 'aws' }]);
      await api.database.sql('delete from work');
      expect((await call(token)).body).toEqual({ received: true });
      expect(await scheduled()).toEqual([]);
      expect(api.logged()).not.toContain(token.split('.')[1]);
    });

    it('is reported once for any number of concurrent calls', async () => {
      const before = await counted('aws', 'scheduled');
      await Promise.all(Array.from({ length: 8 }, () => call(token)));
      expect(await counted('aws', 'scheduled')).toBe(before + 1);
    });

    it.each<[string, () => Promise<[string, string]>]>([
      ['a token that was guessed', () => Promise.resolve([`${deployment}.${'a'.repeat(43)}`, 'aws'])],
      ['no token', () => Promise.resolve(['', 'aws'])],
      ['half a token', () => Promise.resolve([token.slice(0, -1), 'aws'])],
      [
        'the token of another deployment',
        async () => [token.replace(/^\d+/, String(await serverAt('aws', 'i-9'))), 'aws'],
      ],
      ['a token at another provider', () => Promise.resolve([token, 'vultr'])],
      [
        'a token whose run has ended',
        async () => {
          await api.database.sql(`update runs set state = 'done', finished_at = now() where deployment_id = $1`, [
            deployment,
          ]);
          return [token, 'aws'];
        },
      ],
    ])('gets the same response without any effect with %s', async (_, make) => {
      const [given, provider] = await make();
      const answer = await call(given, provider);
      expect([answer.status, answer.body]).toEqual([200, { received: true }]);
      expect(await scheduled()).toEqual([]);
    });
  });
});
