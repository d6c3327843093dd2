import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_CALLS, type Impersonation } from '@moorage/contracts';
import { MINUTE_MS } from '@moorage/domain';
import { Secret, TOTP } from 'otpauth';
import { neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { LIMITS } from '../http/limits';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
beforeAll(async () => {
  api = await apiHarness();
});
afterAll(() => api.close());

type Auth = TestAccount['auth'];
const outcome = ({ status, body }: { status: number; body: unknown }) => {
  const { code, message_code } = body as { code?: string; message_code?: string };
  return [status, code, message_code];
};
const request = (administrator: { auth: Auth }, id: number, reason: unknown = 'ticket 12: what do they see?') =>
  api.http.post(`/api/users/${id}/impersonation`).set(administrator.auth).send({ reason });
const end = (administrator: { auth: Auth }, id: number) =>
  api.http.delete(`/api/users/${id}/impersonation`).set(administrator.auth);
const get = (who: { auth: Auth }, path: string) => api.http.get(`/api${path}`).set(who.auth);
const change = (id: number, columns: string) => api.database.sql(`update users set ${columns} where id = $1`, [id]);
const recorded = (id: number) =>
  api.database.sql('select actor_user_id, action, facts from audit_records where subject = $1 order by id', [
    `user:${id}`,
  ]);
async function loggedIn(account: TestAccount): Promise<TestAccount> {
  const answer = await api.http.post('/api/auth/login').send({ username: account.email, password: account.password });
  const { access_token: token } = answer.body as { access_token: string };
  return { ...account, token, auth: { authorization: `Bearer ${token}` } };
}

/** Starts an impersonation session of an administrator. `on` is another api with a clock or settings of its own. */
async function impersonating(on = api): Promise<{ admin: TestAccount; user: TestAccount; auth: Auth }> {
  const [admin, user] = [await api.admin(), await api.user()];
  const answer = await on.http.post(`/api/users/${user.id}/impersonation`).set(admin.auth).send({ reason: 'to help' });
  expect(answer.status).toBe(201);
  return { admin, user, auth: { authorization: `Bearer ${(answer.body as Impersonation).access_token}` } };
}

describe('starting impersonation', () => {
  it.each([undefined, null, '', '   ', 7])('is rejected next to the field with the reason %j', async (reason) => {
    const [admin, user] = [await api.admin(), await api.user()];
    const answer = await api.http.post(`/api/users/${user.id}/impersonation`).set(admin.auth).send({ reason });
    expect(outcome(answer).slice(0, 2)).toEqual([422, 'FIELDS_INVALID']);
    expect((answer.body as { errors: unknown[] }).errors).toEqual([
      expect.objectContaining({ path: 'reason', code: 'users.view_reason_missing' }),
    ]);
    expect(await recorded(user.id)).toEqual([]);
  });

  it('is rejected for oneself, another administrator, a deactivated account and an unknown account', async () => {
    const admin = await api.admin();
    const erased = await api.deactivated();
    await change(erased.id, 'erased_at = now()');
    expect(outcome(await request(admin, admin.id))).toEqual([409, 'ACCOUNT_STATE', 'users.view_self']);
    expect(outcome(await request(admin, (await api.admin()).id))).toEqual([
      409,
      'ACCOUNT_STATE',
      'users.view_administrator',
    ]);
    expect(outcome(await request(admin, (await api.deactivated()).id))).toEqual([
      409,
      'ACCOUNT_STATE',
      'users.view_deactivated',
    ]);
    for (const id of [erased.id, 999_999]) {
      expect(outcome(await request(admin, id))).toEqual([404, 'NOT_FOUND', 'access.account_unknown']);
      expect(outcome(await end(admin, id))).toEqual([404, 'NOT_FOUND', 'access.account_unknown']);
    }
  });

  it('waits for a concurrent change of the account and decides by its outcome', async () => {
    const [admin, user] = [await api.admin(), await api.user()];
    const other = await api.database.open({ service: 'api' });
    let answer: Promise<{ status: number; body: unknown }> | undefined;
    await other.tx('test.promote', async (tx) => {
      await tx.execute('update users set is_admin = true where id = $1', [user.id]);
      // Sent now, answered after the commit.
      answer = request(admin, user.id).then((response) => response);
      await waited();
    });
    expect(answer && outcome(await answer)).toEqual([409, 'ACCOUNT_STATE', 'users.view_administrator']);
  });

  it('requires an administrator session', async () => {
    const [admin, user] = [await api.admin(), await api.user()];
    expect(outcome(await request(await api.user(), user.id))).toEqual([403, 'FORBIDDEN', 'access.admin_only']);
    const created = await api.http.post('/api/users/self/api-tokens').set(admin.auth).send({ label: 'x' });
    const { token } = created.body as { token: string };
    expect(outcome(await request({ auth: { authorization: `Bearer ${token}` } }, user.id))).toEqual([
      403,
      'FORBIDDEN',
      'access.token_weak',
    ]);
    expect(await recorded(user.id)).toEqual([]);
  });

  it('returns the user and the end time, and is audited with its reason', async () => {
    const [admin, user] = [await api.admin(), await api.user()];
    const { status, body } = await request(admin, user.id, '  ticket 12  ');
    const expires_at = (body as Impersonation).expires_at;
    expect([status, body]).toEqual([
      201,
      {
        access_token: expect.any(String),
        token_type: 'bearer',
        expires_at,
        user: (await get(user, '/auth/me')).body as unknown,
      },
    ]);
    expect(Math.abs(Date.parse(expires_at) - api.deps.clock.localNow() - 30 * MINUTE_MS)).toBeLessThan(MINUTE_MS);
    expect(await recorded(user.id)).toEqual([
      { actor_user_id: admin.id, action: 'account.viewed', facts: { reason: 'ticket 12', expires_at } },
    ]);
  });
});

describe('impersonation', () => {
  it('shows the administrator what the user sees', async () => {
    const { user, auth } = await impersonating();
    await api.pay(user, 1234);
    const { id } = await ordered(api, user);
    for (const path of [
      '/auth/me',
      '/deployments',
      '/deployments/counts',
      `/deployments/${id}`,
      `/deployments/${id}/steps`,
      '/billing/balance',
      '/billing/transactions',
      '/referrals/my-link',
      `/users/${user.id}/balance`,
    ]) {
      const [own, seen] = [await get(user, path), await get({ auth }, path)];
      expect([path, seen.status, seen.body]).toEqual([path, 200, own.body]);
    }
  });

  it('changes and creates nothing, and has no administrator rights', async () => {
    const { user, auth } = await impersonating();
    const { id } = await ordered(api, await paid(user));
    const reads = [403, 'FORBIDDEN', 'users.view_reads'];
    const { http } = api;
    expect(outcome(await http.delete(`/api/deployments/${id}`).set(auth))).toEqual(reads);
    expect(outcome(await http.post('/api/users/self/api-tokens').set(auth).send({ label: 'x' }))).toEqual(reads);
    expect(outcome(await http.put('/api/users/self/language').set(auth).send({ language: 'de' }))).toEqual(reads);
    expect(outcome(await http.post('/api/auth/logout').set(auth))).toEqual(reads);
    // A GET that creates a key, and a public call that identifies its caller.
    expect(outcome(await http.get('/api/servers/periphery-script').set(auth))).toEqual(reads);
    const message = { name: 'Jane', email: 'jane@example.com', subject: 'A question', message: 'How?' };
    expect(outcome(await http.post('/api/support/contact').set(auth).send(message))).toEqual(reads);
    expect(outcome(await http.get('/api/users').set(auth))).toEqual([403, 'FORBIDDEN', 'access.admin_only']);
    expect(outcome(await request({ auth }, (await api.user()).id))).toEqual(reads);
    expect((await get(user, `/deployments/${id}`)).body).toMatchObject({ status: 'CREATING' });
    expect((await get(user, '/users/self/api-tokens')).body).toEqual([]);
  });

  it('hides the deployments of other accounts', async () => {
    const { auth } = await impersonating();
    const { id } = await ordered(api, await paid(await api.user()));
    expect(outcome(await get({ auth }, `/deployments/${id}`)).slice(0, 2)).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    '/users/self/api-tokens',
    '/users/self/sessions',
    '/users/self/sign-ins',
    '/users/self/two-factor',
    '/users/self/exports',
    '/mailbox',
    '/mailbox/1',
  ])('hides %s', async (path) => {
    const { auth } = await impersonating();
    expect(outcome(await get({ auth }, path))).toEqual([403, 'FORBIDDEN', 'users.view_private']);
  });

  it('never returns a secret, token, session or code of the account', async () => {
    const { admin, user, auth } = await impersonating();
    const { id, secrets } = await furnished(user);
    const vid = (
      JSON.parse(Buffer.from(auth.authorization.split('.')[1] ?? '', 'base64url').toString()) as { vid: string }
    ).vid;
    const sessions = await api.database.sql<{ id: string }>('select id from sessions where user_id = any ($1)', [
      [user.id, admin.id],
    ]);
    const hidden = [...secrets, vid, auth.authorization, admin.token, ...sessions.map((session) => session.id)];
    const reached: string[] = [];
    for (const call of ALL_CALLS.filter(({ method, path }) => method === 'GET' && path !== '/live')) {
      const path = call.path
        .replace('/users/{id}', `/users/${user.id}`)
        .replace('/user/{id}', `/user/${user.id}`)
        .replace('{id}', String(id))
        .replace('{provider}', 'hetzner')
        .replace('{region}', 'fsn1')
        .replace('{name}', 'pangolin')
        .replace('{code}', 'NOBODY')
        .replace('{session_id}', 'cs_test_0000000000000000000');
      const { status, text, body } = await get({ auth }, path);
      if (status === 200) reached.push(call.path);
      // A document is a file, not a text.
      const content = Buffer.isBuffer(body) ? body.toString('latin1') : text;
      expect([call.path, hidden.filter((value) => content.includes(value))]).toEqual([call.path, []]);
    }
    // Proves that the requests reached the calls.
    expect(reached).toEqual(expect.arrayContaining(['/deployments/{id}', '/deployments/{id}/steps', '/users/me']));
    // Proves that the secrets can be found, by the owner.
    const own = await api.http
      .post(`/api/deployments/${id}/reveal-secrets`)
      .set(user.auth)
      .then(({ text }) => text);
    expect(hidden.filter((value) => own.includes(value))).toEqual(['Correct-horse-7', 'Made-for-Jane-1']);
  });

  it('counts towards the rate limits of the administrator, not of the user', async () => {
    const other = await apiHarness({
      beside: api,
      settings: {
        limits: {
          ...LIMITS,
          general_account: { ...LIMITS.general_account, batch: 1, windows: [{ points: 6, per_s: 60 }] },
        },
      },
    });
    try {
      const { admin, user, auth } = await impersonating(other);
      const balance = (who: { auth: Auth }) => other.http.get('/api/billing/balance').set(who.auth);
      const answers: number[] = [];
      for (let n = 0; n < 6; n++) answers.push((await balance({ auth })).status);
      expect([answers.at(0), answers.at(-1)]).toEqual([200, 429]);
      expect((await balance(admin)).status).toBe(429);
      expect((await balance(user)).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it('does not appear in the sessions and login history of the user', async () => {
    const [admin, user] = [await api.admin(), await api.user()];
    const shown = async () => [
      (await get(user, '/users/self/sessions')).body as unknown[],
      (await get(user, '/users/self/sign-ins')).body as unknown[],
    ];
    const before = await shown();
    const { access_token } = (await request(admin, user.id)).body as Impersonation;
    expect((await get({ auth: { authorization: `Bearer ${access_token}` } }, '/auth/me')).status).toBe(200);
    expect(await shown()).toEqual(before);
    expect(before.map((rows) => rows.length)).toEqual([1, 1]);
  });
});

describe('end of impersonation', () => {
  const seen = async (auth: Auth) => (await get({ auth }, '/billing/balance')).status;

  it('is reached after 30 minutes', async () => {
    const other = await apiHarness({ beside: api });
    try {
      const { auth } = await impersonating(other);
      const balance = () => other.http.get('/api/billing/balance').set(auth);
      other.pass(29 * MINUTE_MS);
      expect((await balance()).status).toBe(200);
      other.pass(MINUTE_MS);
      expect(outcome(await balance()).slice(0, 2)).toEqual([401, 'UNAUTHENTICATED']);
    } finally {
      await other.close();
    }
  });

  it('is triggered by the administrator, even twice, with one record', async () => {
    const { admin, user, auth } = await impersonating();
    expect(await seen(auth)).toBe(200);
    for (let n = 0; n < 2; n++) {
      const answer = await end(admin, user.id);
      expect([answer.status, answer.body]).toEqual([
        200,
        expect.objectContaining({ code: 'users.view_ended', facts: { name: user.username } }),
      ]);
    }
    expect(await seen(auth)).toBe(401);
    expect(await recorded(user.id)).toEqual([
      expect.objectContaining({ action: 'account.viewed' }),
      { actor_user_id: admin.id, action: 'account.view_ended', facts: {} },
    ]);
  });

  it('cannot be triggered by another administrator, from another session or for another account', async () => {
    const { admin, user, auth } = await impersonating();
    await end(await api.admin(), user.id);
    await end(await loggedIn(admin), user.id);
    const other = await api.user();
    await end(admin, other.id);
    expect(await seen(auth)).toBe(200);
    expect(await recorded(other.id)).toEqual([]);
  });

  it('follows the end of the session that started it, and of no other', async () => {
    const { admin, user, auth } = await impersonating();
    const elsewhere = await loggedIn(admin);
    await api.http.post('/api/auth/logout').set(elsewhere.auth);
    expect(await seen(auth)).toBe(200);
    await api.http.post('/api/auth/logout').set(admin.auth);
    expect(await seen(auth)).toBe(401);
    expect((await get(user, '/billing/balance')).status).toBe(200);
  });

  it.each([
    ['has expired', 'expires_at'],
    ['was not used for too long', 'last_used_at'],
  ])('is reached when the session that started it %s', async (_, column) => {
    const { admin, auth } = await impersonating();
    await api.database.sql(`update sessions set ${column} = now() - interval '15 days' where user_id = $1`, [admin.id]);
    expect(await seen(auth)).toBe(401);
  });

  it.each([
    ['the administrator lost the role', 'admin', 'is_admin = false'],
    ['the administrator is deactivated', 'admin', 'deactivated_at = now()'],
    ['the account becomes an administrator', 'user', 'is_admin = true'],
    ['the account is deactivated', 'user', 'deactivated_at = now()'],
    ['the account is erased', 'user', 'erased_at = now()'],
  ] as const)('is reached when %s', async (_, whose, columns) => {
    const impersonation = await impersonating();
    expect(await seen(impersonation.auth)).toBe(200);
    await change(impersonation[whose].id, columns);
    expect(await seen(impersonation.auth)).toBe(401);
  });

  it('is reached without a second factor in its session where administrators need one', async () => {
    const strict = await apiHarness({ beside: api, settings: { adminsNeedTwoFactor: true } });
    try {
      const [admin, user] = [await api.admin(), await api.user()];
      await change(admin.id, 'two_factor_at = now()');
      await api.database.sql('update sessions set second_factor_at = now() where user_id = $1', [admin.id]);
      const answer = await strict.http
        .post(`/api/users/${user.id}/impersonation`)
        .set(admin.auth)
        .send({ reason: 'x' });
      const auth = { authorization: `Bearer ${(answer.body as Impersonation).access_token}` };
      const balance = async () => (await strict.http.get('/api/billing/balance').set(auth)).status;
      expect(await balance()).toBe(200);
      await api.database.sql('update sessions set second_factor_at = null where user_id = $1', [admin.id]);
      expect(await balance()).toBe(401);
    } finally {
      await strict.close();
    }
  });
});

/** Resolves once a query that locks an account waits for another transaction. */
async function waited(): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const [row] = await api.database.sql<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (row?.count === 1) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('nobody waits');
}

async function paid(account: TestAccount): Promise<TestAccount> {
  await api.pay(account, 2000);
  return account;
}

/** Adds to the account an object of each private kind, with these values. */
async function furnished(account: TestAccount): Promise<{ id: number; secrets: readonly string[] }> {
  const { id } = await ordered(api, await paid(account), { admin_password: 'Correct-horse-7' });
  const { deps, http } = api;
  await deps.db.tx('test.secrets', async (tx) => {
    await deps.secrets.put(tx, `deployment:${id}`, 'DASHBOARD_PASSWORD', 'Made-for-Jane-1');
    await deps.secrets.put(tx, `deployment:${id}`, 'ssh_private_key', 'never shown to anybody');
  });
  const others = await neighbours(api);
  await others.moveTo(id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
  const created = await http.post('/api/users/self/api-tokens').set(account.auth).send({ label: 'x' });
  const { token } = created.body as { token: string };
  const begun = await http.post('/api/users/self/two-factor').set(account.auth).send({ password: account.password });
  const { secret } = begun.body as { secret: string };
  const otp = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: deps.clock.localNow() });
  const confirmed = await http.post('/api/users/self/two-factor/confirm').set(account.auth).send({ otp });
  const { recovery_codes } = confirmed.body as { recovery_codes: string[] };
  expect(recovery_codes).toHaveLength(10);
  await http.post('/api/auth/forgot-password').send({ email: account.email });
  const link = await api.linkToken(account.email, 'reset-password');
  return {
    id,
    secrets: [
      'Correct-horse-7',
      'Made-for-Jane-1',
      'never shown to anybody',
      account.password,
      account.token,
      token,
      secret,
      ...recovery_codes,
      link,
    ],
  };
}
