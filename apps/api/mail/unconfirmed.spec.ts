import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiHarness, apiHarness, elsewhere, type TestAccount } from '@moorage/tests/services/api/api-harness';

const settings = { trustedProxies: ['127.0.0.1'] };
/** A valid username. Mail programs turn its last word into a link. */
const LURE = 'You won 900 USD - claim at evil.example';
let api: ApiHarness;
let admin: TestAccount;
beforeAll(async () => {
  api = await apiHarness({ settings });
  admin = await api.admin();
});
afterAll(() => api.close());

/** Starts the harness with the limits of the product. Emails of both are in the folder of the sender. */
const strict = (): Promise<ApiHarness> => apiHarness({ beside: api, settings: { ...settings, limits: undefined } });

async function textsTo(email: string, harness: ApiHarness = api): Promise<string[]> {
  await harness.run();
  return (await harness.mailsTo(email)).map(({ subject, text }) => subject + text);
}
const contact = (email: string, { http }: ApiHarness = api) =>
  http.post('/api/support/contact').send({ name: LURE, email, subject: LURE, message: LURE }).expect(201);

async function answerNewest({ http }: ApiHarness = api): Promise<void> {
  const [row] = await api.database.sql<{ id: number }>('select max(id) as id from support_messages');
  const path = `/api/support/admin/conversations/${row?.id}/answers`;
  await http.post(path).set(admin.auth).send({ message: 'Nobody wins here.' }).expect(201);
}

describe('content chosen by a stranger', () => {
  it('is not sent to an unconfirmed address on sign-up, on a repeated link and on a password reset', async () => {
    const email = 'victim1@example.net';
    await api.http.post('/api/users').send({ username: LURE, email, password: 'long enough' }).expect(201);
    const login = await api.http
      .post('/api/auth/login')
      .type('form')
      .send({ username: email, password: 'long enough' });
    const auth = { authorization: `Bearer ${(login.body as { access_token: string }).access_token}` };
    await api.http.post('/api/users/resend-verification').set(auth).expect(200);
    await api.http.post('/api/auth/forgot-password').send({ email }).expect(200);
    const texts = await textsTo(email);
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(text).not.toContain('evil');
    const stored = await api.database.sql('select to_unconfirmed from mails where recipient = $1', [email]);
    expect(stored).toEqual(texts.map(() => ({ to_unconfirmed: true })));
  });

  it('is not sent when an account requests to change to the address', async () => {
    const stranger = await api.user('evil.example');
    const email = 'victim2@example.net';
    const change = { email, password: stranger.password };
    await api.http.post('/api/users/self/email-change').set(stranger.auth).send(change).expect(200);
    const texts = await textsTo(email);
    expect(texts).toHaveLength(1);
    expect(texts[0]).not.toContain('evil');
    // The user's own address gets the name.
    expect((await textsTo(stranger.email)).some((text) => text.includes('Hello evil.example,'))).toBe(true);
  });

  it.each([
    ['without an account', () => Promise.resolve('victim3@example.net')],
    ['with an account', async () => (await api.user()).email],
  ])('is not sent when a visitor enters an address %s and gets a reply', async (_, victim) => {
    const email = await victim();
    const before = (await textsTo(email)).length;
    await contact(email);
    await answerNewest();
    const texts = (await textsTo(email)).filter((text) => text.includes('/conversation#'));
    expect([texts.length, (await textsTo(email)).length - before]).toEqual([2, 2]);
    for (const text of texts) expect(text).not.toContain('evil');
    expect(texts.some((text) => text.includes('Nobody wins here.'))).toBe(true);
  });
});

describe('emails to an unconfirmed address', () => {
  it('are limited across accounts, networks and spellings, and can be requested again later', async () => {
    const limited = await strict();
    const signup = (n: number) =>
      limited.http
        .post('/api/users')
        .set('x-forwarded-for', elsewhere())
        .send({ username: `farmer-${n}`, email: `target+${n}@gmail.com`, password: 'long enough' });
    const answers: unknown[] = [];
    for (let n = 1; n <= 7; n++) answers.push(((await signup(n)) as { status: number }).status);
    expect(answers).toEqual(answers.map(() => 201));
    expect(await textsTo('target+', limited)).toHaveLength(5);
    expect(
      await limited.database.sql(`select facts from mails where sent_at is null and recipient like 'target+%'`),
    ).toEqual([{ facts: {} }, { facts: {} }]);
    expect(await limited.database.sql('select 1 from work')).toEqual([]);
    // A stranger with other spellings cannot lock the owner out.
    const owner = { username: 'the owner', email: 'target@gmail.com', password: 'long enough' };
    await limited.http.post('/api/users').set('x-forwarded-for', elsewhere()).send(owner).expect(201);
    expect(await textsTo('target@gmail.com', limited)).toHaveLength(1);
    await limited.close();

    await api.database.sql('delete from rate_limits');
    const later = await strict();
    const login = await later.http
      .post('/api/auth/login')
      .type('form')
      .send({ username: 'target+7@gmail.com', password: 'long enough' });
    const auth = { authorization: `Bearer ${(login.body as { access_token: string }).access_token}` };
    await later.http.post('/api/users/resend-verification').set(auth).expect(200);
    expect(await textsTo('target+7@gmail.com', later)).toHaveLength(1);
    await later.close();
  });

  it('delay a reply from support instead of dropping it', async () => {
    const email = 'flooded@example.net';
    const limited = await strict();
    await contact(email, limited);
    for (let count = 0; count < 6; count++) await answerNewest(limited);
    // The confirmation and four replies.
    expect(await textsTo(email, limited)).toHaveLength(5);
    expect(await api.database.sql(`select reason from work where kind = 'send-mail'`)).toEqual(
      [1, 2].map(() => ({ reason: 'too many mails to an unconfirmed address' })),
    );
    await limited.close();
  });

  it('are not limited once the address is confirmed', async () => {
    const limited = await strict();
    const owner = await api.user();
    for (let count = 0; count < 7; count++)
      await limited.http.put('/api/users/self/password').set(owner.auth).send({
        current_password: owner.password,
        new_password: owner.password,
      });
    const texts = await textsTo(owner.email, limited);
    expect(texts.filter((text) => text.includes('password was changed'))).toHaveLength(7);
    await limited.close();
  });
});
