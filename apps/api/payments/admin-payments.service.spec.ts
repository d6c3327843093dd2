import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminPaymentAnswer, AdminPaymentDetailsAnswer } from '@moorage/contracts';
import { iso, Money, type MovementKind } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { deliver, SECRET, stripeEvent } from '@moorage/tests/fakes/stripe';

const PATH = '/api/billing/admin/payments';

describe('payments for administrators', () => {
  let api: ApiHarness;
  let admin: TestAccount;
  let mara: TestAccount;
  let bert: TestAccount;
  /** Mara's payments: 20.00, paid, with a refund of 5.00 fully borne by the account, and an open one. */
  let refunded: string;
  let open: string;
  /** Bert's payment: 10.00, disputed. */
  let disputed: string;

  const list = async (query: object = {}) => {
    const { status, body, headers } = await api.http.get(PATH).query(query).set(admin.auth);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return { ...(body as { payments: AdminPaymentAnswer[]; total_pages: number }), headers };
  };
  const ids = async (query: object = {}) => (await list(query)).payments.map(({ id }) => id);
  const details = async (id: string): Promise<AdminPaymentDetailsAnswer> => {
    const { status, body, text } = await api.http.get(`${PATH}/${id}`).set(admin.auth);
    if (status !== 200) throw new Error(text);
    return body as AdminPaymentDetailsAnswer;
  };
  const session = async (account: TestAccount, amount_cents: number): Promise<string> => {
    const created = await api.http.post('/api/stripe/create-checkout-session').set(account.auth).send({ amount_cents });
    // The list is sorted in the order of the test.
    api.pass(1_000);
    return (created.body as { session_id: string }).session_id;
  };
  const paid = async (account: TestAccount, amount_cents: number): Promise<string> => {
    const id = await session(account, amount_cents);
    await api.http.post(`/api/stripe/test-checkout/${id}`).send({ outcome: 'pay' });
    // Set by an event of the provider.
    await api.database.sql('update checkout_sessions set payment_intent = $2 where id = $1', [id, `pi_${id}`]);
    return id;
  };
  const reversed = (
    id: string,
    account: TestAccount,
    what: { reversal: string; movement: string; kind: 'refund' | 'dispute'; amount: number; status: string },
  ) =>
    api.deps.db.tx('test.reversal', async (tx) => {
      const at = await api.deps.clock.now(tx);
      await tx.execute(
        `insert into payment_reversals (id, payment_intent, kind, amount_cents, status, reason, due_by, created_at, seen_at)
           values ($1, $2, $3, $4, $5, 'fraudulent', $6, $7, $7)`,
        [
          what.reversal,
          `pi_${id}`,
          what.kind,
          what.amount * 100,
          what.status,
          what.kind === 'dispute' ? iso(at + 1e9) : null,
          iso(at),
        ],
      );
      await api.deps.ledger.recordMovement(tx, {
        userId: account.id,
        paymentIntent: `pi_${id}`,
        paid: Money.of(20),
        movement: {
          id: what.movement,
          reversalId: what.reversal,
          kind: what.kind satisfies MovementKind,
          amount: Money.of(what.amount),
          fee: Money.of(what.kind === 'dispute' ? 15 : 0),
          movedAt: at,
        },
        at,
      });
    });

  beforeAll(async () => {
    api = await apiHarness();
    admin = await api.admin();
    mara = await api.user('mara');
    bert = await api.user('bert');
    refunded = await paid(mara, 2000);
    await reversed(refunded, mara, {
      reversal: 're_mara',
      movement: 'txn_mara',
      kind: 'refund',
      amount: 5,
      status: 'succeeded',
    });
    disputed = await paid(bert, 1000);
    await api.http
      .post(`/api/billing/admin/users/${bert.id}/adjust-balance`)
      .set(admin.auth)
      .send({ amount: -4, description: 'spent elsewhere' });
    await reversed(disputed, bert, {
      reversal: 'dp_bert',
      movement: 'txn_bert',
      kind: 'dispute',
      amount: 10,
      status: 'needs_response',
    });
    open = await session(mara, 3000);
  });
  afterAll(() => api.close());

  it('are listed newest first, with what was refunded or disputed', async () => {
    const { payments, headers } = await list();
    expect(headers['x-total-count']).toBe('3');
    expect(payments.map(({ id }) => id)).toEqual([open, disputed, refunded]);
    expect(payments[0]).toMatchObject({ status: 'open', amount: 30, taken_back: 0, username: 'mara', paid_at: null });
    expect(payments[1]).toMatchObject({ status: 'paid', amount: 10, taken_back: 10, is_disputed: true });
    expect(payments[2]).toMatchObject({ status: 'paid', amount: 20, taken_back: 5, is_disputed: false });
  });

  it('are paged', async () => {
    expect(await list({ per_page: 2, page: 2 })).toMatchObject({ total_pages: 2, current_page: 2, has_next: false });
    expect(await ids({ per_page: 2, page: 2 })).toEqual([refunded]);
  });

  it.each([
    [{ status: 'open' }, () => [open]],
    [{ status: 'paid' }, () => [disputed, refunded]],
    [{ status: 'failed' }, () => []],
    [{ problem: 'refunded' }, () => [refunded]],
    [{ problem: 'disputed' }, () => [disputed]],
    [{ problem: 'differs' }, () => []],
    [{ search: 'MARA' }, () => [open, refunded]],
    [{ search: 'bert@example.com' }, () => [disputed]],
    [{ search: 'dp_bert' }, () => [disputed]],
    [{ search: ' txn_mara ' }, () => [refunded]],
    [{ search: 'mara', status: 'paid' }, () => [refunded]],
    [{ search: '%' }, () => []],
  ])('are filtered by %j', async (query, found) => {
    expect(await ids(query)).toEqual(found());
  });

  it('are found by our ids and those of the provider', async () => {
    expect(await ids({ search: refunded })).toEqual([refunded]);
    expect(await ids({ search: `pi_${disputed}` })).toEqual([disputed]);
  });

  it('show for a refund what moved, what was posted and what is left', async () => {
    const answer = await details(refunded);
    expect(answer).toMatchObject({ refundable: 15, regular_balance: 15, provider_url: null, refund_requests: [] });
    expect(answer.events.map(({ type, outcome }) => [type, outcome])).toEqual([
      ['checkout.session.completed', 'posted'],
    ]);
    expect(answer.reversals).toMatchObject([
      {
        id: 're_mara',
        amount: 5,
        due_by: null,
        requested_by: null,
        movements: [{ id: 'txn_mara', amount: 5, posted: 5, fee: 0 }],
      },
    ]);
    expect(answer.ledger.map(({ type, amount, owed, cause }) => [type, amount, owed, cause])).toEqual([
      ['payment', 20, 0, refunded],
      ['payment_refund', -5, 0, 'txn_mara'],
    ]);
  });

  it('show for a dispute its deadline and the resulting debt, and cannot be refunded meanwhile', async () => {
    const answer = await details(disputed);
    expect(answer.reversals).toMatchObject([
      { status: 'needs_response', reason: 'fraudulent', due_by: expect.any(String), movements: [{ fee: 15 }] },
    ]);
    expect(answer.ledger.map(({ type, amount, owed }) => [type, amount, owed])).toEqual([
      ['payment', 10, 0],
      ['dispute', -6, -4],
    ]);
    expect(answer).toMatchObject({ refundable: 0, regular_balance: 0 });
    // The next payment settles the debt, as a line of that payment.
    const next = await paid(bert, 500);
    expect((await details(next)).ledger.map(({ type, amount, owed }) => [type, amount, owed])).toEqual([
      ['payment', 5, 0],
      ['owed_paid', -4, 4],
    ]);
  });

  it('count refunds in progress as already refunded', async () => {
    await api.database.sql(
      `insert into refund_requests (id, payment_id, amount_cents, reason, actor_user_id, state, refusal, created_at) values
         (gen_random_uuid(), $1, 300, 'by mistake', $2, 'asked', null, now()),
         (gen_random_uuid(), $1, 900, 'again', $2, 'refused', 'charge_already_refunded', now() + interval '1 second')`,
      [refunded, admin.id],
    );
    const { refundable, refund_requests } = await details(refunded);
    expect(refundable).toBe(12);
    expect(refund_requests).toMatchObject([
      { amount: 3, state: 'asked', requested_by: admin.username, refusal: null },
      { amount: 9, state: 'refused', refusal: 'charge_already_refunded' },
    ]);
    expect((await details(open)).refundable).toBe(0);
  });

  it('are marked as different when the nightly comparison found a difference', async () => {
    const comparison = async () => (await api.http.get('/api/billing/admin/payment-comparison').set(admin.auth)).body;
    expect(await comparison()).toEqual({ last: null, differences: [] });
    await api.database.sql(
      `insert into payment_comparisons (from_at, to_at, compared, differences, at)
         values ('2026-11-01T00:00:00Z', '2026-11-08T00:00:00Z', 40, 2, '2026-11-10T03:00:00Z')`,
    );
    await api.database.sql(
      `insert into payment_differences (id, kind, payment_intent, their_micros, our_micros, first_seen_at, last_seen_at, resolved_at) values
         ('txn_a', 'amount', $1, 20000000, 19000000, '2026-11-09T03:00:00Z', '2026-11-10T03:00:00Z', null),
         ('txn_b', 'missing_here', 'pi_unknown', 5000000, null, '2026-11-10T03:00:00Z', '2026-11-10T03:00:00Z', null),
         ('txn_c', 'missing_there', $1, null, 5000000, '2026-11-08T03:00:00Z', '2026-11-08T03:00:00Z', '2026-11-09T03:00:00Z')`,
      [`pi_${refunded}`],
    );
    expect(await comparison()).toMatchObject({
      last: { at: '2026-11-10T03:00:00.000Z', compared: 40, differences: 2 },
      differences: [
        { id: 'txn_a', kind: 'amount', payment_id: refunded, theirs: 20, ours: 19 },
        { id: 'txn_b', kind: 'missing_here', payment_id: null, payment_intent: 'pi_unknown', theirs: 5, ours: null },
      ],
    });
    expect(await ids({ problem: 'differs' })).toEqual([refunded]);
    expect((await details(refunded)).differences.map(({ id, resolved_at: at }) => [id, at !== null])).toEqual([
      ['txn_c', true],
      ['txn_a', false],
    ]);
  });

  it('return 404 when they do not exist', async () => {
    for (const id of ['cs_test_nothing', 'x', '999999'])
      expect((await api.http.get(`${PATH}/${id}`).set(admin.auth)).status).toBe(404);
  });
});

describe('live payment', () => {
  it.each([
    ['sk_live_x', 'https://dashboard.stripe.com/payments/pi_live'],
    ['sk_test_x', 'https://dashboard.stripe.com/test/payments/pi_live'],
  ])('links to the provider dashboard with the key %s', async (secretKey, url) => {
    const api = await apiHarness({
      settings: { stripe: { secretKey, webhookSecrets: [SECRET], apiBase: 'http://127.0.0.1:9' } },
    });
    const mara = await api.user();
    const admin = await api.admin();
    await api.database.sql(
      `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, created_at) values ('cs_live_of_mara', $1, 500, false, 'x', now())`,
      [mara.id],
    );
    const event = stripeEvent(
      'checkout.session.completed',
      {
        id: 'cs_live_of_mara',
        currency: 'usd',
        amount_total: 500,
        payment_intent: 'pi_live',
        payment_status: 'paid',
      },
      { livemode: secretKey === 'sk_live_x' },
    );
    expect((await deliver(api, event.payload)).status).toBe(200);
    const { body } = await api.http.get(`${PATH}/cs_live_of_mara`).set(admin.auth);
    expect(body).toMatchObject({ provider_url: url, events: [{ id: event.id, outcome: 'posted' }] });
    // Owners can read the status of their own sessions, and only these.
    const own = await api.http.get('/api/stripe/checkout-sessions/cs_live_of_mara').set(mara.auth);
    expect(own.body).toEqual({ status: 'paid', amount_cents: 500, test_mode: false });
    expect((await api.http.get('/api/stripe/checkout-sessions/cs_live_of_mara').set(admin.auth)).status).toBe(404);
    await api.close();
  });
});
