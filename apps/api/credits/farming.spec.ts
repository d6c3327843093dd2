import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminReferralAnswer, AdminReferralPage, CreditAnswer, ReferralCluster } from '@moorage/contracts';
import { DAY_MS, REFERRAL_TERMS } from '@moorage/domain';
import fc from 'fast-check';
import { type ApiHarness, apiHarness, elsewhere, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let admin: TestAccount;
beforeAll(async () => {
  api = await apiHarness({ settings: { trustedProxies: ['127.0.0.1'] } });
  admin = await api.admin();
});
afterAll(() => api.close());

const codeOf = async (who: TestAccount): Promise<string> =>
  ((await api.http.get('/api/referrals/my-link').set(who.auth)).body as { referral_code: string }).referral_code;
const credits = async (who: TestAccount): Promise<CreditAnswer[]> =>
  (await api.http.get('/api/referrals/credits').set(who.auth)).body as CreditAnswer[];
const stats = async (who: TestAccount) => (await api.http.get('/api/referrals/stats').set(who.auth)).body as unknown;
async function listed(state = 'waiting'): Promise<AdminReferralAnswer[]> {
  const { body } = await api.http.get('/api/referrals/admin/referrals').query({ state }).set(admin.auth);
  return (body as AdminReferralPage).referrals;
}
const waitingOf = async (who: TestAccount) => (await listed()).find(({ referred }) => referred.id === who.id);
const decide = (id: number, what: 'approve' | 'reject', body: object = {}) =>
  api.http.post(`/api/referrals/admin/referrals/${id}/${what}`).set(admin.auth).send(body);
const outcome = ({ status, body }: { status: number; body: unknown }) => [status, (body as { detail: string }).detail];
const verify = async (who: TestAccount) =>
  api.http.get('/api/auth/verify-email').query({ token: await api.linkToken(who.email, 'verify-email') });
const friendOf = async (referrer: TestAccount, from: string) =>
  api.user(undefined, { referral_code: await codeOf(referrer), from });

describe('credit farming', () => {
  it('grants one pair of credits to nine accounts of one network and shows administrators why the others wait', async () => {
    const farmer = await api.user();
    const referral_code = await codeOf(farmer);
    const farmed: TestAccount[] = [];
    for (let n = 1; n <= 9; n++)
      farmed.push(await api.unverified(undefined, { referral_code, from: `198.51.100.${n}` }));
    const links: string[] = [];
    for (const { email } of farmed) links.push(await api.linkToken(email, 'verify-email'));
    // Concurrent, so that each would find that no other has received credits yet.
    const answers = await Promise.all(links.map((token) => api.http.get('/api/auth/verify-email').query({ token })));
    expect(answers.map(({ status }) => status)).toEqual(links.map(() => 200));

    expect(await credits(farmer)).toHaveLength(1);
    const theirs = await Promise.all(farmed.map((who) => credits(who)));
    expect(theirs.flat()).toHaveLength(1);
    expect(await stats(farmer)).toEqual({
      referred_count: 9,
      verified_count: 9,
      earned_amount: 4.99,
      waiting_count: 8,
    });
    const waiting = (await listed()).filter(({ referrer }) => referrer.id === farmer.id);
    expect(waiting).toHaveLength(8);
    expect(waiting[0]).toMatchObject({
      network: '198.51.100.0/24',
      doubts: [{ kind: 'used_network', text: { detail: 'Another referred account used this network within 30 days' } }],
    });
    const { body } = await api.http.get('/api/referrals/admin/clusters').query({ by: 'network' }).set(admin.auth);
    expect((body as ReferralCluster[])[0]).toMatchObject({
      key: '198.51.100.0/24',
      accounts: 9,
      waiting: 8,
      granted_amount: 9.98,
    });
  });

  it('grants one pair per network, even if each account has another referrer', async () => {
    const farmed: TestAccount[] = [];
    for (let n = 1; n <= 6; n++) {
      const referral_code = await codeOf(await api.user(undefined, { from: elsewhere() }));
      farmed.push(await api.unverified(undefined, { referral_code, from: `198.51.101.${n}` }));
    }
    const links: string[] = [];
    for (const { email } of farmed) links.push(await api.linkToken(email, 'verify-email'));
    await Promise.all(links.map((token) => api.http.get('/api/auth/verify-email').query({ token })));
    const theirs = await Promise.all(farmed.map((who) => credits(who)));
    expect(theirs.flat()).toHaveLength(1);
  });

  it('detects a referral from a network where the referrer signed up or logs in', async () => {
    const neighbour = await api.user(undefined, { from: '198.18.5.1' });
    const first = await friendOf(neighbour, '198.18.5.200');
    expect((await waitingOf(first))?.doubts.map(({ kind }) => kind)).toEqual(['referrer_network']);
    // Every login of these tests comes from 127.0.0.1.
    const second = await friendOf(neighbour, '127.0.0.9');
    expect((await waitingOf(second))?.doubts.map(({ kind }) => kind)).toContain('referrer_network');
    expect(await credits(neighbour)).toEqual([]);
  });

  it('treats an IPv6 /56 as one household', async () => {
    const referrer = await api.user();
    expect(await waitingOf(await friendOf(referrer, '2001:db8:1:aa00::1'))).toBeUndefined();
    expect((await waitingOf(await friendOf(referrer, '2001:db8:1:aaff::1')))?.network).toBe('2001:db8:1:aa00::/56');
    expect(await waitingOf(await friendOf(referrer, '2001:db8:1:ab00::1'))).toBeUndefined();
  });

  it('clears a network after 30 days', async () => {
    const referrer = await api.user();
    const first = await friendOf(referrer, '198.18.6.1');
    await api.database.sql(
      'update referral_pairs set verified_at = verified_at - $2::interval where referred_user_id = $1',
      [first.id, `${REFERRAL_TERMS.networkMs / DAY_MS} days`],
    );
    expect(await waitingOf(await friendOf(referrer, '198.18.6.2'))).toBeUndefined();
  });

  it('grants ten pairs per calendar month and holds the eleventh for review', async () => {
    const popular = await api.user();
    for (let n = 0; n < REFERRAL_TERMS.pairsPerMonthMax; n++) await friendOf(popular, elsewhere());
    expect(await credits(popular)).toHaveLength(10);
    const eleventh = await friendOf(popular, elsewhere());
    expect((await waitingOf(eleventh))?.doubts).toEqual([
      {
        kind: 'monthly_cap',
        text: expect.objectContaining({ detail: 'The referrer has already received 10 pairs of credits this month' }),
      },
    ]);
    await api.database.sql(
      `update referral_pairs set granted_at = date_trunc('month', granted_at) - interval '1 ms' where referrer_user_id = $1`,
      [popular.id],
    );
    expect(await waitingOf(await friendOf(popular, elsewhere()))).toBeUndefined();
  });
});

describe('waiting referral', () => {
  async function waiting(): Promise<{ referrer: TestAccount; friend: TestAccount; id: number }> {
    const from = elsewhere();
    const referrer = await api.user(undefined, { from });
    const friend = await friendOf(referrer, from);
    return { referrer, friend, id: (await waitingOf(friend))?.id ?? 0 };
  }

  it('credits, emails and records both accounts when approved', async () => {
    const { referrer, friend, id } = await waiting();
    const answer = await decide(id, 'approve');
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { state: 'granted', decided_by: { id: admin.id }, rejection: null },
    ]);
    await api.run();
    for (const [who, other, credit_type] of [
      [referrer, friend, 'referrer'],
      [friend, referrer, 'referred'],
    ] as const) {
      expect(await credits(who)).toMatchObject([{ credit_type, amount: 4.99 }]);
      const mail = (await api.mailsTo(who.email)).find(({ subject }) => subject.includes('referral credit'));
      expect(mail?.text).toContain(other.username);
      const { body } = await api.http.get(`/api/users/${who.id}/history`).set(admin.auth);
      expect((body as { what: { code: string } }[])[0]?.what.code).toBe('history.referral_approved');
    }
    expect(await waitingOf(friend)).toBeUndefined();
  });

  it('grants no credit when rejected, and stores the reason', async () => {
    const { referrer, friend, id } = await waiting();
    expect(outcome(await decide(id, 'reject', { reason: ' ' }))[0]).toBe(422);
    expect((await decide(id, 'reject', { reason: 'One person.' })).body).toMatchObject({
      state: 'rejected',
      rejection: 'One person.',
    });
    expect([await credits(referrer), await credits(friend)]).toEqual([[], []]);
    expect((await listed('rejected'))[0]).toMatchObject({ id, rejection: 'One person.' });
    expect(outcome(await decide(id, 'approve'))).toEqual([
      409,
      'This referral has already been decided. Reload the list.',
    ]);
  });

  it('is decided once under concurrent decisions', async () => {
    const { referrer, friend, id } = await waiting();
    const answers = await Promise.all(Array.from({ length: 8 }, () => decide(id, 'approve')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
    expect([(await credits(referrer)).length, (await credits(friend)).length]).toEqual([1, 1]);
  });

  it('credits the friend of a deactivated referrer, and is rejected for a deactivated friend', async () => {
    const gone = await waiting();
    await api.database.sql('update users set deactivated_at = now() where id = $1', [gone.referrer.id]);
    expect((await decide(gone.id, 'approve')).status).toBe(200);
    expect(await credits(gone.friend)).toHaveLength(1);
    expect(await api.database.sql('select 1 from credits where user_id = $1', [gone.referrer.id])).toEqual([]);

    const left = await waiting();
    await api.database.sql('update users set deactivated_at = now() where id = $1', [left.friend.id]);
    expect(outcome(await decide(left.id, 'approve'))).toEqual([
      409,
      'The referred account is deactivated. Reactivate it first, or reject the referral.',
    ]);
  });

  it('returns 404 when it does not exist', async () => {
    for (const what of ['approve', 'reject'] as const)
      expect(outcome(await decide(999_999, what, { reason: 'No.' }))).toEqual([404, 'There is no such referral.']);
  });
});

describe('referred user', () => {
  const step = fc.constantFrom('verify', 'verify twice at once', 'approve', 'approve twice at once', 'reject');
  it('creates at most one pair of credits, whatever happens and however often', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), fc.boolean(), async (steps, isNeighbour) => {
        const from = elsewhere();
        const referrer = await api.user(undefined, { from });
        const friend = await api.unverified(undefined, {
          referral_code: await codeOf(referrer),
          from: isNeighbour ? from : elsewhere(),
        });
        const once = {
          verify: () => verify(friend),
          approve: async () => decide((await waitingOf(friend))?.id ?? 999_999, 'approve'),
          reject: async () => decide((await waitingOf(friend))?.id ?? 999_999, 'reject', { reason: 'No.' }),
        };
        const run: Readonly<Record<string, () => Promise<unknown>>> = {
          ...once,
          'verify twice at once': () => Promise.all([once.verify(), once.verify()]),
          'approve twice at once': () => Promise.all([once.approve(), once.approve()]),
        };
        for (const name of steps) await run[name]?.();
        const pair = [await credits(referrer), await credits(friend)].map((list) =>
          list.map((credit) => credit.amount),
        );
        const isOne = pair.every((amounts) => amounts.length === 1 && amounts[0] === 4.99);
        const isNone = pair.every((amounts) => amounts.length === 0);
        expect(isOne || isNone).toBe(true);
        const isVerified = steps.some((name) => name.startsWith('verify'));
        if (!isNeighbour) expect(isOne).toBe(isVerified);
      }),
      { numRuns: 20 },
    );
  });
});
