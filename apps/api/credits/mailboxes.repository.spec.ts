import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ACCOUNT_SECRETS,
  type AdminCreditRequestAnswer,
  type AdminCreditRequestPage,
  type CreditAnswer,
} from '@moorage/contracts';
import { normaliseEmail } from '@moorage/domain';
import { SealBox, Secrets } from '@moorage/server';
import { type ApiHarness, apiHarness, elsewhere, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { Mailboxes } from './mailboxes.repository';

let api: ApiHarness;
let admin: TestAccount;
beforeAll(async () => {
  api = await apiHarness({ settings: { trustedProxies: ['127.0.0.1'] } });
  admin = await api.admin();
});
afterAll(() => api.close());

let counter = 0;
const PASSWORD = 'long enough to keep';

/** Signs up with an address that any number of accounts may have had before. */
async function signedUp(email: string, referral_code?: string): Promise<TestAccount> {
  const username = `mailbox-${++counter}`;
  const signup = await api.http
    .post('/api/users/')
    .set('x-forwarded-for', elsewhere())
    .send({ username, email, password: PASSWORD, referral_code });
  if (signup.status !== 201) throw new Error(signup.text);
  const login = await api.http.post('/api/auth/login').type('form').send({ username: email, password: PASSWORD });
  const token = (login.body as { access_token: string }).access_token;
  const id = (signup.body as { id: number }).id;
  return { id, username, email, password: PASSWORD, token, auth: { authorization: `Bearer ${token}` } };
}
async function confirm(email: string): Promise<void> {
  const token = await api.linkToken(email, 'verify-email');
  expect((await api.http.get('/api/auth/verify-email').query({ token })).status).toBe(200);
}
async function verified(email: string, referral_code?: string): Promise<TestAccount> {
  const account = await signedUp(email, referral_code);
  await confirm(email);
  return account;
}
async function moved(account: TestAccount, email: string): Promise<void> {
  const response = await api.http
    .post('/api/users/self/email-change')
    .set(account.auth)
    .send({ email, password: PASSWORD });
  expect(response.status).toBe(200);
  await confirm(email);
}
async function erased({ id }: TestAccount): Promise<void> {
  expect((await api.http.post(`/api/users/${id}/deactivate`).set(admin.auth).send({})).status).toBe(200);
  expect((await api.http.delete(`/api/users/${id}`).set(admin.auth).send({})).status).toBe(200);
}
const codeOf = async (who: TestAccount): Promise<string> =>
  ((await api.http.get('/api/referrals/my-link').set(who.auth)).body as { referral_code: string }).referral_code;
const referrals = async (who: TestAccount): Promise<CreditAnswer[]> =>
  (await api.http.get('/api/referrals/credits').set(who.auth)).body as CreditAnswer[];

async function requestCredits(email: string): Promise<AdminCreditRequestAnswer> {
  await api.http.post('/api/support/referral-request').send({ email, reason: 'I would like to try it.' }).expect(201);
  const { body } = await api.http.get('/api/support/referral-requests').query({ state: 'waiting' }).set(admin.auth);
  const found = (body as AdminCreditRequestPage).requests.find((request) => request.email === email);
  if (found === undefined) throw new Error(`no request of ${email} waits`);
  return found;
}
const approve = (id: number) => api.http.post(`/api/support/referral-requests/${id}/approve`).set(admin.auth).send({});

describe('referral credits', () => {
  it('are granted once to a mailbox used by three accounts in turn', async () => {
    const bob = await api.user(undefined, { from: elsewhere() });
    const code = await codeOf(bob);
    const rounds: number[] = [];
    for (let round = 1; round <= 3; round++) {
      const farmer = await verified('farmer9@example.net', code);
      rounds.push((await referrals(farmer)).length);
      await moved(farmer, `farmer9+${round}@example.com`);
    }
    expect(rounds).toEqual([1, 0, 0]);
    expect(await referrals(bob)).toHaveLength(1);
  });

  it('are not granted again to the mailbox an account changed to', async () => {
    const bob = await api.user(undefined, { from: elsewhere() });
    const code = await codeOf(bob);
    const farmer = await verified('second@example.net', code);
    await moved(farmer, 'third@example.net');
    await moved(farmer, 'fourth@example.net');
    expect(await referrals(await verified('third@example.net', code))).toEqual([]);
  });

  it('are not granted again after the account was erased', async () => {
    const bob = await api.user(undefined, { from: elsewhere() });
    const code = await codeOf(bob);
    await erased(await verified('gone@example.net', code));
    expect(await referrals(await verified('gone@example.net', code))).toEqual([]);
    expect(await referrals(bob)).toHaveLength(1);
  });

  it('are not granted to a referrer who signs up with a previous address', async () => {
    const referrer = await verified('both@example.net');
    await moved(referrer, 'both@example.com');
    expect(await referrals(await verified('both@example.net', await codeOf(referrer)))).toEqual([]);
    expect(await referrals(referrer)).toEqual([]);
  });

  it('are granted once to spellings of one mailbox verified concurrently', async () => {
    const bob = await api.user(undefined, { from: elsewhere() });
    const code = await codeOf(bob);
    const spellings = ['one.box@gmail.com', 'onebox+a@gmail.com', 'onebox+b@gmail.com', 'o.nebox@googlemail.com'];
    const accounts: TestAccount[] = [];
    for (const email of spellings) accounts.push(await signedUp(email, code));
    const links: string[] = [];
    for (const email of spellings) links.push(await api.linkToken(email, 'verify-email'));
    await Promise.all(links.map((token) => api.http.get('/api/auth/verify-email').query({ token }).expect(200)));
    expect((await Promise.all(accounts.map(referrals))).flat()).toHaveLength(1);
    expect(await referrals(bob)).toHaveLength(1);
  });

  it('from before mailboxes were stored count while the address stays and after it changed', async () => {
    const bob = await api.user(undefined, { from: elsewhere() });
    const code = await codeOf(bob);
    const old = await verified('old.box@gmail.com', code);
    await api.database.sql('delete from account_mailboxes where user_id = $1', [old.id]);
    expect(await referrals(await verified('oldbox+1@gmail.com', code))).toEqual([]);
    await moved(old, 'elsewhere@example.net');
    expect(await referrals(await verified('oldbox+2@gmail.com', code))).toEqual([]);
  });

  it('are not withheld when a stranger entered the address but never confirmed it', async () => {
    const bob = await api.user(undefined, { from: elsewhere() });
    const code = await codeOf(bob);
    await erased(await signedUp('victim@example.net', code));
    expect(await referrals(await verified('victim@example.net', code))).toHaveLength(1);
  });
});

describe('free credits', () => {
  it('are flagged and rejected for the next account of the same mailbox', async () => {
    const first = await verified('farmer2@example.net');
    const request = await requestCredits('farmer2@example.net');
    expect(request.had_before).toBe(false);
    expect((await approve(request.id)).body).toMatchObject({ state: 'approved', had_before: false });
    await moved(first, 'farmer2+1@example.com');
    await verified('farmer2@example.net');
    const again = await requestCredits('farmer2@example.net');
    expect(again.had_before).toBe(true);
    expect((await approve(again.id)).status).toBe(409);
  });

  it('are rejected for a mailbox that its account left before it received them', async () => {
    await moved(await verified('early@example.net'), 'late@example.net');
    expect((await approve((await requestCredits('late@example.net')).id)).status).toBe(200);
    await verified('early@example.net');
    const again = await requestCredits('early@example.net');
    expect(again.had_before).toBe(true);
    expect((await approve(again.id)).status).toBe(409);
  });

  it('are rejected by code for the next account of the mailbox, even after an erasure', async () => {
    const first = await verified('coder@example.net');
    await approve((await requestCredits('coder@example.net')).id);
    await erased(first);
    const second = await verified('coder@example.net');
    await approve((await requestCredits('other@example.net')).id);
    await api.run();
    const [mail] = await api.mailsTo('other@example.net');
    const code = /signup\?ref=(\S+)/.exec(mail?.text ?? '')?.[1];
    const answer = await api.http.post('/api/signup-credits/redeem').set(second.auth).send({ code });
    expect(answer.status).toBe(422);
    expect(await api.database.sql('select 1 from credits where user_id = $1', [second.id])).toEqual([]);
  });
});

describe('stored mailbox', () => {
  it('is a hash under a sealed key, which stays the same when the seal keys are rotated', async () => {
    const account = await verified('hashed@example.net');
    await moved(account, 'moved@example.net');
    const { db, clock, random } = api.deps;
    const keys = [8, 7].map((byte) => ({ id: byte === 7 ? 'test' : 'next', key: Buffer.alloc(32, byte) }));
    const secrets = new Secrets({ box: new SealBox({ keys, random }), clock, kinds: ACCOUNT_SECRETS });
    expect(await db.tx('test.rotate', (tx) => secrets.rotate(tx, 1_000))).toBe(0);
    const rotated = new Mailboxes(secrets, random);
    const hash = await db.tx('test.hash', (tx) => rotated.hash(tx, normaliseEmail('Hashed@example.net')));
    expect(
      await api.database.sql('select mailbox, what from account_mailboxes where user_id = $1 order by at', [
        account.id,
      ]),
    ).toEqual([
      { mailbox: hash, what: 'confirmed' },
      { mailbox: expect.not.stringContaining(hash), what: 'confirmed' },
    ]);
    expect(hash).toMatch(/^[\w-]{43}$/);
  });
});
