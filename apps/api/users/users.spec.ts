import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, instant } from '@moorage/domain';
import { type ApiHarness, apiHarness, elsewhere, type TestAccount } from '@moorage/tests/services/api/api-harness';

describe('signing up', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await apiHarness({ settings: { trustedProxies: ['127.0.0.1'] } });
  });
  afterAll(() => api.close());

  const code = (answer: { status: number; body: unknown }) => [answer.status, (answer.body as { code?: string }).code];
  const signup = (body: object) => api.http.post('/api/users/').set('x-forwarded-for', elsewhere()).send(body);
  const good = (name: string) => ({ username: name, email: `${name}@example.com`, password: 'secret-1' });
  const balance = async (account: TestAccount) =>
    (await api.http.get('/api/billing/balance').set(account.auth)).body as Record<string, number>;

  it('stores the email domain in its DNS form and accepts either form at login', async () => {
    const email = 'user@münchen.de';
    const address = 'user@xn--mnchen-3ya.de';
    expect((await signup({ ...good('munich'), email })).body).toMatchObject({ email: address });
    for (const username of [email, address])
      expect(
        (await api.http.post('/api/auth/login').send({ username, password: good('munich').password })).status,
      ).toBe(200);
    expect((await signup({ ...good('munich-two'), email })).status).toBe(409);
  });

  it.each([
    ['josé', 'JOSÉ'],
    ['zoë', 'zoe\u0308'],
    ['Νίκος', 'ΝΊΚΟΣ'],
    ['Жанна', 'жанна'],
    ['علی\u200cرضا', 'علیرضا'],
  ])('treats %s and %s as one username', async (first, second) => {
    const of = (username: string, email: string) => ({ username, email: `${email}@example.com`, password: 'secret-1' });
    const at = Buffer.from(first).toString('hex');
    expect((await signup(of(first, at))).status).toBe(201);
    expect((await signup(of(second, `${at}-two`))).status).toBe(409);
  });

  it('treats josé and jose as two usernames', async () => {
    expect((await signup(good('andres'))).status).toBe(201);
    expect((await signup({ ...good('andres-two'), username: 'andrés' })).status).toBe(201);
  });

  it('creates account, wallet, email and event in one transaction', async () => {
    const answer = await signup(good('first'));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      username: 'first',
      email: 'first@example.com',
      is_admin: false,
      is_verified: false,
      pending_email: null,
      email_undeliverable: false,
      has_two_factor: false,
      language: 'en',
      balance: 0,
      created_at: expect.any(String),
    });
    const { id } = answer.body as { id: number };
    expect(await api.database.sql('select regular_micros from wallets where user_id = $1', [id])).toEqual([
      { regular_micros: '0' },
    ]);
    expect(await api.database.sql(`select template from mails where recipient = 'first@example.com'`)).toEqual([
      { template: 'verify_email' },
    ]);
    expect(
      await api.database.sql(`select data from outbox where event_name = 'user.registered' and aggregate_id = $1`, [
        String(id),
      ]),
    ).toEqual([{ data: { user_id: id } }]);
    const [row] = await api.database.sql<{ password_hash: string }>('select password_hash from users where id = $1', [
      id,
    ]);
    expect(row?.password_hash).toMatch(/^\$argon2id\$/);
  });

  it.each([
    ['its screen', { language: 'de' }, 'en', 'de', 'Bestätigen Sie Ihre E-Mail-Adresse für Moorage'],
    [
      'its browser, when the screen sets none',
      {},
      'de-AT, en;q=0.5',
      'de',
      'Bestätigen Sie Ihre E-Mail-Adresse für Moorage',
    ],
    ['English, when neither is supported', {}, 'fr', 'en', 'Verify your email address for Moorage'],
  ])('sends emails in the language of %s', async (name, body, accepted, language, subject) => {
    const wanted = { ...good(`speaks-${name.length}`), ...body };
    const answer = await api.http.post('/api/users').set('accept-language', accepted).send(wanted);
    expect(answer.body).toMatchObject({ language });
    await api.run();
    expect((await api.mailsTo(wanted.email)).map((mail) => mail.subject)).toEqual([subject]);
  });

  it('allows changing the language and rejects an unsupported one', async () => {
    const account = await api.user();
    const set = (language: string) => api.http.put('/api/users/self/language').set(account.auth).send({ language });
    expect((await set('fr')).status).toBe(422);
    expect((await set('de')).body).toMatchObject({ id: account.id, language: 'de' });
    await api.http.post('/api/auth/forgot-password').send({ email: account.email });
    await api.run();
    expect((await api.mailsTo(account.email))[0]?.text).toContain(`Guten Tag ${account.username},`);
  });

  it('returns the same response while no email can be sent', async () => {
    const mail = { from: 'a@moorage.test', url: 'smtp://127.0.0.1:1', folder: '/nonexistent' };
    const other = await apiHarness({ settings: { mail } });
    try {
      const answer = await other.http.post('/api/users').send(good('offline'));
      expect(answer.status).toBe(201);
      await other.run().catch(() => undefined);
      expect(await other.database.sql('select sent_at from mails')).toEqual([{ sent_at: null }]);
      expect(await other.database.sql(`select attempts from work where kind = 'send-mail'`)).toEqual([{ attempts: 1 }]);
    } finally {
      await other.close();
    }
  });

  it('drops fields that the caller may not set', async () => {
    const answer = await signup({
      ...good('sneaky'),
      id: 1,
      is_admin: true,
      is_verified: true,
      balance: 1000,
      regular_micros: '1000',
      password_hash: 'x',
      referral_code_own: 'MINE',
      referred_by_user_id: 1,
      deactivated_at: '2026-01-01',
      created_at: '2020-01-01',
      version: 99,
      signup_ip: '1.1.1.1',
    });
    expect(answer.body).toMatchObject({ is_admin: false, is_verified: false, balance: 0 });
    const [row] = await api.database.sql<{ version: number; referred_by_user_id: null; created_at: number }>(
      `select version, referred_by_user_id, created_at from users where username = 'sneaky'`,
    );
    expect(row).toMatchObject({ version: 1, referred_by_user_id: null });
    expect(row?.created_at).toBeGreaterThan(instant('2026-01-01T00:00:00Z'));
  });

  it.each([
    ['the same name', { username: 'taken', email: 'other@example.com' }],
    ['the same name in other letters', { username: 'TAKEN', email: 'other@example.com' }],
    ['the same address', { username: 'other', email: 'taken@example.com' }],
    ['the same address in other letters', { username: 'other', email: 'TAKEN@Example.com' }],
  ])('rejects %s with one message for both', async (_, body) => {
    await signup(good('taken'));
    const answer = await signup({ ...body, password: 'secret-1' });
    expect(answer.body).toMatchObject({
      detail: 'This username or email address is already taken.',
      code: 'ACCOUNT_EXISTS',
      errors: [],
    });
    expect(answer.status).toBe(409);
  });

  it('creates one account for twenty concurrent requests with one name', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => signup(good('crowd'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  const nul = '\u0000';
  it.each<[string, Record<string, unknown>]>([
    ['username', {}],
    ...[
      null,
      5,
      true,
      ['x'],
      { a: 1 },
      '',
      '   ',
      'x'.repeat(41),
      'a\nb',
      `a${nul}b`,
      'a\u202eb',
      '<script>alert(1)</script>',
      '-rf',
      '$(id)',
      "'; drop table users; --",
      'deactivated_7_x',
      'Dеactivated_7',
      'a@b',
    ].map((username): [string, Record<string, unknown>] => ['username', { username }]),
    ...[
      null,
      5,
      ['a@example.com'],
      { $ne: null },
      '',
      'x',
      'a@b',
      '@example.com',
      'a@example..com',
      'a@exa mple.com',
      'a@example.com\r\nBcc: v@example.com',
      'a@example.com,b@example.com',
      '"a"@example.com',
      'a@[127.0.0.1]',
      `a${nul}@example.com`,
      `${'a'.repeat(65)}@example.com`,
      '<a@example.com>',
    ].map((email): [string, Record<string, unknown>] => ['email', { email }]),
    ...[null, 5, ['secret-1'], '', 'short', 'x'.repeat(201), `secret${nul}1`].map(
      (password): [string, Record<string, unknown>] => ['password', { password }],
    ),
    ...[5, ['CODE'], { code: 1 }, 'x'.repeat(65), 'UNKNOWNCODE12', "' or 1=1 --", `a${nul}`].map(
      (referral_code): [string, Record<string, unknown>] => ['referral_code', { referral_code }],
    ),
  ])('rejects the %s of %j with a message and stores nothing', async (path, fields) => {
    const { username: _, ...rest } = good('refused');
    const body = path === 'username' ? { ...rest, ...fields } : { ...good('refused'), ...fields };
    const answer = await signup(body);
    expect(code(answer)).toEqual([422, 'FIELDS_INVALID']);
    expect((answer.body as { errors: { path: string; message: string }[] }).errors[0]).toMatchObject({
      path,
      message: expect.stringMatching(/\w{2,}/),
    });
    expect(
      await api.database.sql(`select 1 from users where email ilike 'refused%' or username ilike 'refused%'`),
    ).toEqual([]);
    expect(await api.database.sql(`select 1 from mails where recipient ilike '%refused%'`)).toEqual([]);
  });

  it.each(['', '   ', null])('treats the referral code %j as none', async (referral_code) => {
    expect((await signup({ ...good(`none-${String(referral_code).length}`), referral_code })).status).toBe(201);
  });

  describe('with a referral code', () => {
    let jane: TestAccount;
    let janesCode: string;
    const codeOf = async (account: TestAccount) =>
      (
        await api.database.sql<{ referral_code: string }>('select referral_code from users where id = $1', [account.id])
      )[0]?.referral_code ?? '';
    beforeAll(async () => {
      jane = await api.user();
      janesCode = await codeOf(jane);
    });

    it('grants both a credit of 4.99 for 30 days once the new address is verified', async () => {
      const before = await balance(jane);
      const from = elsewhere();
      const tom = await api.unverified('tom', { referral_code: ` ${janesCode.toLowerCase()} `, from });
      expect(await balance(tom)).toMatchObject({ referral_credits: 0, total_balance: 0 });
      const token = await api.linkToken(tom.email, 'verify-email');
      expect((await api.http.get('/api/auth/verify-email').query({ token })).status).toBe(200);
      expect(await balance(tom)).toEqual({
        total_balance: 4.99,
        regular_balance: 0,
        referral_credits: 4.99,
        signup_credits: 0,
        available_balance: 0,
        owed: 0,
      });
      expect((await balance(jane)).referral_credits).toBeCloseTo((before.referral_credits ?? 0) + 4.99, 6);
      const credits = await api.database.sql(
        `select user_id, credit_type, amount_micros, referral_user_id, host(ip_address) as ip, extract(epoch from expires_at - granted_at)::int as seconds
           from credits where user_id = $1 or referral_user_id = $1 order by credit_type`,
        [tom.id],
      );
      const same = { amount_micros: '4990000', ip: from, seconds: (30 * DAY_MS) / 1000 };
      expect(credits).toEqual([
        { user_id: tom.id, credit_type: 'referred', referral_user_id: jane.id, ...same },
        { user_id: jane.id, credit_type: 'referrer', referral_user_id: tom.id, ...same },
      ]);
    });

    it('grants a credit only to the new user when the referrer was deactivated meanwhile', async () => {
      const referrer = await api.user();
      const referred = await api.unverified(undefined, {
        referral_code: await codeOf(referrer),
        from: elsewhere(),
      });
      await api.database.sql('update users set deactivated_at = now() where id = $1', [referrer.id]);
      await api.http
        .get('/api/auth/verify-email')
        .query({ token: await api.linkToken(referred.email, 'verify-email') });
      expect(await balance(referred)).toMatchObject({ referral_credits: 4.99 });
      expect(await api.database.sql('select 1 from credits where user_id = $1', [referrer.id])).toEqual([]);
    });

    it('rejects the code of a deactivated account', async () => {
      const gone = await api.deactivated();
      expect(code(await signup({ ...good('late'), referral_code: await codeOf(gone) }))).toEqual([
        422,
        'FIELDS_INVALID',
      ]);
    });

    it('grants no self-referral under another spelling of the mailbox', async () => {
      await signup({ username: 'sly', email: 'sly.fox@gmail.com', password: 'secret-1' });
      const [sly] = await api.database.sql<{ id: number; referral_code: string }>(
        `select id, referral_code from users where username = 'sly'`,
      );
      await signup({
        username: 'sly2',
        email: 'slyfox+2@googlemail.com',
        password: 'secret-1',
        referral_code: sly?.referral_code,
      });
      const token = await api.linkToken('slyfox+2@googlemail.com', 'verify-email');
      expect((await api.http.get('/api/auth/verify-email').query({ token })).status).toBe(200);
      expect(
        await api.database.sql('select 1 from credits where user_id = $1 or referral_user_id = $1', [sly?.id]),
      ).toEqual([]);
    });

    it('grants one referral per mailbox, in any spelling', async () => {
      for (const [username, email] of [
        ['alias-a', 'an.alias@gmail.com'],
        ['alias-b', 'analias+b@gmail.com'],
      ] as const) {
        await signup({ username, email, password: 'secret-1', referral_code: janesCode });
        await api.http.get('/api/auth/verify-email').query({ token: await api.linkToken(email, 'verify-email') });
      }
      const credits = await api.database.sql(
        `select u.username from credits c join users u on u.id = c.user_id where c.credit_type = 'referred' and u.username like 'alias-%'`,
      );
      expect(credits).toEqual([{ username: 'alias-a' }]);
    });

    it('grants one referral per mailbox when several spellings are verified concurrently', async () => {
      const links: string[] = [];
      for (let n = 0; n < 6; n++) {
        // Each has a different referrer, so that they do not wait for each other's wallet.
        const referral_code = await codeOf(await api.user());
        const email = `crowd+${n}@gmail.com`;
        await signup({ username: `crowd-${n}`, email, password: 'secret-1', referral_code });
        links.push(await api.linkToken(email, 'verify-email'));
      }
      const answers = await Promise.all(links.map((token) => api.http.get('/api/auth/verify-email').query({ token })));
      expect(answers.map(({ status }) => status)).toEqual(links.map(() => 200));
      expect(
        await api.database.sql(
          `select 1 as one from credits c join users u on u.id = c.user_id where c.credit_type = 'referred' and u.username like 'crowd-%'`,
        ),
      ).toEqual([{ one: 1 }]);
    });

    it('leaves a balanced ledger', async () => {
      expect(
        await api.database.sql('select transaction_id from ledger_lines group by 1 having sum(amount_micros) <> 0'),
      ).toEqual([]);
    });
  });
});

describe('first administrator', () => {
  it('is created once, already verified, by concurrent processes, and only a generated password is shown', async () => {
    const api = await apiHarness();
    try {
      const request = (password?: string) => api.api.ensureFirstAdmin({ email: 'admin@moorage.localhost', password });
      const created = (await Promise.all([request(), request(), request()])).filter((admin) => admin !== null);
      expect(created).toEqual([{ email: 'admin@moorage.localhost', password: expect.stringMatching(/^\w{20}$/) }]);
      expect(await request('given-password')).toBeNull();
      const login = await api.http
        .post('/api/auth/login')
        .send({ username: created[0]?.email, password: created[0]?.password });
      const me = await api.http
        .get('/api/auth/me')
        .set('authorization', `Bearer ${(login.body as { access_token: string }).access_token}`);
      expect(me.body).toMatchObject({ username: 'admin', is_admin: true, is_verified: true });
      expect(api.logged()).not.toContain(created[0]?.password);
    } finally {
      await api.close();
    }
  });

  it('uses the configured password without showing it', async () => {
    const api = await apiHarness();
    try {
      await api.unverified('Admin');
      expect(await api.api.ensureFirstAdmin({ email: 'boss@moorage.localhost', password: 'given-password' })).toEqual({
        email: 'boss@moorage.localhost',
        password: null,
      });
      expect(
        (
          await api.http
            .post('/api/auth/login')
            .send({ username: 'boss@moorage.localhost', password: 'given-password' })
        ).status,
      ).toBe(200);
    } finally {
      await api.close();
    }
  });
});
