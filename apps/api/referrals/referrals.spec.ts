import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CreditAnswer } from '@moorage/contracts';
import { DAY_MS } from '@moorage/domain';
import {
  type ApiHarness,
  apiHarness,
  elsewhere,
  linksOf,
  type TestAccount,
} from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let referrer: TestAccount;
beforeAll(async () => {
  api = await apiHarness({ settings: { trustedProxies: ['127.0.0.1'] } });
  referrer = await api.user();
});
afterAll(() => api.close());

const get = (path: string, who?: TestAccount) => api.http.get(`/api${path}`).set(who?.auth ?? {});
const codeOf = async (who: TestAccount): Promise<string> =>
  ((await get('/referrals/my-link', who)).body as { referral_code: string }).referral_code;

describe('referral code', () => {
  it('is in the link, and its owner can be looked up by anyone, ignoring case', async () => {
    const { body } = await get('/referrals/my-link', referrer);
    const code = await codeOf(referrer);
    expect(body).toEqual({ referral_url: `http://moorage.test/signup?ref=${code}`, referral_code: code });
    for (const spelling of [code, code.toLowerCase(), `%20${code}%20`]) {
      const answer = await get(`/referrals/validate-code/${spelling}`);
      expect([answer.status, answer.body]).toEqual([
        200,
        { referrer_username: referrer.username, is_free_credits: false },
      ]);
    }
  });

  it('is unknown when its account is deactivated', async () => {
    const gone = await api.user();
    const code = await codeOf(gone);
    await api.database.sql(`update users set deactivated_at = now() where id = $1`, [gone.id]);
    expect((await get(`/referrals/validate-code/${code}`)).status).toBe(404);
  });

  it.each(['NOSUCHCODE123', '%27%20or%201=1', '%00', '%', '..%2f', 'x'.repeat(65), '%20', '__proto__'])(
    'is unknown: %s',
    async (code) => {
      const { status, body } = await get(`/referrals/validate-code/${code}`);
      expect([400, 404]).toContain(status);
      expect((body as { detail: string }).detail).toMatch(/\.$/);
    },
  );

  it('cannot be guessed because attempts are limited', async () => {
    const strict = await apiHarness({ beside: api, settings: { limits: undefined } });
    const answers: number[] = [];
    for (let time = 0; time < 31; time++)
      answers.push((await strict.http.get(`/api/referrals/validate-code/GUESS${time}`)).status);
    // The attempts of earlier tests from the same address count too.
    expect([answers[0], answers.at(-1)]).toEqual([404, 429]);
    await strict.close();
  });
});

describe('referral results', () => {
  it('count once the new account is verified, with a credit for each side', async () => {
    const code = await codeOf(referrer);
    expect((await get('/referrals/stats', referrer)).body).toEqual({
      referred_count: 0,
      verified_count: 0,
      earned_amount: 0,
      waiting_count: 0,
    });
    await api.unverified(undefined, { referral_code: code, from: elsewhere() });
    const friend = await api.user(undefined, { referral_code: code, from: elsewhere() });
    expect((await get('/referrals/stats', referrer)).body).toEqual({
      referred_count: 2,
      verified_count: 1,
      earned_amount: 4.99,
      waiting_count: 0,
    });
    const credit = {
      id: expect.any(Number),
      amount: 4.99,
      used_amount: 0,
      remaining_amount: 4.99,
      created_at: expect.any(String),
      expires_at: expect.any(String),
      is_usable: false,
      is_expired: false,
      display_currency: 'EUR',
    };
    expect((await get('/referrals/credits', referrer)).body).toEqual([{ ...credit, credit_type: 'referrer' }]);
    expect((await get('/referrals/credits', friend)).body).toEqual([{ ...credit, credit_type: 'referred' }]);
    expect((await get('/signup-credits', friend)).body).toEqual([]);
  });

  it('can be spent from 5.00 of regular balance and expire after 30 days', async () => {
    const friend = await api.user(undefined, { referral_code: await codeOf(referrer), from: elsewhere() });
    const credit = async () => ((await get('/referrals/credits', friend)).body as CreditAnswer[])[0];
    await api.pay(friend, 499);
    expect(await credit()).toMatchObject({ is_usable: false });
    await api.pay(friend, 100);
    expect(await credit()).toMatchObject({ is_usable: true, is_expired: false });
    api.pass(30 * DAY_MS);
    const again = await api.http
      .post('/api/auth/login')
      .type('form')
      .send({ username: friend.email, password: friend.password });
    const auth = { authorization: `Bearer ${(again.body as { access_token: string }).access_token}` };
    const [ended] = (await api.http.get('/api/referrals/credits').set(auth)).body as CreditAnswer[];
    expect(ended).toMatchObject({ is_usable: false, is_expired: true, remaining_amount: 0, amount: 4.99 });
  });

  it('list signup credits separately', async () => {
    const account = await api.user();
    await api.deps.db.tx('test.grant', async (tx) => {
      const at = await api.deps.clock.now(tx);
      await api.deps.ledger.grantCredit(tx, { userId: account.id, creditType: 'signup', at });
    });
    expect((await get('/signup-credits', account)).body).toMatchObject([{ credit_type: 'signup', is_usable: true }]);
    expect((await get('/referrals/credits', account)).body).toEqual([]);
  });

  it('list up to a thousand credits, with count and paging headers', async () => {
    const account = await api.user();
    await api.deps.db.tx('test.grant', async (tx) => {
      const at = await api.deps.clock.now(tx);
      for (let n = 0; n < 3; n++)
        await api.deps.ledger.grantCredit(tx, { userId: account.id, creditType: 'signup', at });
    });
    const all = await get('/signup-credits', account);
    expect([(all.body as unknown[]).length, all.headers['x-total-count'], linksOf(all.headers)]).toEqual([3, '3', {}]);
    const first = await get('/signup-credits?per_page=2', account);
    const rest = await api.http.get(linksOf(first.headers).next ?? 'nowhere').set(account.auth);
    expect([...(first.body as CreditAnswer[]), ...(rest.body as CreditAnswer[])]).toEqual(all.body);
    await api.database.sql(
      `insert into credits (user_id, credit_type, amount_micros, remaining_micros, granted_at, expires_at)
       select $1, 'signup', 1, 1, now(), now() + interval '1 day' from generate_series(1, 1000)`,
      [account.id],
    );
    const many = await get('/signup-credits', account);
    expect([(many.body as unknown[]).length, many.headers['x-total-count']]).toEqual([1_000, '1003']);
    const beyond = await api.http.get(linksOf(many.headers).next ?? 'nowhere').set(account.auth);
    expect(beyond.body).toEqual(all.body);
    expect((await get('/signup-credits?per_page=101', account)).status).toBe(422);
  });

  it.each(['/referrals/my-link', '/referrals/stats', '/referrals/credits', '/signup-credits'])(
    'require a login: %s',
    async (path) => {
      expect((await get(path)).status).toBe(401);
    },
  );
});
