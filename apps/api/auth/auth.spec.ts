import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DAY_MS } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { Passwords } from './passwords.service';

describe('authentication over HTTP', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await apiHarness();
  });
  afterAll(() => api.close());

  const code = (answer: { status: number; body: unknown }) => [answer.status, (answer.body as { code?: string }).code];
  const me = (token: string) => api.http.get('/api/auth/me').set('authorization', `Bearer ${token}`);
  const login = (username: string, password: string) => api.http.post('/api/auth/login').send({ username, password });

  describe('login', () => {
    let jane: TestAccount;
    beforeAll(async () => {
      jane = await api.user('jane');
    });

    it('accepts the form the console sends, and JSON', async () => {
      const form = await api.http
        .post('/api/auth/login')
        .type('form')
        .send({ username: jane.email, password: jane.password });
      expect(form.body).toEqual({ access_token: expect.any(String), token_type: 'bearer' });
      expect((await login(jane.email, jane.password)).status).toBe(200);
    });

    it('ignores the case of the address', async () => {
      expect((await login('JANE@Example.com', jane.password)).status).toBe(200);
    });

    it('returns the same error for a wrong password and an unknown address', async () => {
      const wrong = await login(jane.email, 'not-her-password');
      const nobody = await login('nobody@example.com', 'not-her-password');
      expect(wrong.status).toBe(401);
      expect(wrong.body).toEqual({
        detail: 'Incorrect email or password.',
        code: 'CREDENTIALS_WRONG',
        message_code: 'access.credentials_wrong',
        facts: {},
        errors: [],
      });
      expect(nobody.body).toEqual(wrong.body);
    });

    it('compares a hash for an unknown address too, so that the response time reveals nothing', async () => {
      const matches = jest.spyOn(api.api.app.get(Passwords), 'matches');
      await login(jane.email, 'not-her-password');
      await login('nobody@example.com', 'not-her-password');
      expect(matches.mock.calls).toEqual([
        ['not-her-password', expect.stringMatching(/^\$argon2id\$/)],
        ['not-her-password', null],
      ]);
      matches.mockRestore();
    });

    it.each([
      ['nothing', {}, 'Email is required Password is required'],
      ['no password', { username: 'a@example.com' }, 'Password is required'],
      ['a password of another type', { username: 'a@example.com', password: 7 }, 'Password is required'],
      ['a list', { username: ['a@example.com'], password: 'secret-1' }, 'Email is required'],
      ['an object', { username: { $ne: null }, password: 'secret-1' }, 'Email is required'],
      [
        'NUL',
        { username: 'a\u0000@example.com', password: 'secret-1' },
        'Remove line breaks and invisible characters.',
      ],
      [
        'a password that is too long',
        { username: 'a@example.com', password: 'x'.repeat(201) },
        'Password must be at most 200 characters long',
      ],
      [
        'an address that is too long',
        { username: 'a'.repeat(255), password: 'secret-1' },
        'An email address has at most 254 characters.',
      ],
    ])('is rejected with a message: %s', async (_, body, detail) => {
      const answer = await api.http.post('/api/auth/login').send(body);
      expect(answer.status).toBe(422);
      expect((answer.body as { detail: string }).detail).toBe(detail);
    });

    it.each(["' or 1=1 --", "jane@example.com' --", '*', '%', 'jane@example.com\n'])(
      'rejects the username %j',
      async (username) => {
        expect(code(await login(username, "' or '1'='1"))).toEqual([401, 'CREDENTIALS_WRONG']);
      },
    );

    it('rejects a form that repeats a field', async () => {
      const answer = await api.http
        .post('/api/auth/login')
        .type('form')
        .send('username=a@example.com&username=b@example.com&password=secret-1');
      expect(answer.status).toBe(422);
    });

    it('reports that an account is deactivated only after the correct password', async () => {
      const gone = await api.deactivated();
      expect(code(await login(gone.email, 'not-the-password'))).toEqual([401, 'CREDENTIALS_WRONG']);
      const answer = await login(gone.email, gone.password);
      expect([answer.status, answer.body]).toMatchObject([
        403,
        { detail: 'Account has been deactivated', code: 'ACCOUNT_DEACTIVATED', errors: [] },
      ]);
    });
  });

  describe('session', () => {
    it('ends at once on logout, without ending others', async () => {
      const account = await api.user();
      const other = ((await login(account.email, account.password)).body as { access_token: string }).access_token;
      expect((await api.http.post('/api/auth/logout').set(account.auth)).status).toBe(200);
      expect(code(await me(account.token))).toEqual([401, 'UNAUTHENTICATED']);
      expect((await me(other)).status).toBe(200);
    });

    it('ends with the account within one call, with a message', async () => {
      const account = await api.user();
      expect((await me(account.token)).status).toBe(200);
      await api.database.sql('update users set deactivated_at = now() where id = $1', [account.id]);
      const answer = await me(account.token);
      expect(code(answer)).toEqual([401, 'UNAUTHENTICATED']);
      expect(answer.body).toMatchObject({ detail: 'Account has been deactivated' });
    });

    it('expires after 14 days without use and after 30 days with use', async () => {
      const [idle, busy] = [await api.user(), await api.user()];
      for (const day of [10, 20]) {
        api.pass(10 * DAY_MS);
        expect((await me(busy.token)).status).toBe(200);
        if (day === 20) expect(code(await me(idle.token))).toEqual([401, 'UNAUTHENTICATED']);
      }
      api.pass(10 * DAY_MS + 1000);
      expect(code(await me(busy.token))).toEqual([401, 'UNAUTHENTICATED']);
    });

    it('rejects the next administrator call after the role was removed', async () => {
      const admin = await api.admin();
      const check = () =>
        api.http.get('/api/billing/admin/transactions').query({ user: admin.username }).set(admin.auth);
      expect((await check()).status).toBe(200);
      await api.database.sql('update users set is_admin = false where id = $1', [admin.id]);
      expect(code(await check())).toEqual([403, 'FORBIDDEN']);
    });

    it('cannot be opened with the values stored in the database', async () => {
      const account = await api.user();
      const sessions = await api.database.sql<{ id: string }>('select id from sessions where user_id = $1', [
        account.id,
      ]);
      const hashes = await api.database.sql<{ token_hash: string }>(
        'select token_hash from user_tokens where user_id = $1',
        [account.id],
      );
      for (const text of [...sessions.map(({ id }) => id), ...hashes.map(({ token_hash }) => token_hash)]) {
        expect(code(await me(text))).toEqual([401, 'UNAUTHENTICATED']);
        expect(code(await me(`mrg_${text}`))).toEqual([401, 'UNAUTHENTICATED']);
      }
    });

    describe('token that was altered or not signed by us', () => {
      const part = (data: object) => Buffer.from(JSON.stringify(data)).toString('base64url');
      const signed = (header: object, claims: object, secret: string, hash = 'sha256') => {
        const text = `${part(header)}.${part(claims)}`;
        return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
      };
      const claimsOf = (token: string) =>
        JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
          sub: string;
          sid: string;
          exp: number;
        };
      const right = { alg: 'HS256', typ: 'JWT' };

      it.each<[string, (token: string, secret: string) => string]>([
        ['no signature', (token) => token.split('.').slice(0, 2).join('.') + '.'],
        ['alg none', (token) => `${part({ alg: 'none', typ: 'JWT' })}.${part(claimsOf(token))}.`],
        ['another secret', (token) => signed(right, claimsOf(token), 'another secret of thirty-two letters')],
        ['HS512', (token, secret) => signed({ alg: 'HS512', typ: 'JWT' }, claimsOf(token), secret, 'sha512')],
        ['another user', (token, secret) => signed(right, { ...claimsOf(token), sub: '1' }, secret)],
        ['another session', (token, secret) => signed(right, { ...claimsOf(token), sid: 'x'.repeat(32) }, secret)],
        ['another issuer', (token, secret) => signed(right, { ...claimsOf(token), iss: 'somebody' }, secret)],
        ['no issuer', (token, secret) => signed(right, { ...claimsOf(token), iss: undefined }, secret)],
        ['no audience', (token, secret) => signed(right, { ...claimsOf(token), aud: undefined }, secret)],
        [
          'the audience of impersonation',
          (token, secret) => signed(right, { ...claimsOf(token), aud: 'view' }, secret),
        ],
        ['the audience of the board', (token, secret) => signed(right, { ...claimsOf(token), aud: 'queues' }, secret)],
        ['expired', (token, secret) => signed(right, { ...claimsOf(token), exp: 1 }, secret)],
        ['no end', (token, secret) => signed(right, { ...claimsOf(token), exp: undefined }, secret)],
        ['a user that is no number', (token, secret) => signed(right, { ...claimsOf(token), sub: '1 or 1=1' }, secret)],
        ['a huge user', (token, secret) => signed(right, { ...claimsOf(token), sub: '9007199254740991' }, secret)],
        [
          'a session of another type',
          (token, secret) => signed(right, { ...claimsOf(token), sid: { $ne: null } }, secret),
        ],
        ['one letter changed', (token) => `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`],
        ['rubbish', () => 'rubbish'],
        ['two dots', () => '..'],
      ])('is rejected with 401: %s', async (_, forge) => {
        const account = await api.user();
        expect(code(await me(forge(account.token, api.settings.jwtSecret)))).toEqual([401, 'UNAUTHENTICATED']);
        expect((await me(account.token)).status).toBe(200);
      });
    });

    it.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer  ', 'bearer', 'Token x'])(
      'does not accept the header %j as credentials',
      async (authorization) => {
        expect(code(await api.http.get('/api/auth/me').set({ authorization }))).toEqual([401, 'UNAUTHENTICATED']);
      },
    );

    it('ignores a token in the URL', async () => {
      const account = await api.user();
      expect(
        code(await api.http.get('/api/auth/me').query({ access_token: account.token, auth_token: account.token })),
      ).toEqual([401, 'UNAUTHENTICATED']);
    });
  });

  describe('personal API tokens', () => {
    const make = (account: TestAccount, label: unknown) =>
      api.http.post('/api/users/self/api-tokens').set(account.auth).send({ label });

    it('are shown once, read the account, cannot change it, and end when revoked', async () => {
      const account = await api.user();
      const created = (await make(account, 'backup script')).body as { id: number; token: string };
      expect(created.token).toMatch(/^mrg_[A-Za-z0-9]{32}$/);
      expect((await me(created.token)).body).toMatchObject({ id: account.id });
      const bearer = { authorization: `Bearer ${created.token}` };
      const list = await api.http.get('/api/users/self/api-tokens').set(bearer);
      expect(list.body).toEqual([
        {
          id: created.id,
          label: 'backup script',
          scope: 'write',
          created_at: expect.any(String),
          expires_at: expect.any(String),
          last_used_at: expect.any(String),
        },
      ]);
      expect(code(await api.http.post('/api/users/self/api-tokens').set(bearer).send({ label: 'another' }))).toEqual([
        403,
        'FORBIDDEN',
      ]);
      expect(code(await api.http.post('/api/auth/logout').set(bearer))).toEqual([403, 'FORBIDDEN']);
      expect((await api.http.delete(`/api/users/self/api-tokens/${created.id}`).set(account.auth)).status).toBe(200);
      expect(code(await me(created.token))).toEqual([401, 'UNAUTHENTICATED']);
    });

    it('end with the account', async () => {
      const account = await api.user();
      const { token } = (await make(account, 'x')).body as { token: string };
      await api.database.sql('update users set deactivated_at = now() where id = $1', [account.id]);
      expect(code(await me(token))).toEqual([401, 'UNAUTHENTICATED']);
    });

    it('cannot be revoked by another account, and are reported as missing', async () => {
      const [account, other] = [await api.user(), await api.user()];
      const { id, token } = (await make(account, 'x')).body as { id: number; token: string };
      const foreign = await api.http.delete(`/api/users/self/api-tokens/${id}`).set(other.auth);
      const absent = await api.http.delete('/api/users/self/api-tokens/999999').set(other.auth);
      expect([foreign.status, foreign.body]).toEqual([404, absent.body]);
      expect((await me(token)).status).toBe(200);
    });

    it('can be created by verified accounts, twenty at most', async () => {
      expect(code(await make(await api.unverified(), 'x'))).toEqual([403, 'EMAIL_NOT_VERIFIED']);
      const account = await api.user();
      for (let i = 0; i < 20; i++) expect((await make(account, `token ${i}`)).status).toBe(201);
      expect(code(await make(account, 'one more'))).toEqual([409, 'ACCOUNT_STATE']);
    });

    it.each([undefined, null, '', '   ', 5, ['x'], 'x'.repeat(61), 'two\nlines', 'a\u202eb'])(
      'are rejected with the label %j',
      async (label) => {
        const account = await api.user();
        expect(code(await make(account, label))).toEqual([422, 'FIELDS_INVALID']);
        expect((await api.http.get('/api/users/self/api-tokens').set(account.auth)).body).toEqual([]);
      },
    );
  });

  it('never writes a token, password or link in plain text to the log or an email row', async () => {
    const account = await api.unverified();
    const rows = await api.database.sql<{ facts: unknown }>('select facts from mails where recipient = $1', [
      account.email,
    ]);
    const token = await api.linkToken(account.email, 'verify-email');
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const secret of [token, account.token, account.password]) expect(api.logged()).not.toContain(secret);
    expect(await api.database.sql('select facts from mails where recipient = $1', [account.email])).toEqual([
      { facts: {} },
    ]);
  });
});
