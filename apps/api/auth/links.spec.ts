import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

describe('links in emails', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await apiHarness();
  });
  afterAll(() => api.close());

  const code = (answer: { status: number; body: unknown }) => [answer.status, (answer.body as { code?: string }).code];
  const me = (token: string) => api.http.get('/api/auth/me').set('authorization', `Bearer ${token}`);
  const login = (username: string, password: string) => api.http.post('/api/auth/login').send({ username, password });
  const verify = (token: string) => api.http.post('/api/auth/verify-email').send({ token });

  describe('verifying an address', () => {
    it('accepts the link once and ignores a repeat', async () => {
      const account = await api.unverified();
      const token = await api.linkToken(account.email, 'verify-email');
      expect((await verify(token)).body).toMatchObject({ message: 'Email verified successfully' });
      expect((await verify(token)).body).toMatchObject({ message: 'Email verified successfully' });
      const events = await api.database.sql(
        `select 1 from outbox where event_name = 'user.verified' and aggregate_id = $1`,
        [String(account.id)],
      );
      expect(events).toHaveLength(1);
    });

    it('accepts GET from clients that predate POST', async () => {
      const account = await api.unverified();
      const token = await api.linkToken(account.email, 'verify-email');
      const answer = await api.http.get('/api/auth/verify-email').query({ token });
      expect(answer.body).toMatchObject({ message: 'Email verified successfully' });
    });

    it('confirms ten concurrent requests and publishes one event', async () => {
      const account = await api.unverified();
      const token = await api.linkToken(account.email, 'verify-email');
      const answers = await Promise.all(Array.from({ length: 10 }, () => verify(token)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      const events = await api.database.sql(
        `select 1 from outbox where event_name = 'user.verified' and aggregate_id = $1`,
        [String(account.id)],
      );
      expect(events).toHaveLength(1);
    });

    it('rejects a link after 24 hours, and any but the newest', async () => {
      const account = await api.unverified();
      const first = await api.linkToken(account.email, 'verify-email');
      expect((await api.http.post('/api/users/resend-verification').set(account.auth)).body).toMatchObject({
        message: 'Verification email sent',
      });
      const second = await api.linkToken(account.email, 'verify-email');
      expect(code(await verify(first))).toEqual([422, 'TOKEN_INVALID']);
      api.pass(24 * HOUR_MS + 1000);
      expect(code(await verify(second))).toEqual([422, 'TOKEN_INVALID']);
    });

    it.each([
      undefined,
      '',
      'x',
      'a'.repeat(101),
      'abc def ghi jkl mno pqr stu',
      "' or 1=1 or '1'='1-------",
      '../../../../etc/passwd-----',
    ])('rejects the token %j', async (token) => {
      const answer = await api.http.get('/api/auth/verify-email').query(token === undefined ? {} : { token });
      expect(code(answer)).toEqual([422, 'FIELDS_INVALID']);
      if (token === undefined) expect((answer.body as { detail: string }).detail).toBe('Missing verification token');
    });

    it('rejects a token that was never issued', async () => {
      expect(code(await verify('A'.repeat(40)))).toEqual([422, 'TOKEN_INVALID']);
    });

    it('rejects a link of another kind', async () => {
      const account = await api.unverified();
      await api.http.post('/api/auth/forgot-password').send({ email: account.email });
      expect(code(await verify(await api.linkToken(account.email, 'reset-password')))).toEqual([422, 'TOKEN_INVALID']);
    });

    it('sends no second link to a verified user', async () => {
      const account = await api.user();
      expect(code(await api.http.post('/api/users/resend-verification').set(account.auth))).toEqual([
        409,
        'ACCOUNT_STATE',
      ]);
    });
  });

  describe('password reset', () => {
    const forgot = (email: unknown) => api.http.post('/api/auth/forgot-password').send({ email });
    const reset = (token: unknown, new_password: unknown) =>
      api.http.post('/api/auth/reset-password').send({ token, new_password });

    it('sets a new password, ends every session and uses up the link', async () => {
      const account = await api.user();
      expect((await forgot(account.email.toUpperCase())).body).toMatchObject({
        message: 'Password reset instructions sent to your email',
      });
      const token = await api.linkToken(account.email, 'reset-password');
      expect((await reset(token, 'another-one')).body).toMatchObject({ message: 'Password reset successfully!' });
      expect(code(await me(account.token))).toEqual([401, 'UNAUTHENTICATED']);
      expect(code(await login(account.email, account.password))).toEqual([401, 'CREDENTIALS_WRONG']);
      expect((await login(account.email, 'another-one')).status).toBe(200);
      expect(code(await reset(token, 'a-third-one'))).toEqual([422, 'TOKEN_INVALID']);
      await api.run();
      expect((await api.mailsTo(account.email)).map(({ subject }) => subject)).toContain(
        'Your Moorage password was changed',
      );
    });

    it('revokes every personal API token and mentions it in the email', async () => {
      const [account, other] = [await api.user(), await api.user()];
      const make = async ({ auth }: TestAccount) =>
        ((await api.http.post('/api/users/self/api-tokens').set(auth).send({ label: 'x' })).body as { token: string })
          .token;
      const [first, second, foreign] = [await make(account), await make(account), await make(other)];
      await forgot(account.email);
      await reset(await api.linkToken(account.email, 'reset-password'), 'another-one');
      for (const token of [first, second]) expect(code(await me(token))).toEqual([401, 'UNAUTHENTICATED']);
      expect((await me(foreign)).status).toBe(200);
      await api.run();
      const mail = (await api.mailsTo(account.email)).find(({ subject }) => subject.endsWith('password was changed'));
      const text = mail?.text.replace(/\s+/g, ' ');
      expect(text).toContain('You were logged out on all other devices and all API tokens were revoked');
    });

    it('lets one of two concurrent resets with the same link succeed', async () => {
      const account = await api.user();
      await forgot(account.email);
      const token = await api.linkToken(account.email, 'reset-password');
      const answers = await Promise.all(['one-password', 'two-password'].map((password) => reset(token, password)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    });

    it('returns the same response in the same time for an unknown address, and sends no email', async () => {
      const account = await api.user();
      const timed = async (email: string) => {
        const from = performance.now();
        const { body, status } = await forgot(email);
        return { body: body as unknown, status, ms: performance.now() - from };
      };
      const [known, unknown] = [await timed(account.email), await timed('nobody-here@example.com')];
      expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
      for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThan(240);
      expect(await api.database.sql(`select 1 from mails where recipient = 'nobody-here@example.com'`)).toEqual([]);
    });

    it('builds links from the configured address, whatever the Host header contains', async () => {
      const account = await api.user();
      await api.http
        .post('/api/auth/forgot-password')
        .set({ host: 'evil.example', 'x-forwarded-host': 'evil.example' })
        .send({ email: account.email });
      await api.run();
      const texts = (await api.mailsTo(account.email)).map(({ text }) => text).join();
      expect(texts).toContain('http://moorage.test/reset-password?token=');
      expect(texts).not.toContain('evil.example');
    });

    it('rejects a link after an hour', async () => {
      const account = await api.user();
      await forgot(account.email);
      const token = await api.linkToken(account.email, 'reset-password');
      api.pass(HOUR_MS + 1000);
      expect(code(await reset(token, 'another-one'))).toEqual([422, 'TOKEN_INVALID']);
    });

    it.each([
      undefined,
      null,
      5,
      '',
      'x',
      'a@b',
      'a b@example.com',
      'a@example.com\r\nBcc: b@example.com',
      `${'a'.repeat(250)}@example.com`,
      ['a@example.com'],
    ])('rejects the address %j', async (email) => {
      expect(code(await forgot(email))).toEqual([422, 'FIELDS_INVALID']);
    });

    it.each([undefined, null, 'short', 5, 'x'.repeat(201)])(
      'rejects the password %j and keeps the link valid',
      async (password) => {
        const account = await api.user();
        await forgot(account.email);
        const token = await api.linkToken(account.email, 'reset-password');
        expect(code(await reset(token, password))).toEqual([422, 'FIELDS_INVALID']);
        expect((await reset(token, 'another-one')).status).toBe(200);
      },
    );
  });
});
