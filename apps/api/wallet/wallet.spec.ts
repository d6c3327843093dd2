import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Transactions } from '@moorage/contracts';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

describe('wallet over HTTP', () => {
  let api: ApiHarness;
  let jane: TestAccount;
  let tom: TestAccount;
  let admin: TestAccount;
  beforeAll(async () => {
    api = await apiHarness();
    [jane, tom, admin] = [await api.user(), await api.user(), await api.admin()];
  });
  afterAll(() => api.close());

  const code = (answer: { status: number; body: unknown }) => [answer.status, (answer.body as { code?: string }).code];
  const get = (path: string, account: TestAccount) => api.http.get(`/api${path}`).set(account.auth);
  const adjust = (id: number | string, body: object | undefined, account: TestAccount = admin) =>
    api.http.post(`/api/billing/admin/users/${id}/adjust-balance`).set(account.auth).send(body);

  it('is empty at first', async () => {
    expect((await get('/billing/balance', jane)).body).toEqual({
      total_balance: 0,
      regular_balance: 0,
      referral_credits: 0,
      signup_credits: 0,
      available_balance: 0,
      owed: 0,
    });
    expect((await get('/billing/transactions', jane)).body).toEqual({
      transactions: [],
      total_pages: 1,
      current_page: 1,
      has_next: false,
      has_previous: false,
    });
    expect((await get('/billing/runway', jane)).body).toMatchObject({
      ends_at: null,
      stops_first: null,
      level: 'none',
    });
  });

  it('lists an administrator’s additions and deductions with reasons, newest first, adding up to the balance', async () => {
    const account = await api.user();
    expect((await adjust(account.id, { amount: 12.345678, description: 'Goodwill' })).body).toMatchObject({
      regular_balance: 12.345678,
    });
    expect((await adjust(account.id, { amount: -2.3, description: 'Booked twice' })).body).toMatchObject({
      regular_balance: 10.045678,
    });
    const { body } = (await get('/billing/transactions', account)) as {
      body: { transactions: { date: string; transactions: { amount: number; description: string; type: string }[] }[] };
    };
    expect(body.transactions).toHaveLength(1);
    expect(body.transactions[0]?.transactions.map(({ amount, type }) => [amount, type])).toEqual([
      [-2.3, 'adjustment'],
      [12.345678, 'adjustment'],
    ]);
    expect(body.transactions[0]?.transactions[1]?.description).toContain('Goodwill');
    expect((await get('/auth/me', account)).body).toMatchObject({ balance: 10.045678 });
    expect(
      await api.database.sql('select actor_user_id, facts from audit_records where subject = $1 order by id', [
        `user:${account.id}`,
      ]),
    ).toEqual([
      { actor_user_id: admin.id, facts: { amount_micros: '12345678' } },
      { actor_user_id: admin.id, facts: { amount_micros: '-2300000' } },
    ]);
  });

  it('requires a reason for a deduction, which the owner receives by email', async () => {
    const account = await api.user();
    await adjust(account.id, { amount: 10 });
    const refused = await adjust(account.id, { amount: -3 });
    expect([refused.status, (refused.body as { errors: { path: string }[] }).errors[0]?.path]).toEqual([
      422,
      'description',
    ]);
    expect((await get('/billing/balance', account)).body).toMatchObject({ regular_balance: 10 });
    await adjust(account.id, { amount: -3, description: 'Booked twice' });
    await api.run();
    const [mail] = (await api.mailsTo(account.email)).filter(({ subject }) => subject.includes('Balance adjusted'));
    expect(mail?.subject).toBe('Balance adjusted by -$3.00');
    expect(mail?.text).toContain('Booked twice');
  });

  it('never goes below zero', async () => {
    const answer = await adjust(jane.id, { amount: -0.000001 });
    expect(code(answer)).toEqual([409, 'BALANCE_WOULD_BE_NEGATIVE']);
    expect((await get('/billing/balance', jane)).body).toMatchObject({ regular_balance: 0 });
  });

  it.each([
    ['nothing', undefined],
    ['no amount', {}],
    ['null', { amount: null }],
    ['a text', { amount: '10' }],
    ['zero', { amount: 0 }],
    ['seven decimals', { amount: 0.0000001 }],
    ['half a micro-unit', { amount: 1.0000005 }],
    ['too much', { amount: 1_000_001 }],
    ['far too much', { amount: 1e300 }],
    ['too little', { amount: -1_000_001 }],
    ['a list', { amount: [10] }],
    ['an object', { amount: { $gt: 0 } }],
    ['true', { amount: true }],
    ['a long reason', { amount: 1, description: 'x'.repeat(201) }],
    ['a reason of two lines', { amount: 1, description: 'a\nb' }],
    ['a reason of another kind', { amount: 1, description: 5 }],
    ['NUL in the reason', { amount: 1, description: 'a\u0000' }],
  ])('rejects an adjustment and posts nothing: %s', async (_, body) => {
    expect(code(await adjust(tom.id, body))).toEqual([422, 'FIELDS_INVALID']);
    expect(await api.database.sql('select 1 from ledger_transactions where user_id = $1', [tom.id])).toEqual([]);
  });

  it.each(['999999', '0', 'abc', '2147483648'])('returns 404 for an adjustment of account %s', async (id) => {
    expect(code(await adjust(id, { amount: 1 }))).toEqual([404, 'NOT_FOUND']);
  });

  it('does not let users adjust any account, including their own', async () => {
    expect(code(await adjust(jane.id, { amount: 100 }, jane))).toEqual([403, 'FORBIDDEN']);
  });

  it('shows a balance to its owner and to administrators, and returns 404 to others', async () => {
    expect((await get(`/users/${jane.id}/balance`, jane)).status).toBe(200);
    expect((await get(`/users/${jane.id}/balance`, admin)).status).toBe(200);
    const foreign = await get(`/users/${jane.id}/balance`, tom);
    const absent = await get('/users/999999/balance', tom);
    expect([foreign.status, foreign.body]).toEqual([404, absent.body]);
    expect((await get('/users/999999/balance', admin)).status).toBe(404);
  });

  it('shows administrators the transactions of one account by name or address, ignoring case', async () => {
    const account = await api.user();
    await adjust(account.id, { amount: 3 });
    for (const user of [account.username.toUpperCase(), account.email]) {
      const answer = await api.http.get('/api/billing/admin/transactions').query({ user }).set(admin.auth);
      expect(
        (answer.body as { transactions: { transactions: unknown[] }[] }).transactions[0]?.transactions,
      ).toHaveLength(1);
    }
    expect(
      code(await api.http.get('/api/billing/admin/transactions').query({ user: 'nobody' }).set(admin.auth)),
    ).toEqual([404, 'NOT_FOUND']);
    for (const user of ['%', "' or 1=1 --", '_']) {
      expect(code(await api.http.get('/api/billing/admin/transactions').query({ user }).set(admin.auth))).toEqual([
        404,
        'NOT_FOUND',
      ]);
    }
    expect(
      code(await api.http.get('/api/billing/admin/transactions').query({ user: account.username }).set(jane.auth)),
    ).toEqual([403, 'FORBIDDEN']);
  });

  it('shows administrators all transactions with owners, by day, up to a thousand', async () => {
    const [one, two] = [await api.user(), await api.user()];
    await adjust(one.id, { amount: 3 });
    await adjust(two.id, { amount: 4 });
    const request = (query: object = {}) =>
      api.http.get('/api/billing/admin/transactions').query(query).set(admin.auth);
    const seen = (body: unknown) => (body as Transactions).transactions.flatMap((day) => day.transactions);
    const { body, headers, status } = await request();
    expect(status).toBe(200);
    expect(seen(body).slice(0, 2)).toMatchObject([
      { amount: 4, user_id: two.id, username: two.username },
      { amount: 3, user_id: one.id, username: one.username },
    ]);
    expect(Number(headers['x-total-count'])).toBe(seen(body).length);
    const days = (body as Transactions).transactions.map(({ date }) => date);
    expect(days).toEqual([...days].sort().reverse());
    // The caller's own list does not name an owner.
    expect(seen((await request({ user: one.username })).body)[0]).not.toHaveProperty('user_id');

    const older = await request({ days_per_page: 1, page: 100 });
    expect(older.body).toMatchObject({ transactions: [], has_next: false, current_page: 100 });
    await api.database.sql(
      `insert into ledger_transactions (user_id, type, description, amount_micros, due_at, posted_at)
       select $1, 'adjustment', 'Seeded', 0, '2020-01-02T00:00:00Z'::timestamptz + n * interval '1 second', now() from generate_series(1, 1200) n`,
      [one.id],
    );
    const first = (await request({ days_per_page: 1 })).body as Transactions;
    const last = await request({ days_per_page: 1, page: first.total_pages });
    expect(last.body).toMatchObject({ transactions: [{ date: '2020-01-02' }], has_next: false });
    expect([seen(last.body).length, last.headers['x-total-count']]).toEqual([1_000, '1200']);
    expect(code(await api.http.get('/api/billing/admin/transactions').set(jane.auth))).toEqual([403, 'FORBIDDEN']);
  });

  it('is paged by days', async () => {
    const account = await api.user();
    for (let day = 0; day < 3; day++) {
      await adjust(account.id, { amount: 1 });
      api.pass(24 * 3_600_000);
    }
    // The administrator's session has not expired within 3 days.
    const page = async (page: number) =>
      (await get(`/billing/transactions?page=${page}&days_per_page=2`, account)).body as { transactions: unknown[] };
    expect(await page(1)).toMatchObject({ total_pages: 2, current_page: 1, has_next: true, has_previous: false });
    expect((await page(1)).transactions).toHaveLength(2);
    expect(await page(2)).toMatchObject({ has_next: false, has_previous: true });
    expect((await page(3)).transactions).toHaveLength(0);
  });
});
