import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHEAP_GUESSES } from '@moorage/testing';
import { hash } from '@node-rs/argon2';
import { type ApiHarness, apiHarness } from '@moorage/tests/services/api/api-harness';
import { COMMON_PASSWORDS } from './common-passwords';

describe('common password', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await apiHarness();
  });
  afterAll(() => api.close());

  const refusals = ({ status, body }: { status: number; body: unknown }) => [
    status,
    ...((body as { errors?: { path: string; code: string }[] }).errors ?? []).map(({ path, code }) => [path, code]),
  ];
  const common = (path: string) => [422, [path, 'account.password_common']];

  it('is any of the 3000 that attackers try first, in lower case', () => {
    expect(COMMON_PASSWORDS.size).toBe(3_000);
    for (const password of ['123456', 'password', 'qwerty', 'letmein', 'abc123', 'passwort'])
      expect(COMMON_PASSWORDS).toContain(password);
    expect([...COMMON_PASSWORDS].filter((password) => password.length < 6)).toEqual([]);
    expect([...COMMON_PASSWORDS].filter((password) => password !== password.toLowerCase())).toEqual([]);
  });

  it.each([
    ['LetMeIn', 'account.password_common'],
    ['moorage', 'account.password_personal'],
    ['harbour', 'account.password_personal'],
    ['harbour@example.com', 'account.password_personal'],
  ])('is rejected at sign-up: %s', async (password, code) => {
    const account = { username: 'Harbour', email: 'harbour@example.com', password };
    expect(refusals(await api.http.post('/api/users').send(account))).toEqual([422, ['password', code]]);
    expect(await api.database.sql(`select 1 from users where username = 'Harbour'`)).toEqual([]);
  });

  it('is rejected when an administrator creates an account', async () => {
    const created = { username: 'given', email: 'given@example.com', password: '123456' };
    const answer = await api.http
      .post('/api/users/admin-create')
      .set((await api.admin()).auth)
      .send(created);
    expect(refusals(answer)).toEqual(common('password'));
  });

  it('is rejected when a password is changed', async () => {
    const account = await api.user();
    const change = (new_password: string) =>
      api.http
        .put('/api/users/self/password')
        .set(account.auth)
        .send({ current_password: account.password, new_password });
    expect(refusals(await change('dragon'))).toEqual(common('new_password'));
    expect(refusals(await change(account.email))).toEqual([422, ['new_password', 'account.password_personal']]);
    expect((await change('a-harbour-light')).status).toBe(200);
  });

  it('is rejected at a reset, and the link still works for another password', async () => {
    const account = await api.user();
    await api.http.post('/api/auth/forgot-password').send({ email: account.email });
    const token = await api.linkToken(account.email, 'reset-password');
    const reset = (new_password: string) => api.http.post('/api/auth/reset-password').send({ token, new_password });
    expect(refusals(await reset('password'))).toEqual(common('new_password'));
    expect(refusals(await reset(account.username))).toEqual([422, ['new_password', 'account.password_personal']]);
    expect((await reset('a-harbour-light')).status).toBe(200);
  });

  it('is rejected for the first administrator in production, while there is none', async () => {
    const production = await apiHarness({
      settings: { mode: 'production', stripe: { secretKey: 'sk_test_x', webhookSecrets: ['whsec_x'], apiBase: null } },
    });
    const first = (password: string) =>
      production.api.ensureFirstAdmin({ email: 'boss@moorage.localhost', password }).then(
        (created) => created?.email ?? 'there is one',
        (error: unknown) => String(error),
      );
    try {
      expect(await first('123456')).toMatch(/ADMIN_PASSWORD: This password is too common/);
      expect(await first('given-password')).toBe('boss@moorage.localhost');
      expect(await first('123456')).toBe('there is one');
    } finally {
      await production.close();
    }
  });

  it('still logs in when an account already has it', async () => {
    const account = await api.user();
    const stored = await hash('password', CHEAP_GUESSES);
    await api.database.sql('update users set password_hash = $2 where id = $1', [account.id, stored]);
    const answer = await api.http.post('/api/auth/login').send({ username: account.email, password: 'password' });
    expect(answer.status).toBe(200);
  });
});
