import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '@moorage/domain';
import { neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
beforeAll(async () => {
  api = await apiHarness();
});
afterAll(() => api.close());

const SELF = '/api/users/self';
const outcome = ({ status, body }: { status: number; body: unknown }) => [status, (body as { code?: string }).code];
const fields = ({ body }: { body: unknown }) =>
  (body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => [path, code]);
const me = async (account: TestAccount) =>
  (await api.http.get('/api/auth/me').set(account.auth)).body as { username: string; email: string };
const another = async (account: TestAccount, userAgent?: string): Promise<TestAccount> => {
  const request = api.http.post('/api/auth/login');
  if (userAgent !== undefined) void request.set('user-agent', userAgent);
  const answer = await request.send({ username: account.email, password: account.password });
  const token = (answer.body as { access_token: string }).access_token;
  return { ...account, token, auth: { authorization: `Bearer ${token}` } };
};

describe('username', () => {
  const change = (account: TestAccount, username: unknown) =>
    api.http.put(`${SELF}/username`).set(account.auth).send({ username });

  it('changes the username and frees the old one for others', async () => {
    const account = await api.user();
    expect((await change(account, 'New Name')).body).toMatchObject({ id: account.id, username: 'New Name' });
    const other = await api.user();
    expect((await change(other, account.username)).status).toBe(200);
    expect(outcome(await change(other, 'new name'))).toEqual([409, 'ACCOUNT_EXISTS']);
    // The account's own name in different case.
    expect((await change(account, 'NEW NAME')).status).toBe(200);
  });

  it.each(['', 'deactivated_1_x', 'a@b', 'x'.repeat(41), null, 5])(
    'rejects the username %j with a message',
    async (username) => {
      const account = await api.user();
      const answer = await change(account, username);
      expect([outcome(answer), fields(answer)[0]?.[0]]).toEqual([[422, 'FIELDS_INVALID'], 'username']);
      expect(await me(account)).toMatchObject({ username: account.username });
    },
  );

  it('lets only verified users change their username', async () => {
    expect(outcome(await change(await api.unverified(), 'any'))).toEqual([403, 'EMAIL_NOT_VERIFIED']);
  });
});

describe('email address', () => {
  const changeEmail = (account: TestAccount, email: unknown) =>
    api.http.post(`${SELF}/email-change`).set(account.auth).send({ email });
  const open = (token: string) => api.http.get('/api/auth/verify-email').query({ token });
  let counter = 0;
  const fresh = () => `fresh-${++counter}@example.net`;

  it('keeps the old address until the link to the new one is opened, then notifies the old one', async () => {
    const account = await api.user();
    const email = fresh();
    expect((await changeEmail(account, email)).body).toMatchObject({ email: account.email, pending_email: email });
    const token = await api.linkToken(email, 'verify-email');
    expect(await me(account)).toMatchObject({ email: account.email, is_verified: true });
    expect((await open(token)).body).toMatchObject({ code: 'access.email_changed' });
    expect(await me(account)).toMatchObject({ email, pending_email: null, is_verified: true });
    await api.run();
    expect(await api.mailsTo(account.email)).toContainEqual(
      expect.objectContaining({
        subject: 'Your Moorage email address was changed',
        text: expect.stringContaining(`Your email address is now ${email}`),
      }),
    );
    expect((await api.http.post('/api/auth/login').send({ username: email, password: account.password })).status).toBe(
      200,
    );
    expect(
      outcome(await api.http.post('/api/auth/login').send({ username: account.email, password: account.password })),
    ).toEqual([401, 'CREDENTIALS_WRONG']);
  });

  it('accepts the link once, and not after the change was cancelled, replaced or has expired', async () => {
    const account = await api.user();
    const [first, second, third] = [fresh(), fresh(), fresh()];
    await changeEmail(account, first);
    const firstLink = await api.linkToken(first, 'verify-email');
    await changeEmail(account, second);
    const secondLink = await api.linkToken(second, 'verify-email');
    expect(outcome(await open(firstLink))).toEqual([422, 'TOKEN_INVALID']);
    expect((await api.http.delete(`${SELF}/email-change`).set(account.auth)).body).toMatchObject({
      pending_email: null,
    });
    expect(outcome(await open(secondLink))).toEqual([422, 'TOKEN_INVALID']);
    expect(outcome(await api.http.delete(`${SELF}/email-change`).set(account.auth))).toEqual([409, 'ACCOUNT_STATE']);
    await changeEmail(account, third);
    const thirdLink = await api.linkToken(third, 'verify-email');
    api.pass(DAY_MS + MINUTE_MS);
    expect(outcome(await open(thirdLink))).toEqual([422, 'TOKEN_INVALID']);
    expect(await me(account)).toMatchObject({ email: account.email });
    await changeEmail(account, third);
    const last = await api.linkToken(third, 'verify-email');
    const both = await Promise.all([open(last), open(last)]);
    // A double click is not an error of the user and changes nothing a second time.
    expect(both.map(({ body }) => (body as { code: string }).code)).toEqual([
      'access.email_changed',
      'access.email_changed',
    ]);
    await api.run();
    const mails = await api.mailsTo(account.email);
    expect(mails.filter(({ subject }) => subject === 'Your Moorage email address was changed')).toHaveLength(1);
    api.pass(11 * MINUTE_MS);
    expect(outcome(await open(last))).toEqual([422, 'TOKEN_INVALID']);
  });

  it.each([
    [
      'chosen on the account page',
      (account: TestAccount) =>
        api.http
          .put(`${SELF}/password`)
          .set(account.auth)
          .send({ current_password: account.password, new_password: 'another-1' }),
    ],
    [
      'from a link in a mail',
      async (account: TestAccount) => {
        await api.http.post('/api/auth/forgot-password').send({ email: account.email });
        const token = await api.linkToken(account.email, 'reset-password');
        return api.http.post('/api/auth/reset-password').send({ token, new_password: 'another-1' });
      },
    ],
  ])('cancels a pending change of address when a new password is %s', async (_, renew) => {
    const account = await api.user();
    const email = fresh();
    await changeEmail(account, email);
    const link = await api.linkToken(email, 'verify-email');
    expect((await renew(account)).status).toBe(200);
    expect(outcome(await open(link))).toEqual([422, 'TOKEN_INVALID']);
    expect(await api.database.sql('select email, pending_email from users where id = $1', [account.id])).toEqual([
      { email: account.email, pending_email: null },
    ]);
  });

  it('invalidates a password reset link that was sent to the old address', async () => {
    const account = await api.user();
    const email = fresh();
    await api.http.post('/api/auth/forgot-password').send({ email: account.email });
    const reset = await api.linkToken(account.email, 'reset-password');
    await changeEmail(account, email);
    await open(await api.linkToken(email, 'verify-email'));
    const answer = await api.http.post('/api/auth/reset-password').send({ token: reset, new_password: 'another-1' });
    expect(outcome(answer)).toEqual([422, 'TOKEN_INVALID']);
  });

  it('rejects an address that is malformed, unchanged or used by another account, next to its field', async () => {
    const [account, other] = [await api.user(), await api.user()];
    expect(fields(await changeEmail(account, 'no address'))).toEqual([['email', 'account.email_malformed']]);
    expect(fields(await changeEmail(account, account.email.toUpperCase()))).toEqual([
      ['email', 'own_account.email_same'],
    ]);
    expect(outcome(await changeEmail(account, other.email))).toEqual([409, 'ACCOUNT_EXISTS']);
    expect(
      await api.database.sql('select 1 from user_tokens where user_id = $1 and purpose = $2', [
        account.id,
        'change_email',
      ]),
    ).toEqual([]);
  });

  it('rejects the link when another account has registered the address in the meantime', async () => {
    const account = await api.user();
    const email = `taken-${++counter}@example.com`;
    await changeEmail(account, email);
    const token = await api.linkToken(email, 'verify-email');
    await api.unverified(email.replace('@example.com', ''));
    expect(outcome(await open(token))).toEqual([409, 'ACCOUNT_EXISTS']);
    expect(await me(account)).toMatchObject({ email: account.email });
  });
});

describe('password', () => {
  const change = (account: TestAccount, current_password: unknown, new_password: unknown) =>
    api.http.put(`${SELF}/password`).set(account.auth).send({ current_password, new_password });

  it('changes the password, ends every other session and token, and sends an email', async () => {
    const account = await api.user();
    const elsewhere = await another(account);
    const counter = await api.http.post(`${SELF}/api-tokens`).set(account.auth).send({ label: 'x' });
    const { token } = counter.body as { token: string };
    expect((await change(account, account.password, 'another-1')).body).toMatchObject({
      message: 'Your password was changed. You were logged out everywhere else.',
    });
    expect((await api.http.get('/api/auth/me').set(account.auth)).status).toBe(200);
    expect((await api.http.get('/api/auth/me').set(elsewhere.auth)).status).toBe(401);
    expect((await api.http.get('/api/auth/me').set('authorization', `Bearer ${token}`)).status).toBe(401);
    const login = (password: string) => api.http.post('/api/auth/login').send({ username: account.email, password });
    expect([(await login(account.password)).status, (await login('another-1')).status]).toEqual([401, 200]);
    await api.run();
    expect((await api.mailsTo(account.email)).map(({ subject }) => subject)).toContain(
      'Your Moorage password was changed',
    );
  });

  it('rejects an invalid password next to its field', async () => {
    const account = await api.user();
    expect(fields(await change(account, 'not it', 'another-1'))).toEqual([
      ['current_password', 'own_account.password_wrong'],
    ]);
    expect(fields(await change(account, account.password, 'short'))).toEqual([
      ['new_password', 'account.password_short'],
    ]);
    expect(fields(await change(account, '', 'another-1'))).toEqual([['current_password', 'account.password_missing']]);
    expect((await another(account)).token).toEqual(expect.any(String));
  });

  it('leaves one of the two passwords after two concurrent changes', async () => {
    const account = await api.user();
    const elsewhere = await another(account);
    const wanted = ['first-one', 'second-one'];
    const answers = await Promise.all([
      change(account, account.password, 'first-one'),
      change(elsewhere, account.password, 'second-one'),
    ]);
    // The later request is refused because its session has ended, or because of its old password if it was admitted
    // before.
    const [changed, refused] = answers.map(({ status }) => status).sort();
    expect(changed).toBe(200);
    expect([401, 422]).toContain(refused);
    const logins = await Promise.all(
      wanted.map((password) => api.http.post('/api/auth/login').send({ username: account.email, password })),
    );
    expect(logins.map(({ status }) => status)).toEqual(answers.map(({ status }) => (status === 200 ? 200 : 401)));
  });
});

describe('sessions', () => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  interface Listed {
    id: number;
    is_current: boolean;
    browser: string | null;
    system: string | null;
  }
  const list = async (account: TestAccount) =>
    (await api.http.get(`${SELF}/sessions`).set(account.auth)).body as Listed[];

  it('lists sessions with their device and ends one of them or all others', async () => {
    const account = await api.user();
    const firefox = await another(account, FIREFOX);
    await another(account, `x${'y'.repeat(2000)}`);
    const sessions = await list(account);
    expect(sessions.filter(({ browser, system }) => browser === null && system === null)).toHaveLength(2);
    expect(sessions).toHaveLength(3);
    expect(sessions.filter(({ is_current }) => is_current)).toHaveLength(1);
    const found = sessions.find(({ browser }) => browser === 'Firefox');
    expect(found).toMatchObject({ system: 'Linux', ip_address: '127.0.0.1', is_current: false });
    expect(JSON.stringify(sessions)).not.toContain(
      (JSON.parse(Buffer.from(firefox.token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid,
    );
    const end = (id: number, by = account) => api.http.delete(`${SELF}/sessions/${id}`).set(by.auth);
    expect((await end(found?.id ?? 0)).status).toBe(200);
    expect((await api.http.get('/api/auth/me').set(firefox.auth)).status).toBe(401);
    expect(outcome(await end(found?.id ?? 0))).toEqual([404, 'NOT_FOUND']);
    const own = sessions.find(({ is_current }) => is_current)?.id ?? 0;
    expect(outcome(await end(own))).toEqual([409, 'ACCOUNT_STATE']);
    expect(outcome(await end(own, await api.user()))).toEqual([404, 'NOT_FOUND']);
    expect((await api.http.delete(`${SELF}/sessions`).set(account.auth)).status).toBe(200);
    expect((await list(account)).map(({ is_current }) => is_current)).toEqual([true]);
  });

  it('stores logins with their origin and shows them to the account owner only', async () => {
    const account = await api.user();
    await another(account, FIREFOX);
    await api.http.post('/api/auth/login').send({ username: account.email, password: 'wrong-password' });
    const { body } = await api.http.get(`${SELF}/sign-ins`).set(account.auth);
    expect(body).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(String),
        kind: 'password',
        ip_address: '127.0.0.1',
        browser: 'Firefox',
        system: 'Linux',
      },
      expect.objectContaining({ kind: 'password', browser: null }),
    ]);
  });
});

describe('personal API tokens', () => {
  const make = async (account: TestAccount, more: object) => {
    const answer = await api.http
      .post(`${SELF}/api-tokens`)
      .set(account.auth)
      .send({ label: 'script', ...more });
    const { token, ...rest } = answer.body as { token: string; expires_at: string | null };
    return { status: answer.status, ...rest, auth: { authorization: `Bearer ${token}` } };
  };

  it('allows a read-only token to read only', async () => {
    const account = await api.user();
    const token = await make(account, { scope: 'read' });
    expect((await api.http.get('/api/deployments').set(token.auth)).status).toBe(200);
    const refused = await api.http.post('/api/deployments').set(token.auth).send({});
    expect([outcome(refused), refused.body]).toEqual([
      [403, 'FORBIDDEN'],
      expect.objectContaining({ detail: 'This token is read-only.' }),
    ]);
    const support = { name: 'J', email: 'j@example.com', subject: 'S', message: 'M' };
    expect(outcome(await api.http.post('/api/support/contact').set(token.auth).send(support))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    // It would create a key pair.
    expect(outcome(await api.http.get('/api/servers/periphery-script').set(token.auth))).toEqual([403, 'FORBIDDEN']);
  });

  it('expires a token on time and shows when it was last used', async () => {
    const account = await api.user();
    const token = await make(account, { expires_in_days: 7 });
    expect(Date.parse(token.expires_at ?? '') - api.deps.clock.localNow()).toBeGreaterThan(6 * DAY_MS);
    const list = async () =>
      (await api.http.get(`${SELF}/api-tokens`).set((await another(account)).auth)).body as {
        last_used_at: string | null;
      }[];
    expect((await list())[0]?.last_used_at).toBeNull();
    await api.http.get('/api/auth/me').set(token.auth);
    expect((await list())[0]?.last_used_at).toEqual(expect.any(String));
    await api.run();
    api.pass(7 * DAY_MS);
    expect(outcome(await api.http.get('/api/auth/me').set(token.auth))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await list()).toEqual([]);
  });

  it('notifies the owner of a new token by email, without its value', async () => {
    const account = await api.user();
    const token = await make(account, { scope: 'read', label: 'backups' });
    await api.run();
    const mail = (await api.mailsTo(account.email)).find(({ text }) => text.includes('API token'));
    expect(mail?.text).toContain('The API token "backups" was created. It can read. It expires on\n');
    expect(mail?.text).not.toContain(token.auth.authorization.slice(7));
  });

  it.each([{ scope: 'all' }, { expires_in_days: 8 }, { expires_in_days: -1 }, { label: '' }, { label: 'a\nb' }])(
    'rejects a token with %j',
    async (more) => {
      expect((await make(await api.user(), more)).status).toBe(422);
    },
  );

  it('does not let a token read the emails, sessions or login history of the account', async () => {
    const token = await make(await api.user(), {});
    for (const path of ['/api/mailbox', `${SELF}/sessions`, `${SELF}/sign-ins`, `${SELF}/two-factor`])
      expect(outcome(await api.http.get(path).set(token.auth))).toEqual([403, 'FORBIDDEN']);
  });
});

describe('email preferences', () => {
  const set = (account: TestAccount, kind: string, is_on: boolean) =>
    api.http.put(`${SELF}/notifications`).set(account.auth).send({ kind, is_on });

  it('turns a type of email off and on, but never security and billing emails', async () => {
    const account = await api.unverified();
    const off = (await set(account, 'getting_started', false)).body as { kind: string; is_on: boolean }[];
    expect(off.filter(({ is_on }) => !is_on).map(({ kind }) => kind)).toEqual(['getting_started']);
    expect((await set(account, 'getting_started', false)).body).toEqual(off);
    const fixed = await set(account, 'money', false);
    expect([outcome(fixed), fields(fixed)]).toEqual([
      [422, 'FIELDS_INVALID'],
      [['is_on', 'own_account.mail_kind_fixed']],
    ]);
    expect((await set(account, 'nonsense', false)).status).toBe(422);
    await api.http.get('/api/auth/verify-email').query({ token: await api.linkToken(account.email, 'verify-email') });
    await api.run();
    expect((await api.mailsTo(account.email)).map(({ subject }) => subject)).not.toContain('Welcome to Moorage');
    const on = (await set(account, 'getting_started', true)).body as { is_on: boolean }[];
    expect(on.every(({ is_on }) => is_on)).toBe(true);
  });
});

describe('account deletion by its user', () => {
  const check = async (account: TestAccount) =>
    (await api.http.get(`${SELF}/deletion-check`).set(account.auth)).body as object;
  const leave = (account: TestAccount) => api.http.delete(SELF).set(account.auth);

  it('is rejected while deployments are active, with their number', async () => {
    const account = await api.user();
    await api.pay(account, 2000);
    const deployment = await ordered(api, account);
    expect(await check(account)).toMatchObject({ can_delete: false, active_deployment_count: 1, balance: 20 });
    const refused = await leave(account);
    expect([outcome(refused), refused.body]).toEqual([
      [409, 'ACCOUNT_STATE'],
      expect.objectContaining({
        detail: 'Cannot delete account: You have 1 active deployment(s). Please deactivate all deployments first.',
      }),
    ]);
    await (await neighbours(api)).moveTo(deployment.id, 'FAILED');
    expect(await check(account)).toMatchObject({ can_delete: true, active_deployment_count: 0, refusal: null });
  });

  it('deactivates the account, ends sessions, tokens and links, and retains the ledger', async () => {
    const account = await api.user();
    await api.pay(account, 500);
    const elsewhere = await another(account);
    const { token } = (await api.http.post(`${SELF}/api-tokens`).set(account.auth).send({ label: 'x' })).body as {
      token: string;
    };
    await api.http.post('/api/auth/forgot-password').send({ email: account.email });
    const reset = await api.linkToken(account.email, 'reset-password');
    expect((await leave(account)).body).toMatchObject({
      message: 'Your account has been deactivated. You will now be logged out.',
    });
    for (const auth of [account.auth, elsewhere.auth, { authorization: `Bearer ${token}` }])
      expect((await api.http.get('/api/auth/me').set(auth)).status).toBe(401);
    expect(
      outcome(await api.http.post('/api/auth/login').send({ username: account.email, password: account.password })),
    ).toEqual([403, 'ACCOUNT_DEACTIVATED']);
    expect(
      outcome(await api.http.post('/api/auth/reset-password').send({ token: reset, new_password: 'another-1' })),
    ).toEqual([422, 'TOKEN_INVALID']);
    const [row] = await api.database.sql('select username, deactivated_at, erased_at from users where id = $1', [
      account.id,
    ]);
    expect(row).toEqual({
      username: `deactivated_${account.id}_${account.username}`,
      deactivated_at: expect.any(Number),
      erased_at: null,
    });
    expect(await api.database.sql('select regular_micros from wallets where user_id = $1', [account.id])).toEqual([
      { regular_micros: '5000000' },
    ]);
    expect(
      await api.database.sql(
        `select actor_user_id, action from audit_records where subject = $1 and action = 'account.deactivated'`,
        [`user:${account.id}`],
      ),
    ).toEqual([{ actor_user_id: account.id, action: 'account.deactivated' }]);
    await api.run();
    expect((await api.mailsTo(account.email)).map(({ subject }) => subject)).toContain(
      'Your Moorage account was deactivated',
    );
  });

  it('is allowed for unverified users and rejected for administrators', async () => {
    expect((await leave(await api.unverified())).status).toBe(200);
    const admin = await api.admin();
    expect(await check(admin)).toMatchObject({ can_delete: false });
    expect(outcome(await leave(admin))).toEqual([409, 'ACCOUNT_STATE']);
  });

  it('either is rejected or rejects an order that is placed at the same time', async () => {
    for (let round = 0; round < 4; round++) {
      const account = await api.user();
      await api.pay(account, 2000);
      const [order, left] = await Promise.all([
        ordered(api, account).then(
          () => true,
          () => false,
        ),
        leave(account),
      ]);
      expect([order, left.status]).toEqual(order ? [true, 409] : [false, 200]);
    }
  });
});
