import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminCreditRequestAnswer, AdminCreditRequestPage, CreditAnswer } from '@moorage/contracts';
import { HOUR_MS, USERS_MESSAGES } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let admin: TestAccount;
beforeAll(async () => {
  api = await apiHarness();
  admin = await api.admin();
});
afterAll(() => api.close());

const submitRequest = (body: object, who?: TestAccount) =>
  api.http
    .post('/api/support/referral-request')
    .set(who?.auth ?? {})
    .send(body);
const REASON = 'I would like to try Coolify before I pay.';

async function listed(state = 'waiting'): Promise<AdminCreditRequestAnswer[]> {
  const { body } = await api.http.get('/api/support/referral-requests').query({ state }).set(admin.auth);
  return (body as AdminCreditRequestPage).requests;
}

/** Returns the pending request for this address. */
async function requestCredits(email: string, who?: TestAccount): Promise<number> {
  expect((await submitRequest({ email, reason: REASON }, who)).status).toBe(201);
  const found = (await listed()).find((request) => request.email === email);
  if (found === undefined) throw new Error(`no request of ${email} waits`);
  return found.id;
}

const decide = (id: number, what: 'approve' | 'reject', body: object = {}, by = admin) =>
  api.http.post(`/api/support/referral-requests/${id}/${what}`).set(by.auth).send(body);
const outcome = ({ status, body }: { status: number; body: unknown }) => [status, (body as { detail: string }).detail];

async function mailedCode(email: string): Promise<string> {
  await api.run();
  for (const { text } of await api.mailsTo(email)) {
    const code = /signup\?ref=(\S+)/.exec(text)?.[1];
    if (code !== undefined) return code;
  }
  throw new Error(`no code was mailed to ${email}`);
}

async function newCode(email: string): Promise<string> {
  await decide(await requestCredits(email), 'approve');
  return mailedCode(email);
}

const redeem = (who: TestAccount, code: unknown) =>
  api.http.post('/api/signup-credits/redeem').set(who.auth).send({ code });
const refusal = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { errors: { message: string }[] }).errors[0]?.message,
];
const credits = async (who: TestAccount): Promise<CreditAnswer[]> =>
  (await api.http.get('/api/signup-credits').set(who.auth)).body as CreditAnswer[];
const SENT = "Your request was submitted. If it is approved, we'll email you a referral code.";

describe('request for free credits', () => {
  it('is stored, emailed to administrators, and gets the same response for every caller', async () => {
    const answer = await submitRequest({ email: ' visitor@example.org ', reason: `${REASON}\r\nReally.` });
    expect([answer.status, answer.body]).toEqual([201, { message: SENT, code: expect.any(String), facts: {} }]);
    const [row] = await listed();
    expect(row).toMatchObject({
      state: 'waiting',
      email: 'visitor@example.org',
      reason: `${REASON}\nReally.`,
      ip_address: '127.0.0.1',
      account: null,
      had_before: false,
      decided_at: null,
    });
    expect(Date.parse(row?.due_at ?? '') - Date.parse(row?.created_at ?? '')).toBe(24 * HOUR_MS);
    await api.run();
    const [mail] = await api.mailsTo('support@moorage.test');
    expect(mail?.text).toContain('visitor@example.org requests free credits');
    expect(mail?.text).toContain('/admin-referrals');
    // Requested again in another spelling. The first request remains.
    expect((await submitRequest({ email: 'VISITOR@example.org', reason: 'Again' })).body).toEqual(answer.body);
    expect((await listed()).filter(({ email }) => email.toLowerCase() === 'visitor@example.org')).toHaveLength(1);
  });

  it.each([
    ['nothing', {}],
    ['no reason', { email: 'a@example.org' }],
    ['an empty reason', { email: 'a@example.org', reason: '  ' }],
    ['no address', { reason: REASON }],
    ['an empty address', { email: '', reason: REASON }],
  ])('is rejected with %s', async (_, body) => {
    const answer = await submitRequest(body);
    expect(answer.status).toBe(422);
    const { errors } = answer.body as { errors: { message: string }[] };
    expect(new Set(errors.map(({ message }) => message))).toEqual(new Set(['Please fill in both fields']));
  });

  it.each([
    ['a word', { email: 'nobody', reason: REASON }],
    ['two lines', { email: 'a@example.org\r\nBcc: b@example.org', reason: REASON }],
    ['an overlong reason', { email: 'a@example.org', reason: 'x'.repeat(2_001) }],
    ['an invisible character', { email: 'a@example.org', reason: 'a\u0000b' }],
  ])('is rejected with invalid content: %s', async (_, body) => {
    expect((await submitRequest(body)).status).toBe(422);
  });
});

describe('approved request', () => {
  it('grants an account a signup credit at once and sends an email', async () => {
    const user = await api.user();
    const id = await requestCredits(user.email, user);
    const answer = await decide(id, 'approve');
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { state: 'approved', account: { id: user.id }, code_expires_at: null, decided_by: { id: admin.id } },
    ]);
    expect(await credits(user)).toMatchObject([{ amount: 4.99, is_usable: true, display_currency: 'EUR' }]);
    await api.run();
    const mail = (await api.mailsTo(user.email)).find(({ subject }) => subject.includes('free credits'));
    expect(mail?.text).toContain('€4.99');
    const { body } = await api.http.get(`/api/users/${user.id}/history`).set(admin.auth);
    expect((body as { what: { code: string } }[])[0]?.what.code).toBe('history.free_credits_approved');
  });

  it('sends an unknown address a single-use code that pays once the address is verified', async () => {
    const code = await newCode('newcomer@example.org');
    expect(code).toMatch(/^FREE[A-Z2-9]{14}$/);
    const answer = await api.http.get(`/api/referrals/validate-code/${code.toLowerCase()}`);
    expect(answer.body).toEqual({ referrer_username: 'Moorage', is_free_credits: true });
    // Only the email contains it.
    const rows = await api.database.sql('select code_hash from credit_requests where code_hash = $1', [code]);
    expect(rows).toEqual([]);

    const forgetful = await api.unverified(undefined, { referral_code: code });
    const newcomer = await api.user(undefined, { referral_code: ` ${code.toLowerCase()} ` });
    expect(await credits(newcomer)).toMatchObject([{ amount: 4.99, credit_type: 'signup', is_usable: true }]);
    await api.http.get('/api/auth/verify-email').query({ token: await api.linkToken(forgetful.email, 'verify-email') });
    expect(await credits(forgetful)).toEqual([]);
    expect(refusal(await redeem(forgetful, code))).toEqual([422, 'This code has already been used.']);
    expect(outcome(await api.http.get(`/api/referrals/validate-code/${code}`))).toEqual([
      404,
      'This code has already been used.',
    ]);
    const signup = { username: 'late-one', email: 'late-one@example.org', password: 'secret-1', referral_code: code };
    expect((await api.http.post('/api/users/').send(signup)).status).toBe(422);
  });

  it('sends a code to an unverified address, as its owner may not be the requester', async () => {
    const user = await api.unverified();
    const { body } = await decide(await requestCredits(user.email), 'approve');
    expect((body as AdminCreditRequestAnswer).code_expires_at).not.toBeNull();
    expect(await credits(user)).toEqual([]);
    const code = await mailedCode(user.email);
    expect((await redeem(user, code)).status).toBe(403);
  });

  it('is rejected for a deactivated account and stays open', async () => {
    const gone = await api.deactivated();
    const id = await requestCredits(gone.email);
    expect(outcome(await decide(id, 'approve'))).toEqual([
      409,
      'The account with this email address is deactivated. Reactivate it first, or reject the request.',
    ]);
    expect((await decide(id, 'reject', { reason: 'Deactivated.' })).status).toBe(200);
  });

  it('is granted once per mailbox, in any spelling', async () => {
    const code = await newCode('old.fox@gmail.com');
    const signup = { username: 'old-fox', email: 'old.fox@gmail.com', password: 'secret-1', referral_code: code };
    expect((await api.http.post('/api/users/').send(signup)).status).toBe(201);
    const token = await api.linkToken('old.fox@gmail.com', 'verify-email');
    expect((await api.http.get('/api/auth/verify-email').query({ token })).status).toBe(200);
    const id = await requestCredits('oldfox+2@gmail.com');
    expect((await listed()).find((request) => request.id === id)).toMatchObject({ had_before: true });
    expect(outcome(await decide(id, 'approve'))).toEqual([409, 'This mailbox has already received free credits.']);
  });
});

describe('rejected request', () => {
  it('emails the reason in the language of the requester', async () => {
    await api.http
      .post('/api/support/referral-request')
      .set('accept-language', 'de')
      .send({ email: 'nein@example.org', reason: REASON });
    const id = (await listed()).find(({ email }) => email === 'nein@example.org')?.id ?? 0;
    expect(outcome(await decide(id, 'reject', {}))).toEqual([422, expect.stringContaining('reason')]);
    const answer = await decide(id, 'reject', { reason: 'Nur für neue Projekte.' });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { state: 'rejected', rejection: 'Nur für neue Projekte.' },
    ]);
    await api.run();
    const [mail] = await api.mailsTo('nein@example.org');
    expect(mail?.subject).toBe('Ihre Anfrage nach Startguthaben von Moorage');
    expect(mail?.text).toContain('Nur für neue Projekte.');
    // A new request is possible.
    expect(await requestCredits('nein@example.org')).not.toBe(id);
  });
});

describe('decision on a request', () => {
  it('succeeds once, and a second administrator gets an error', async () => {
    const second = await api.admin();
    const user = await api.user();
    const id = await requestCredits(user.email);
    const answers = await Promise.all([
      decide(id, 'approve'),
      decide(id, 'reject', { reason: 'No.' }, second),
      decide(id, 'approve', {}, second),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    for (const answer of answers)
      if (answer.status === 409)
        expect([
          'This request has already been decided. Reload the list.',
          'This mailbox has already received free credits.',
        ]).toContain(outcome(answer)[1]);
    expect((await credits(user)).length).toBe(answers[1]?.status === 200 ? 0 : 1);
  });

  it('returns 404 for an unknown request', async () => {
    for (const what of ['approve', 'reject'] as const)
      expect(outcome(await decide(999_999, what, { reason: 'No.' }))).toEqual([404, 'There is no such request.']);
  });
});

describe('code entered in the account', () => {
  it('grants the credit and is recorded in the history', async () => {
    const code = await newCode('has-account@example.org');
    const user = await api.user();
    const answer = await redeem(user, ` ${code.toLowerCase()} `);
    expect([answer.status, answer.body]).toMatchObject([201, { credit_type: 'signup', amount: 4.99, is_usable: true }]);
    const again = await newCode('another@example.org');
    expect(refusal(await redeem(user, again))).toEqual([422, 'This mailbox has already received free credits.']);
  });

  it('grants nothing to the administrator who approved it, but works for another account', async () => {
    const code = await newCode('mine-too@example.org');
    expect(refusal(await redeem(admin, code))).toEqual([422, USERS_MESSAGES.money_self.detail]);
    expect(await credits(admin)).toEqual([]);
    expect((await redeem(await api.user(), code)).status).toBe(201);
  });

  it.each([
    ['none', '', 'Enter the code from our email.'],
    ['spaces', '   ', 'Enter the code from our email.'],
    ['an unknown one', 'FREEDOM', "This code doesn't exist. Copy it from our email."],
    ['something else', '%27 or 1=1', "This code doesn't exist. Copy it from our email."],
  ])('is rejected: %s', async (_, code, sentence) => {
    expect(refusal(await redeem(await api.user(), code))).toEqual([422, sentence]);
  });

  it("is rejected when it is the user's own or a friend's referral code", async () => {
    const [user, friend] = [await api.user(), await api.user()];
    const codeOf = async (who: TestAccount) =>
      ((await api.http.get('/api/referrals/my-link').set(who.auth)).body as { referral_code: string }).referral_code;
    expect(refusal(await redeem(user, await codeOf(user)))).toEqual([
      422,
      'This is your own referral code. Share it with your friends.',
    ]);
    expect(refusal(await redeem(user, (await codeOf(friend)).toLowerCase()))).toEqual([
      422,
      'This is a referral code. You can use it only when you sign up.',
    ]);
  });

  it('pays once under 64 concurrent uses', async () => {
    const code = await newCode('popular@example.org');
    const names: TestAccount[] = [];
    for (let n = 0; n < 8; n++) names.push(await api.user());
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => redeem(names[n % names.length] ?? admin, code)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ status }) => status))).toEqual(new Set([422]));
    const paid = await Promise.all(names.map((who) => credits(who)));
    expect(paid.flat()).toHaveLength(1);
  });

  it('expires after 30 days', async () => {
    const code = await newCode('slow@example.org');
    const late = await api.unverified(undefined, { referral_code: code });
    const token = await api.linkToken(late.email, 'verify-email');
    await api.database.sql(`update credit_requests set code_expires_at = code_expires_at - interval '31 days'
      where email = 'slow@example.org'`);
    expect(refusal(await redeem(await api.user(), code))).toEqual([
      422,
      'This code has expired. Request free credits again.',
    ]);
    expect((await api.http.get(`/api/referrals/validate-code/${code}`)).status).toBe(404);
    expect((await api.http.get('/api/auth/verify-email').query({ token })).status).toBe(200);
    expect(await credits(late)).toEqual([]);
  });
});
