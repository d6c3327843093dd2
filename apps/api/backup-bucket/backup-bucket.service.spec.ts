import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BackupBucketAnswer, type BackupsAnswer, backupSecrets, BUCKET_SECRETS } from '@moorage/contracts';
import { copied } from '@moorage/tests/services/api/backups';
import { type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let others: Neighbours;
let jane: TestAccount;
let id: number;
beforeAll(async () => {
  api = await apiHarness();
  others = await neighbours(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  jane = await api.user();
  await api.pay(jane, 10_000);
  id = await ready();
});

async function ready(level: 1 | 2 = 2): Promise<number> {
  const order = await ordered(api, jane, { support_level: level });
  await others.moveTo(
    order.id,
    'PROVISIONING',
    ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.9.9' }],
    'READY',
  );
  return order.id;
}

const BUCKET = {
  endpoint: 'https://s3.example.com',
  region: 'eu-central-1',
  bucket: 'janes-backups',
  folder: 'moorage',
  access_key_id: 'AKIAEXAMPLE',
  secret_access_key: 'wJalr/XUtn+FEMI',
};
type Answer = { readonly bucket: BackupBucketAnswer; readonly password: string | null };

const path = (what = '') => `/api/deployments/${id}/backups${what}`;
const put = (change: Partial<typeof BUCKET> = {}, account = jane) =>
  api.http
    .put(path('/bucket'))
    .set(account.auth)
    .send({ ...BUCKET, ...change });
const set = async (change: Partial<typeof BUCKET> = {}) => (await put(change).expect(200)).body as Answer;
const check = (account = jane) => api.http.post(path('/bucket/check')).set(account.auth);
const remove = (account = jane) => api.http.delete(path('/bucket')).set(account.auth);
const list = async (account = jane) => (await api.http.get(path()).set(account.auth)).body as BackupsAnswer;
const secretsOf = () =>
  api.deps.db.tx('test.secrets', async (tx) => {
    const values: (string | null)[] = [];
    for (const name of BUCKET_SECRETS) values.push(await api.deps.secrets.get(tx, backupSecrets(id), name));
    return values;
  });
const works = async (): Promise<number> =>
  (await api.database.sql(`select 1 from work where kind = 'copy-to-bucket' and key = $1`, [String(id)])).length;

/** Stores the result of a check and a copy as the provisioner does. */
const worked = () =>
  api.database.sql(
    `update backup_buckets set state = 'ready', checked_at = now(), copied_at = now(), copied_backup_id = 7
     where deployment_id = $1`,
    [id],
  );

describe('own bucket for backups', () => {
  it('is saved and its check is scheduled', async () => {
    expect((await list()).bucket).toBeNull();
    const { bucket } = await set();
    const [{ ref } = { ref: '' }] = await api.database.sql<{ ref: string }>(
      'select ref from deployments where id = $1',
      [id],
    );
    expect(bucket).toEqual({
      endpoint: 'https://s3.example.com',
      region: 'eu-central-1',
      bucket: 'janes-backups',
      folder: 'moorage',
      repository: `s3:https://s3.example.com/janes-backups/moorage/${ref}`,
      state: 'checking',
      checked_at: null,
      copying: false,
      copied_at: null,
      copied_backup_id: null,
      failure: null,
      retry_at: null,
    });
    expect((await list()).bucket).toEqual(bucket);
    expect(await works()).toBe(1);
  });

  it('never exposes its keys in a response, event or record', async () => {
    const answer = await put().expect(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await secretsOf()).toEqual(['AKIAEXAMPLE', 'wJalr/XUtn+FEMI', (answer.body as Answer).password]);
    const stored = await api.database.sql(
      `select to_jsonb(r) from audit_records r where account_id = $1
       union all select to_jsonb(o) from outbox o union all select to_jsonb(b) from backup_buckets b
       union all select to_jsonb(w) from work w`,
      [jane.id],
    );
    const words = [
      JSON.stringify(await list()),
      JSON.stringify((answer.body as Answer).bucket),
      JSON.stringify(stored),
    ];
    for (const secret of [BUCKET.access_key_id, BUCKET.secret_access_key, (answer.body as Answer).password ?? ''])
      for (const text of words) expect(text).not.toContain(secret);
  });

  it('shows its password until the first copy is complete, and never again', async () => {
    const { password } = await set();
    expect(password).toMatch(/^[a-zA-Z2-9]{43}$/);
    expect((await set({ secret_access_key: 'another' })).password).toBe(password);
    await worked();
    const again = await set({ secret_access_key: 'a-third' });
    expect(again).toMatchObject({ password: null, bucket: { state: 'checking', copied_backup_id: 7 } });
    expect((await secretsOf())[2]).toBe(password);
  });

  it('starts over with another password at another location', async () => {
    const { password } = await set();
    await worked();
    const moved = await set({ folder: 'elsewhere' });
    expect(moved).toMatchObject({ bucket: { copied_at: null, copied_backup_id: null } });
    expect(moved.password).not.toBe(password);
    expect(moved.password).toMatch(/^[a-zA-Z2-9]{43}$/);
  });

  it.each([
    ['endpoint', 'http://s3.example.com', /Enter an https address/],
    ['endpoint', 'https://169.254.169.254', /This address is not public/],
    ['bucket', 'Jane', /Use 3 to 63 lowercase letters/],
    ['folder', '../other', /Use at most 200 letters/],
    ['region', '', /Use lowercase letters, digits and hyphens/],
    ['access_key_id', '', /Enter the key/],
    ['secret_access_key', 'two words', /Enter the key/],
  ])('rejects an invalid value next to its field: %s %s', async (field, value, sentence) => {
    const { body } = await put({ [field]: value }).expect(422);
    expect(body).toMatchObject({
      code: 'FIELDS_INVALID',
      errors: [{ path: field, message: expect.stringMatching(sentence) }],
    });
    expect((await list()).bucket).toBeNull();
  });

  it('requires backups and a deployment that is not being removed', async () => {
    id = await ready(1);
    expect((await list()).bucket_refused).toMatchObject({ code: 'backup.level' });
    expect((await put().expect(409)).body).toMatchObject({ code: 'BACKUP_STATE', message_code: 'backup.level' });
    id = await ready();
    await api.http.delete(`/api/deployments/${id}`).set(jane.auth);
    expect((await put().expect(409)).body).toMatchObject({ message_code: 'backup.bucket_gone' });
  });

  it('is checked again on request, one check at a time', async () => {
    expect((await check().expect(409)).body).toMatchObject({ message_code: 'backup.bucket_none' });
    await set();
    expect((await check().expect(409)).body).toMatchObject({ message_code: 'backup.bucket_busy' });
    await api.database.sql(
      `update backup_buckets set state = 'failed', failures = 3, retry_at = now() + interval '1 hour',
         failure_reason = 'x', failure_code = 'backup.bucket_silent', failure_facts = '{"host": "s3.example.com"}'`,
    );
    expect((await list()).bucket).toMatchObject({ state: 'failed', failure: { code: 'backup.bucket_silent' } });
    expect((await check().expect(202)).body).toMatchObject({ state: 'checking', failure: null, retry_at: null });
  });

  it('is removed with its keys', async () => {
    await set();
    expect((await remove().expect(200)).body).toMatchObject({ code: 'backup.bucket_removed' });
    expect((await list()).bucket).toBeNull();
    expect(await secretsOf()).toEqual([null, null, null]);
    await remove().expect(409);
  });

  it('is accessible to the owner of the deployment only', async () => {
    await set();
    const kim = await api.user();
    const admin = await api.admin();
    for (const account of [kim, admin]) {
      await put({}, account).expect(404);
      await check(account).expect(404);
      await remove(account).expect(404);
    }
    expect((await list(admin)).bucket).toMatchObject({ bucket: 'janes-backups' });
  });

  it('is not copied to a deployment created from one of its backups', async () => {
    await set();
    const copy = await copied(api, id);
    const place = { server_type: 'new', cloud_provider: 'hetzner', region: 'nbg1', instance_type: 'cpx22' };
    const created = await api.http
      .post(path(`/${copy}/deployments`))
      .set(jane.auth)
      .send(place)
      .expect(201);
    id = (created.body as { id: number }).id;
    expect((await list()).bucket).toBeNull();
    expect(await secretsOf()).toEqual([null, null, null]);
  });

  it('is removed with its keys when the account is erased', async () => {
    await set();
    await api.http.delete(`/api/deployments/${id}`).set(jane.auth);
    await others.moveTo(id, ['DESTROYED', { server_exists: false }]);
    const admin = await api.admin();
    await api.database.sql('update wallets set regular_micros = 0 where user_id = $1', [jane.id]);
    await api.database.sql('update users set deactivated_at = now() where id = $1', [jane.id]);
    await api.http.delete(`/api/users/${jane.id}`).set(admin.auth).expect(200);
    expect(await api.database.sql('select 1 from backup_buckets where deployment_id = $1', [id])).toEqual([]);
    expect(await secretsOf()).toEqual([null, null, null]);
  });
});
