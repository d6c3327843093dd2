import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '@moorage/domain';
import { Secret, TOTP } from 'otpauth';
import { LIMITS } from '../http/limits';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
beforeAll(async () => {
  api = await apiHarness();
});
afterAll(() => api.close());

const outcome = ({ status, body }: { status: number; body: unknown }) => [status, (body as { code?: string }).code];
const fields = ({ body }: { body: unknown }) =>
  (body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => [path, code]);
const post = (account: TestAccount, path: string, body: object, on = api) =>
  on.http.post(`/api/users/self/two-factor${path}`).set(account.auth).send(body);
const login = ({ email, password }: TestAccount, otp?: string, on = api) =>
  on.http
    .post('/api/auth/login')
    .type('form')
    .send({ username: email, password, ...(otp === undefined ? {} : { otp }) });

/** Returns the authenticator app of a user who has scanned the code. */
async function begun(account: TestAccount, on = api) {
  const answer = await post(account, '', {}, on);
  expect(answer.status).toBe(201);
  const { secret } = answer.body as { secret: string };
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return {
    answer: answer.body as { secret: string; otpauth_url: string },
    code: (aheadS = 0) => totp.generate({ timestamp: on.deps.clock.localNow() + aheadS * 1000 }),
  };
}

/** Enables the second factor. Returns the codes that follow the confirmed one. */
async function turnedOn(account: TestAccount, on = api) {
  const app = await begun(account, on);
  const confirmed = await post(account, '/confirm', { otp: app.code() }, on);
  expect(confirmed.status).toBe(200);
  on.pass(MINUTE_MS);
  return { ...app, recoveryCodes: (confirmed.body as { recovery_codes: string[] }).recovery_codes };
}

describe('turning on the second factor', () => {
  it('shows the secret and requires no code at login until a code has confirmed it', async () => {
    const account = await api.user();
    const app = await begun(account);
    expect(app.answer.otpauth_url).toMatch(/^otpauth:\/\/totp\/Moorage:/);
    expect((await login(account)).status).toBe(200);
    const guessed = await post(account, '/confirm', { otp: '000000' });
    expect([outcome(guessed), fields(guessed)]).toEqual([[422, 'FIELDS_INVALID'], [['otp', 'own_account.code_wrong']]]);
    const confirmed = await post(account, '/confirm', { otp: app.code() });
    const { recovery_codes: codes } = confirmed.body as { recovery_codes: string[] };
    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    const state = await api.http.get('/api/users/self/two-factor').set(account.auth);
    expect(state.body).toEqual({
      is_on: true,
      since: expect.any(String),
      recovery_codes_left: 10,
      is_required: false,
    });
    expect((await api.http.get('/api/auth/me').set(account.auth)).body).toMatchObject({ has_two_factor: true });
    await api.run();
    expect((await api.mailsTo(account.email)).map(({ subject }) => subject)).toContain(
      'Two-factor authentication is on for Moorage',
    );
  });

  it('stores neither the secret nor a recovery code in plain text', async () => {
    const account = await api.user();
    const { answer, recoveryCodes } = await turnedOn(account);
    const rows = JSON.stringify([
      await api.database.sql(
        `select *, encode(ciphertext, 'escape') as text from secrets where owner like 'two_factor:%'`,
      ),
      await api.database.sql('select * from recovery_codes where user_id = $1', [account.id]),
    ]);
    for (const secret of [answer.secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(rows).not.toContain(secret);
    expect(api.logged()).not.toContain(answer.secret);
  });

  it('is rejected when already on, when not started, and for an unverified user', async () => {
    const account = await api.user();
    expect(outcome(await post(account, '/confirm', { otp: '123456' }))).toEqual([409, 'ACCOUNT_STATE']);
    await turnedOn(account);
    expect(outcome(await post(account, '', {}))).toEqual([409, 'ACCOUNT_STATE']);
    expect(outcome(await post(account, '/confirm', { otp: '123456' }))).toEqual([409, 'ACCOUNT_STATE']);
    const newcomer = await api.unverified();
    expect(outcome(await post(newcomer, '', {}))).toEqual([403, 'EMAIL_NOT_VERIFIED']);
  });
});

describe('logging in with a second factor', () => {
  it('requires a code only after the correct password, and returns the token from the same call', async () => {
    const account = await api.user();
    const app = await turnedOn(account);
    expect(outcome(await login({ ...account, password: 'not the password' }, app.code()))).toEqual([
      401,
      'CREDENTIALS_WRONG',
    ]);
    expect(outcome(await login(account))).toEqual([401, 'OTP_REQUIRED']);
    expect(outcome(await login(account, ''))).toEqual([401, 'OTP_REQUIRED']);
    expect(outcome(await login(account, 'hello'))).toEqual([401, 'OTP_WRONG']);
    expect(outcome(await login(account, '000000'))).toEqual([401, 'OTP_WRONG']);
    const answer = await login(account, ` ${app.code().replace(/^(...)/, '$1 ')} `);
    expect(answer.body).toEqual({ access_token: expect.any(String), token_type: 'bearer' });
  });

  it('accepts each code once, even concurrently, and tolerates a slight clock difference', async () => {
    const account = await api.user();
    const app = await turnedOn(account);
    const answers = await Promise.all([login(account, app.code()), login(account, app.code())]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(outcome(await login(account, app.code()))).toEqual([401, 'OTP_WRONG']);
    expect((await login(account, app.code(30))).status).toBe(200);
    // Older than the last accepted code.
    expect(outcome(await login(account, app.code()))).toEqual([401, 'OTP_WRONG']);
    expect(outcome(await login(account, app.code(120)))).toEqual([401, 'OTP_WRONG']);
  });

  it('hashes recovery codes with a key and accepts those hashed without one', async () => {
    const account = await api.user();
    const { recoveryCodes } = await turnedOn(account);
    const plainHash = (code: string) => createHash('sha256').update(code.replaceAll('-', '')).digest('base64url');
    const stored = await api.database.sql<{ code_hash: string }>(
      'select code_hash from recovery_codes where user_id = $1',
      [account.id],
    );
    const plain = new Set(recoveryCodes.map(plainHash));
    expect(stored.filter(({ code_hash }) => plain.has(code_hash))).toEqual([]);
    const earlier = 'abcd-abcd-abcd-abcd';
    await api.database.sql('insert into recovery_codes (user_id, code_hash, created_at) values ($1, $2, now())', [
      account.id,
      plainHash(earlier),
    ]);
    expect((await login(account, earlier)).status).toBe(200);
    expect(outcome(await login(account, earlier))).toEqual([401, 'OTP_WRONG']);
    expect((await login(account, recoveryCodes[0])).status).toBe(200);
  });

  it('accepts each recovery code once, in any spelling, and notifies the owner', async () => {
    const account = await api.user();
    const { recoveryCodes } = await turnedOn(account);
    const [first = '', second = ''] = recoveryCodes;
    expect((await login(account, first.toUpperCase())).status).toBe(200);
    expect(outcome(await login(account, first))).toEqual([401, 'OTP_WRONG']);
    const both = await Promise.all([login(account, second), login(account, second.replaceAll('-', ''))]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    await api.run();
    expect((await api.mailsTo(account.email)).map(({ text }) => /You have (\d+) codes left/.exec(text)?.[1])).toEqual(
      expect.arrayContaining(['9', '8']),
    );
    const kinds = (await api.http.get('/api/users/self/sign-ins').set(account.auth)).body as { kind: string }[];
    expect(kinds.map(({ kind }) => kind).sort()).toEqual([
      'code_refused',
      'code_refused',
      'password',
      'recovery_code',
      'recovery_code',
    ]);
  });

  it('rejects any further code for 15 minutes after five wrong ones', async () => {
    const strict = await apiHarness({
      settings: { limits: { ...api.settings.limits, one_time_code: LIMITS.one_time_code } as never },
    });
    try {
      const account = await strict.user();
      const app = await turnedOn(account, strict);
      for (let tries = 0; tries < 5; tries++)
        expect(outcome(await login(account, '000000', strict))[1]).toBe('OTP_WRONG');
      const sixth = await login(account, app.code(), strict);
      expect(outcome(sixth)).toEqual([429, 'RATE_LIMITED']);
      expect(Number(sixth.headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
      // The account page counts the same codes.
      const confirmed = await strict.http
        .post('/api/users/self/reauthentication')
        .set(account.auth)
        .send({ password: account.password, otp: '000000' });
      expect(outcome(confirmed)).toEqual([429, 'RATE_LIMITED']);
    } finally {
      await strict.close();
    }
  });

  it('keeps the second factor on after a password reset by email', async () => {
    const account = await api.user();
    await turnedOn(account);
    await api.http.post('/api/auth/forgot-password').send({ email: account.email });
    const token = await api.linkToken(account.email, 'reset-password');
    await api.http.post('/api/auth/reset-password').send({ token, new_password: 'another-1' });
    expect(outcome(await login({ ...account, password: 'another-1' }))).toEqual([401, 'OTP_REQUIRED']);
  });
});

describe('turning off the second factor and generating recovery codes', () => {
  it('invalidates the earlier recovery codes and sends an email', async () => {
    const account = await api.user();
    const app = await turnedOn(account);
    const [spent = ''] = app.recoveryCodes;
    const renewed = await post(account, '/recovery-codes', {});
    const {
      recovery_codes: [fresh = ''],
    } = renewed.body as { recovery_codes: string[] };
    expect(outcome(await login(account, spent))).toEqual([401, 'OTP_WRONG']);
    expect((await login(account, fresh)).status).toBe(200);
    expect((await post(account, '/disable', {})).status).toBe(200);
    expect((await login(account)).status).toBe(200);
    for (const path of ['/recovery-codes', '/disable'])
      expect(outcome(await post(account, path, {}))).toEqual([409, 'ACCOUNT_STATE']);
    expect(await api.database.sql('select 1 from recovery_codes where user_id = $1', [account.id])).toEqual([]);
    await api.run();
    expect((await api.mailsTo(account.email)).map(({ subject }) => subject)).toEqual(
      expect.arrayContaining([
        'New recovery codes for your Moorage account',
        'Two-factor authentication is off for Moorage',
      ]),
    );
  });
});

describe('second factor required for administrators', () => {
  it('rejects administrator calls without a second factor and keeps personal calls available', async () => {
    const strict = await apiHarness({ settings: { adminsNeedTwoFactor: true } });
    try {
      const admin = await strict.admin();
      const user = await strict.user();
      const get = (path: string) => strict.http.get(path).set(admin.auth);
      expect(outcome(await get('/api/users'))).toEqual([403, 'TWO_FACTOR_REQUIRED']);
      expect(outcome(await get(`/api/users/${user.id}/balance`))).toEqual([404, 'NOT_FOUND']);
      expect((await get('/api/billing/balance')).status).toBe(200);
      expect((await get('/api/users/self/two-factor')).body).toMatchObject({ is_on: false, is_required: true });
      await turnedOn(admin, strict);
      expect((await get('/api/users')).status).toBe(200);
      expect(outcome(await strict.http.get('/api/users').set(user.auth))).toEqual([403, 'FORBIDDEN']);
    } finally {
      await strict.close();
    }
  });
});
