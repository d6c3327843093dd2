import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Retirement } from '@moorage/database';
import { CONSTANTS, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import type { Outcome } from '@moorage/messaging';
import { unzipSync } from 'fflate';
import { ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, elsewhere, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { EXPORT_LISTS } from './export-lists';
import { archiveOf } from './prepare-export.use-case';

let api: ApiHarness;
beforeAll(async () => {
  api = await apiHarness({ settings: { trustedProxies: ['127.0.0.1'] } });
});
afterAll(() => api.close());

const EXPORTS = '/api/users/self/exports';

interface Listed {
  readonly id: number;
  readonly state: string;
  readonly created_at: string;
  readonly ready_at: string | null;
  readonly expires_at: string;
  readonly size_bytes: number | null;
}
const list = async (account: TestAccount) =>
  (await api.http.get(EXPORTS).set(account.auth).expect(200)).body as Listed[];
const request = (account: TestAccount) => api.http.post(EXPORTS).set(account.auth);
const requestExport = async (account: TestAccount): Promise<number> =>
  ((await request(account).expect(202)).body as Listed).id;
const file = (account: TestAccount, id: number) => api.http.get(`${EXPORTS}/${id}/file`).set(account.auth);
const statusAndCode = ({ status, body }: { status: number; body: unknown }) => {
  const { code, detail } = body as { code?: string; detail?: string };
  return [status, code, detail];
};
const mailsOf = async (account: TestAccount) =>
  (await api.mailsTo(account.email)).filter(({ text }) => text.includes('/account#data'));
const storedExport = async (id: number) =>
  (
    await api.database.sql<{ state: string; bytes: number | null }>(
      'select state, octet_length(content) as bytes from data_exports where id = $1',
      [id],
    )
  )[0];

/** Returns the files of the archive as text. */
function opened(archive: Uint8Array): Record<string, string> {
  return Object.fromEntries(
    Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  );
}
async function downloaded(account: TestAccount, id: number): Promise<Record<string, string>> {
  const { body } = await file(account, id).responseType('blob').expect(200);
  return opened(body as Buffer);
}
async function exported(account: TestAccount): Promise<Record<string, string>> {
  const id = await requestExport(account);
  await api.run();
  return downloaded(account, id);
}
const linesOf = (text: string | undefined): string[] => (text ?? '').replace('\uFEFF', '').split('\r\n').slice(0, -1);

/** Runs one claim of the work, without the completion by the harness. */
function prepared(id: number, signal = new AbortController().signal): Promise<Outcome> {
  const work = api.api.work['export-data'];
  if (work === undefined) throw new Error('nobody prepares exports');
  return work.run({ kind: 'export-data', key: String(id), fencingToken: 1, attempts: 0 }, signal);
}
const commit = (outcome: Outcome) => api.deps.db.tx('test.commit', async (tx) => outcome.commit?.(tx));
const withoutWork = (id: number) =>
  api.database.sql(`delete from work where kind = 'export-data' and key = $1`, [String(id)]);

const RUNNING = [409, 'ACCOUNT_STATE', 'An export is already being prepared.'];
const UNKNOWN = [404, 'NOT_FOUND', 'There is no such export.'];
const NOT_READY = [409, 'ACCOUNT_STATE', 'This export is not ready yet.'];
const ENDED = [409, 'ACCOUNT_STATE', 'This export is no longer stored. Request a new one.'];
const FAILED = [409, 'ACCOUNT_STATE', "This export couldn't be prepared. Request a new one."];

describe('export of personal data', () => {
  it('is prepared by a job, announced by email and downloaded as a zip archive', async () => {
    const account = await api.user();
    expect(await list(account)).toEqual([]);
    const { body } = await request(account).expect(202);
    const { id, created_at } = body as Listed;
    const expires_at = new Date(Date.parse(created_at) + CONSTANTS.dataExportRetentionMs).toISOString();
    const preparing = { id, state: 'preparing', created_at, ready_at: null, expires_at, size_bytes: null };
    expect(body).toEqual(preparing);
    expect(await list(account)).toEqual([preparing]);
    expect(statusAndCode(await file(account, id))).toEqual(NOT_READY);
    expect(statusAndCode(await request(account))).toEqual(RUNNING);
    expect(await mailsOf(account)).toEqual([]);

    await api.run();
    const [ready] = await list(account);
    expect(ready).toMatchObject({ id, state: 'ready', ready_at: expect.any(String), size_bytes: expect.any(Number) });
    const [mail, ...more] = await mailsOf(account);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Your Moorage data export is ready');
    expect(mail?.text).toContain('within the next 7 days');
    expect(mail?.text).toMatch(/^http:\/\/moorage\.test\/account#data$/m);

    const answer = await file(account, id).responseType('blob');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="moorage-export-${id}.zip"`,
      'content-length': String(ready?.size_bytes),
      'cache-control': 'no-store',
    });
    expect((answer.body as Buffer).length).toBe(ready?.size_bytes);
  });

  it('can be requested again once one is ready, and lists the newest first', async () => {
    const account = await api.user();
    const first = await requestExport(account);
    await api.run();
    const second = await requestExport(account);
    expect((await list(account)).map(({ id, state }) => [id, state])).toEqual([
      [second, 'preparing'],
      [first, 'ready'],
    ]);
    await api.run();
  });

  it('is created once for two concurrent requests', async () => {
    const account = await api.user();
    const answers = await Promise.all([1, 2, 3, 4].map(async () => statusAndCode(await request(account))));
    expect(answers.filter(([status]) => status === 202)).toHaveLength(1);
    expect(answers.filter(([status]) => status !== 202)).toEqual([RUNNING, RUNNING, RUNNING]);
    const [{ id = 0 } = {}] = await list(account);
    const work = await api.database.sql(`select key from work where kind = 'export-data'`);
    expect(work).toEqual([{ key: String(id) }]);
    await api.run();
    expect(await mailsOf(account)).toHaveLength(1);
  });

  it('is not found by another account, not even by administrators', async () => {
    const id = await requestExport(await api.user());
    await api.run();
    for (const account of [await api.user(), await api.admin()]) {
      expect(statusAndCode(await file(account, id))).toEqual(UNKNOWN);
      expect((await file(account, id)).body).toEqual((await file(account, 999_999)).body);
      expect(await list(account)).toEqual([]);
    }
  });

  it('expires after seven days and is then removed', async () => {
    const account = await api.user();
    const id = await requestExport(account);
    await api.run();
    const [{ created_at = '' } = {}] = await list(account);
    const now = async () => api.deps.db.tx('test.now', (tx) => api.deps.clock.now(tx));
    api.pass(Date.parse(created_at) + CONSTANTS.dataExportRetentionMs - MINUTE_MS - (await now()));
    expect(await list(account)).toHaveLength(1);
    await file(account, id).expect(200);
    api.pass(MINUTE_MS);
    expect(await list(account)).toEqual([]);
    expect(statusAndCode(await file(account, id))).toEqual(ENDED);
    await new Retirement({ ...api.deps, service: 'api' }).tick();
    expect(statusAndCode(await file(account, id))).toEqual(UNKNOWN);
  });
});

describe('contents of an export', () => {
  const SECRETS = { admin_password: 'Canary-password-1', setup_token: 'canarytokencanarytokencanarytok1' };

  it('include everything of the account as JSON and CSV, without secrets', async () => {
    const referrer = await api.user('referrer');
    const { body } = await api.http.get('/api/referrals/my-link').set(referrer.auth);
    const { referral_code } = body as { referral_code: string };
    const account = await api.user('jane', { referral_code, from: elsewhere() });
    await api.pay(account, 2_000);
    const deployment = await ordered(api, account, SECRETS);
    await api.database.sql(`update deployments set client_name = '=SUM(A1)' where id = $1`, [deployment.id]);
    const token = await api.http
      .post('/api/users/self/api-tokens')
      .set(account.auth)
      .send({ label: '+1, "laptop"', scope: 'read' });
    await api.http
      .post('/api/support/contact')
      .set(account.auth)
      .send({ name: '=cmd()', email: account.email, subject: '＠here', message: 'Line one\nline "two"' });
    await api.database.sql(
      `with card as (
         insert into saved_cards (user_id, customer, payment_method, brand, last4, exp_month, exp_year, test_mode, saved_at)
         values ($1, 'cus_canary', 'pm_canary', 'visa', '4242', 12, 2030, true, now()))
       insert into automatic_top_ups (user_id, enabled, threshold_days, amount_cents, month_cap_cents, changed_at)
       values ($1, true, 3, 1000, 10000, now())`,
      [account.id],
    );
    const stranger = await api.user('stranger');
    await ordered(api, await paid(stranger), { client_name: 'strangers-server' });

    const files = await exported(account);
    expect(Object.keys(files)).toEqual([
      'README.txt',
      'account.json',
      'transactions.csv',
      'credits.csv',
      'deployments.csv',
      'ssh-keys.csv',
      'sessions.csv',
      'sign-ins.csv',
      'api-tokens.csv',
      'mails.csv',
      'support-messages.csv',
      'support-replies.csv',
      'payments.csv',
      'billing-details.csv',
      'billing-documents.csv',
      'saved-cards.csv',
      'automatic-top-up.csv',
    ]);

    const json = JSON.parse(files['account.json'] ?? '') as Record<string, Record<string, unknown>[]>;
    expect(json.account).toMatchObject({
      id: account.id,
      username: 'jane',
      email: account.email,
      is_verified: true,
      language: 'en',
      muted_mails: [],
      regular_balance_usd: '20.000000',
      owed_usd: '0.000000',
    });
    expect(json.transactions).toContainEqual(
      expect.objectContaining({ type: 'payment', amount_usd: '20.000000', deployment_id: null }),
    );
    expect(json.payments).toMatchObject([{ kind: 'checkout', amount_usd: '20.000000', status: 'paid' }]);
    expect(json.saved_cards).toMatchObject([{ brand: 'visa', last4: '4242' }]);
    expect(json.automatic_top_up).toMatchObject([{ threshold_usd: null, threshold_days: 3, amount_usd: '10.000000' }]);
    expect(json.credits?.map(({ credit_type }) => credit_type)).toEqual(['referred']);
    expect(json.deployments).toMatchObject([
      {
        id: deployment.id,
        client_name: '=SUM(A1)',
        package: 'pangolin',
        domain: 'example.com',
        config: { EMAIL: 'jane@example.com' },
      },
    ]);
    expect(json.sessions).toMatchObject([{ ip_address: '127.0.0.1', ended_at: null }]);
    expect(json.sign_ins).toMatchObject([{ kind: 'password', ip_address: '127.0.0.1' }]);
    expect(json.api_tokens).toMatchObject([{ label: '+1, "laptop"', scope: 'read', revoked_at: null }]);
    expect(json.mails?.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['verify_email', 'payment_received']));
    expect(json.support_messages).toMatchObject([{ name: '=cmd()', message: 'Line one\nline "two"' }]);

    // Every list has a file of its own with the same rows, and the text describes each file.
    for (const { name, columns } of EXPORT_LISTS) {
      const csv = files[`${name.replaceAll('_', '-')}.csv`] ?? '';
      expect(csv.startsWith(`\uFEFF${columns.map((column) => column.name).join(',')}\r\n`)).toBe(true);
      expect(linesOf(csv)).toHaveLength((json[name]?.length ?? 0) + 1);
    }
    for (const name of Object.keys(files).slice(1)) expect(files['README.txt']).toContain(`\r\n${name}: `);
    expect(files['README.txt']).not.toContain('newest');

    // Text that a spreadsheet would interpret as a formula is escaped. Amounts remain numbers.
    expect(files['deployments.csv']).toContain(`,"'=SUM(A1)",`);
    expect(files['api-tokens.csv']).toContain(`,"'+1, ""laptop""",`);
    expect(files['support-messages.csv']).toContain(
      `,"'=cmd()","jane@example.com","'＠here","Line one\nline ""two""",`,
    );
    expect(files['payments.csv']).toMatch(/,20\.000000,"paid",/);

    const hidden = await api.database.sql<Record<string, string>>(
      `select u.password_hash, s.id as session, t.token_hash from users u
       join sessions s on s.user_id = u.id join user_tokens t on t.user_id = u.id where u.id = $1`,
      [account.id],
    );
    const secrets = [
      ...Object.values(SECRETS),
      ...hidden.flatMap((row) => Object.values(row)),
      (token.body as { token: string }).token,
      account.password,
      account.token,
      'referrer@example.com',
      'stranger',
      'cus_canary',
      'pm_canary',
    ];
    expect(secrets.length).toBeGreaterThan(10);
    const everything = Object.values(files).join('\n');
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
  });

  async function paid(account: TestAccount): Promise<TestAccount> {
    await api.pay(account, 2_000);
    return account;
  }

  it('are valid when the account is empty', async () => {
    const files = await exported(await api.unverified());
    const json = JSON.parse(files['account.json'] ?? '') as Record<string, unknown[]>;
    expect([json.transactions, json.deployments, json.payments]).toEqual([[], [], []]);
    expect(linesOf(files['payments.csv'])).toEqual(['id,kind,amount_usd,status,test_mode,created_at,paid_at']);
  });

  it('are described in the language of the account', async () => {
    const account = await api.user();
    await api.http.put('/api/users/self/language').set(account.auth).send({ language: 'de' }).expect(200);
    const files = await exported(account);
    expect(files['README.txt']).toContain(`Daten von ${account.username} bei Moorage, Stand `);
    expect((await mailsOf(account))[0]?.subject).toBe('Ihr Datenexport von Moorage ist bereit');
  });

  it('include the newest rows of a list that is too long, read page by page, with a note', async () => {
    const account = await api.user();
    for (const subject of ['one', 'two', 'three', 'four', 'five'])
      await api.http
        .post('/api/support/contact')
        .set(account.auth)
        .send({ name: 'Jane', email: account.email, subject, message: 'x' });
    await api.database.sql(
      `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, created_at)
       select 'cs_' || i, $1, 500, true, '', '2026-12-01T00:00:00Z' from generate_series(1, 5) i`,
      [account.id],
    );
    const read = async (list_rows_max: number, page_rows: number) =>
      opened(
        await api.deps.db.tx('test.archive', (tx) =>
          archiveOf(tx, {
            user_id: account.id,
            username: account.username,
            language: 'en',
            brand: 'Moorage',
            at: Date.parse('2026-12-01T00:00:00Z'),
            limits: { list_rows_max, page_rows },
            signal: new AbortController().signal,
          }),
        ),
      );
    const subjects = (files: Record<string, string>) =>
      (JSON.parse(files['account.json'] ?? '') as { support_messages: { subject: string }[] }).support_messages.map(
        ({ subject }) => subject,
      );
    for (const page_rows of [1, 2, 3, 5, 100]) {
      const cut = await read(3, page_rows);
      expect([page_rows, subjects(cut)]).toEqual([page_rows, ['five', 'four', 'three']]);
      expect(cut['README.txt']).toMatch(/^support-messages\.csv: .*This export includes only the newest 3 rows/m);
      const whole = await read(5, page_rows);
      expect([page_rows, subjects(whole)]).toEqual([page_rows, ['five', 'four', 'three', 'two', 'one']]);
      // Same instant, distinguished by their ids.
      expect(linesOf(whole['payments.csv']).map((line) => line.slice(0, 6))).toEqual([
        'id,kin',
        ...['"cs_5"', '"cs_4"', '"cs_3"', '"cs_2"', '"cs_1"'],
      ]);
      expect(whole['README.txt']).not.toMatch(/^(support-messages|payments)\.csv: .*newest/m);
    }
  });
});

describe('export job', () => {
  it('creates one archive and one email when it is restarted', async () => {
    const account = await api.user();
    const id = await requestExport(account);
    // The first was killed before its result was written, the second lost its claim.
    await prepared(id);
    const overtaken = await prepared(id);
    await api.run();
    const before = await storedExport(id);
    await commit(overtaken);
    expect(await prepared(id)).toEqual({ done: true });
    await api.run();
    expect(await storedExport(id)).toEqual(before);
    expect(before?.state).toBe('ready');
    expect(await mailsOf(account)).toHaveLength(1);
  });

  it('stops reading when its lease is lost or the process stops', async () => {
    const account = await api.user();
    const id = await requestExport(account);
    const stop = new AbortController();
    stop.abort(new Error('the process is stopping'));
    await expect(prepared(id, stop.signal)).rejects.toThrow('the process is stopping');
    expect((await storedExport(id))?.state).toBe('preparing');
    await api.run();
    expect((await storedExport(id))?.state).toBe('ready');
  });

  it('exports nothing for a deactivated account', async () => {
    const before = await api.user();
    const meanwhile = await api.user();
    const deactivate = ({ id }: TestAccount) =>
      api.database.sql('update users set deactivated_at = now() where id = $1', [id]);
    const [one, two] = [await requestExport(before), await requestExport(meanwhile)];
    const built = await prepared(two);
    await deactivate(before);
    await deactivate(meanwhile);
    await commit(built);
    await api.run();
    for (const id of [one, two]) expect(await storedExport(id)).toEqual({ state: 'failed', bytes: null });
    for (const account of [before, meanwhile]) expect(await mailsOf(account)).toEqual([]);
    expect((await file(before, one)).status).toBe(401);
  });

  it('gives up after an hour without a late result', async () => {
    const account = await api.user();
    const id = await requestExport(account);
    const late = await prepared(id);
    api.pass(HOUR_MS);
    const outcome = await prepared(id);
    expect(outcome).toMatchObject({ failed: 'it could not be prepared within an hour' });
    await commit(outcome);
    await commit(late);
    expect(await storedExport(id)).toEqual({ state: 'failed', bytes: null });
    await withoutWork(id);
    expect((await list(account)).map(({ state }) => state)).toEqual(['failed']);
    expect(statusAndCode(await file(account, id))).toEqual(FAILED);
    expect(await mailsOf(account)).toEqual([]);
  });

  it.each(['list', 'file', 'ask'])('does not block a new request when it is lost: %s', async (first) => {
    const account = await api.user();
    const id = await requestExport(account);
    await withoutWork(id);
    api.pass(HOUR_MS - MINUTE_MS);
    expect(statusAndCode(await request(account))).toEqual(RUNNING);
    api.pass(MINUTE_MS);
    if (first === 'list') expect((await list(account)).map(({ state }) => state)).toEqual(['failed']);
    if (first === 'file') expect(statusAndCode(await file(account, id))).toEqual(FAILED);
    const next = await requestExport(account);
    expect((await list(account)).map((row) => [row.id, row.state])).toEqual([
      [next, 'preparing'],
      [id, 'failed'],
    ]);
    await api.run();
    expect((await list(account))[0]?.state).toBe('ready');
  });
});
