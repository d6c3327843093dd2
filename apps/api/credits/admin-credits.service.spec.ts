import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminCreditAnswer, AdminCreditPage, CreditAnswer, ReferralCluster } from '@moorage/contracts';
import { DAY_MS, HOUR_MS } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let admin: TestAccount;
let ada: TestAccount;
let bob: TestAccount;
beforeAll(async () => {
  api = await apiHarness({ settings: { trustedProxies: ['127.0.0.1'] } });
  admin = await api.admin();
  ada = await api.user('ada');
  const { body } = await api.http.get('/api/referrals/my-link').set(ada.auth);
  const { referral_code } = body as { referral_code: string };
  bob = await api.user('bob', { referral_code, from: '198.18.0.7' });
  await grant(bob, 2);
});
afterAll(() => api.close());

/** Grants a sign-up credit with the amount of free credits and sets it to this amount. */
async function grant(who: TestAccount, amount: number): Promise<number> {
  const id = await api.deps.db.tx('test.grant', async (tx) => {
    const at = await api.deps.clock.now(tx);
    return api.deps.ledger.grantCredit(tx, { userId: who.id, creditType: 'signup', at });
  });
  expect((await adjust(id, amount)).status).toBe(200);
  return id;
}

const list = (query: object = {}, by = admin) => api.http.get('/api/referrals/admin/credits').query(query).set(by.auth);
const page = async (query: object = {}): Promise<AdminCreditPage> => (await list(query)).body as AdminCreditPage;
const adjust = (id: number, amount: unknown) =>
  api.http.patch(`/api/referrals/admin/credits/${id}/adjust`).set(admin.auth).send({ amount });
const outcome = ({ status, body }: { status: number; body: unknown }) => [status, (body as { detail: string }).detail];

describe('list of all credits', () => {
  it('shows owner, network and counterpart of each credit, newest first', async () => {
    const { credits, ...pages } = await page();
    expect(pages).toEqual({ total_pages: 1, current_page: 1, has_next: false, has_previous: false });
    expect(credits.map(({ user_username, credit_type }) => [user_username, credit_type])).toEqual([
      ['bob', 'signup'],
      ['ada', 'referrer'],
      ['bob', 'referred'],
    ]);
    expect(credits[1]).toEqual({
      id: expect.any(Number),
      user_id: ada.id,
      user_username: 'ada',
      user_email: 'ada@example.com',
      credit_type: 'referrer',
      amount: 4.99,
      used_amount: 0,
      remaining_amount: 4.99,
      display_currency: 'EUR',
      created_at: expect.any(String),
      expires_at: expect.any(String),
      is_usable: false,
      is_expired: false,
      ip_address: '198.18.0.7',
      referral_user_username: 'bob',
      referral_user_email: 'bob@example.com',
    });
    expect(credits[0]).toMatchObject({ ip_address: null, referral_user_username: null, amount: 2 });
  });

  it.each([
    ['amount', 'asc', [2, 4.99, 4.99]],
    ['amount', 'desc', [4.99, 4.99, 2]],
    ['user_email', 'asc', ['ada', 'bob', 'bob']],
    ['user_email', 'desc', ['bob', 'bob', 'ada']],
    ['ip_address', 'asc', ['198.18.0.7', '198.18.0.7', null]],
    ['ip_address', 'desc', ['198.18.0.7', '198.18.0.7', null]],
    ['created_at', 'asc', ['bob', 'ada', 'bob']],
  ] as const)('is sorted by %s, %s', async (sort_by, sort_order, expected) => {
    const { credits } = await page({ sort_by, sort_order });
    const shown = (credit: AdminCreditAnswer): unknown =>
      sort_by === 'amount' ? credit.amount : sort_by === 'ip_address' ? credit.ip_address : credit.user_username;
    expect(credits.map(shown)).toEqual(expected);
  });

  it('is paged', async () => {
    const first = await page({ per_page: 2 });
    expect([first.credits.length, first.total_pages, first.has_next, first.has_previous]).toEqual([2, 2, true, false]);
    const second = await page({ per_page: 2, page: 2 });
    expect([second.credits.length, second.current_page, second.has_next, second.has_previous]).toEqual([
      1,
      2,
      false,
      true,
    ]);
    expect((await page({ page: 9 })).credits).toEqual([]);
  });

  it('is filtered by network or by email domain', async () => {
    // Credits granted from there, and all other credits of an account from there.
    expect((await page({ network: '198.18.0.0/24' })).credits).toHaveLength(3);
    expect((await page({ network: '2001:db8::/56' })).credits).toEqual([]);
    expect((await page({ mail_domain: 'EXAMPLE.com' })).credits).toHaveLength(3);
    expect((await page({ mail_domain: 'example' })).credits).toEqual([]);
  });

  it.each([
    { sort_by: 'remaining' },
    { sort_order: 'up' },
    { page: 0 },
    { per_page: 101 },
    { network: '198.18.0.0/33' },
  ])('rejects %j', async (query) => {
    expect((await list(query)).status).toBe(422);
  });

  it('is for administrators only', async () => {
    expect((await list({}, ada)).status).toBe(403);
  });
});

describe('clusters', () => {
  it('group networks and domains shared by several accounts', async () => {
    const of = async (by: string) =>
      (await api.http.get('/api/referrals/admin/clusters').query({ by }).set(admin.auth)).body as ReferralCluster[];
    expect(await of('mail_domain')).toEqual([]);
    const { body } = await api.http.get('/api/referrals/my-link').set(ada.auth);
    const { referral_code } = body as { referral_code: string };
    await api.user('carol', { referral_code, from: '198.18.1.7' });
    expect(await of('mail_domain')).toEqual([
      // Bob's pair with a sign-up credit of 2.00, and Carol's pair.
      { key: 'example.com', accounts: 2, waiting: 0, granted_amount: 21.96, newest_at: expect.any(String) },
    ]);
    expect(await of('network')).toEqual([]);
  });
});

describe('credit adjustment', () => {
  it('sets the amount, is posted and audited, and has no effect when repeated', async () => {
    const user = await api.user();
    const id = await grant(user, 4);
    for (let time = 0; time < 2; time++)
      expect((await adjust(id, 3.5)).body).toMatchObject({ id, amount: 3.5, remaining_amount: 3.5 });
    const rows = await api.database.sql(
      `select amount_micros from ledger_transactions where user_id = $1 and type = 'credit_adjusted' order by id`,
      [user.id],
    );
    expect(rows).toEqual([{ amount_micros: '-990000' }, { amount_micros: '-500000' }]);
    const { body } = await api.http.get(`/api/users/${user.id}/history`).set(admin.auth);
    expect((body as { what: { detail: string } }[]).map(({ what }) => what.detail)).toEqual([
      'Credit changed from $4.00 to $3.50',
      'Credit changed from $4.99 to $4.00',
    ]);
  });

  it.each([
    ['less than nothing', -0.01],
    ['no number', 'three'],
    ['nothing', null],
    ['more than there is', 1e9],
    ['a seventh decimal', 1.2345678],
  ])('is rejected: %s', async (_, amount) => {
    expect((await adjust(1, amount)).status).toBe(422);
  });

  it('is rejected below the amount already used, without any change', async () => {
    const user = await api.user();
    const id = await grant(user, 4);
    // Simulates a day that was paid with it.
    await api.database.sql('update credits set remaining_micros = remaining_micros - 1500000 where id = $1', [id]);
    expect(outcome(await adjust(id, 1.49))).toEqual([
      409,
      "1.50 of this credit has already been used, so it can't be set below that.",
    ]);
    expect((await adjust(id, 1.5)).body).toMatchObject({ used_amount: 1.5, remaining_amount: 0 });
  });

  it('is rejected for an expired credit and for an unknown one', async () => {
    const user = await api.user();
    const id = await grant(user, 4);
    await api.database.sql("update credits set expires_at = granted_at + interval '1 ms' where id = $1", [id]);
    api.pass(HOUR_MS);
    expect(outcome(await adjust(id, 3))).toEqual([409, 'This credit has expired, so it can no longer be adjusted.']);
    expect(outcome(await adjust(999_999, 3))).toEqual([404, 'There is no such credit.']);
    const { body } = await api.http.get('/api/signup-credits').set(user.auth);
    expect((body as CreditAnswer[])[0]).toMatchObject({ amount: 4, is_expired: true });
  });
});

describe('waiting requests and referrals', () => {
  it('are counted, with those that have waited longer than 24 hours', async () => {
    const waiting = async () => (await api.http.get('/api/referrals/admin/waiting').set(admin.auth)).body as unknown;
    expect(await waiting()).toEqual({ referrals: 0, requests: 0, overdue_requests: 0 });
    const body = { email: 'waits@example.org', reason: 'Please.' };
    expect((await api.http.post('/api/support/referral-request').send(body)).status).toBe(201);
    expect(await waiting()).toEqual({ referrals: 0, requests: 1, overdue_requests: 0 });
    await api.database.sql('update credit_requests set created_at = created_at - $1::interval', [
      `${DAY_MS / HOUR_MS + 1} hours`,
    ]);
    expect(await waiting()).toEqual({ referrals: 0, requests: 1, overdue_requests: 1 });
  });
});
