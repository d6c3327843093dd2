import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { deliverAll, type FakeStripe, fakeStripe, SECRET } from '@moorage/tests/fakes/stripe';

const code = (answer: { status: number; body: unknown }) => [answer.status, (answer.body as { code?: string }).code];

interface Begun {
  readonly url: string;
  readonly session_id: string;
}

describe('test checkout', () => {
  let api: ApiHarness;
  let jane: TestAccount;
  beforeAll(async () => {
    api = await apiHarness();
    jane = await api.unverified();
  });
  afterAll(() => api.close());

  const begin = (body: unknown, account = jane) =>
    api.http
      .post('/api/stripe/create-checkout-session')
      .set(account.auth)
      .send(body as object);
  const begun = async () => (await begin({ amount_cents: 2000 })).body as Begun;
  const finish = (id: string, outcome: unknown) => api.http.post(`/api/stripe/test-checkout/${id}`).send({ outcome });
  const balance = async () =>
    ((await api.http.get('/api/billing/balance').set(jane.auth)).body as { regular_balance: number }).regular_balance;

  it('starts with a local page, also for an unverified user', async () => {
    const answer = await begin({ amount_cents: 100 });
    expect(answer.status).toBe(201);
    const { url, session_id } = answer.body as { url: string; session_id: string };
    expect(url).toBe(`http://moorage.test/api/stripe/test-checkout/${session_id}`);
  });

  it('shows a page without scripts that submits its form only to us', async () => {
    const { session_id } = await begun();
    const page = await api.http.get(`/api/stripe/test-checkout/${session_id}`);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    // The policy must name this style, otherwise the page would be unstyled.
    const style = /<style>([\s\S]*)<\/style>/.exec(page.text)?.[1] ?? '';
    expect(page.headers['content-security-policy']).toContain(createHash('sha256').update(style).digest('base64'));
    expect(page.text).toContain('Pay $20.00');
    expect(page.text).not.toMatch(/<script|javascript:|\son\w+=|style=/i);
    const german = await api.http.get(`/api/stripe/test-checkout/${session_id}?locale=de`);
    expect(german.text).toContain('<html lang="de">');
    expect(german.text).toContain('$20.00 zahlen');
    expect((await api.http.get(`/api/stripe/test-checkout/${session_id}?locale=fr`)).status).toBe(422);
  });

  it('returns the next URL when paid by a script, with the balance updated by the webhook', async () => {
    const { session_id } = await begun();
    const before = await balance();
    const answer = await finish(session_id, 'pay');
    expect([answer.status, answer.body]).toEqual([
      200,
      { outcome: 'pay', url: `http://moorage.test/success?session_id=${session_id}&test_mode=true` },
    ]);
    expect(await balance()).toBeCloseTo(before + 20, 6);
    expect(
      await api.database.sql('select type, outcome from stripe_events where id = $1', [
        `evt_test_pay_${session_id.slice(8)}`,
      ]),
    ).toEqual([{ type: 'checkout.session.completed', outcome: 'posted' }]);
  });

  it('redirects the browser when paid by the form', async () => {
    const { session_id } = await begun();
    const answer = await api.http.post(`/api/stripe/test-checkout/${session_id}`).type('form').send({ outcome: 'pay' });
    expect([answer.status, answer.headers.location]).toEqual([303, `/success?session_id=${session_id}&test_mode=true`]);
  });

  it('returns to an order through its success and cancel pages', async () => {
    for (const [outcome, query] of [
      ['pay', (id: string) => `success?session_id=${id}&test_mode=true&return_to=order`],
      ['cancel', () => 'cancel?return_to=order'],
    ] as const) {
      const begunHere = (await begin({ amount_cents: 2000, return_to: 'order' })).body as Begun;
      const { url, session_id } = begunHere;
      expect(url).toBe(`http://moorage.test/api/stripe/test-checkout/${session_id}?return_to=order`);
      // A form without an action posts to the address of its page.
      const { pathname, search } = new URL(url);
      expect((await api.http.get(pathname + search)).text).toContain('<form method="post">');
      const answer = await api.http
        .post(pathname + search)
        .type('form')
        .send({ outcome });
      expect([answer.status, answer.headers.location]).toEqual([303, `/${query(session_id)}`]);
    }
    const { session_id } = await begun();
    const path = `/api/stripe/test-checkout/${session_id}?return_to=https://elsewhere.example`;
    expect((await api.http.get(path)).status).toBe(422);
    expect(code(await api.http.post(path).send({ outcome: 'pay' }))).toEqual([422, 'FIELDS_INVALID']);
  });

  it('offers a choice of test cards only when the card is saved', async () => {
    const { session_id } = await begun();
    expect((await api.http.get(`/api/stripe/test-checkout/${session_id}`)).text).not.toContain('type="radio"');
    const keeping = (await begin({ amount_cents: 2000, save_card: true })).body as Begun;
    for (const [locale, legend] of [
      ['en', 'Card for automatic top-ups'],
      ['de', 'Karte für automatische Aufladungen'],
    ] as const) {
      const page = await api.http.get(`/api/stripe/test-checkout/${keeping.session_id}?locale=${locale}`);
      expect(page.text).toContain(legend);
      expect(page.text.match(/value="(\w+)"( checked)?/g)).toEqual([
        'value="succeeds" checked',
        'value="declines"',
        'value="authentication"',
        'value="pay"',
        'value="cancel"',
      ]);
    }
  });

  it('expires after a day', async () => {
    const { session_id } = await begun();
    api.pass(DAY_MS);
    expect((await api.http.get(`/api/stripe/test-checkout/${session_id}`)).text).toContain('over');
    expect(code(await finish(session_id, 'pay'))).toEqual([409, 'CHECKOUT_STATE']);
  });

  it('is paid once by eight concurrent requests', async () => {
    const { session_id } = await begun();
    const before = await balance();
    const answers = await Promise.all(Array.from({ length: 8 }, () => finish(session_id, 'pay')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await balance()).toBeCloseTo(before + 20, 6);
  });

  it('ends when cancelled', async () => {
    const { session_id } = await begun();
    const before = await balance();
    expect((await finish(session_id, 'cancel')).body).toEqual({ outcome: 'cancel', url: 'http://moorage.test/cancel' });
    expect(code(await finish(session_id, 'pay'))).toEqual([409, 'CHECKOUT_STATE']);
    expect(await balance()).toBe(before);
    expect((await api.http.get(`/api/stripe/test-checkout/${session_id}`)).text).toContain('over');
  });

  it.each([undefined, null, '', 'paid', 5, ['pay'], { a: 1 }])('rejects the outcome %j', async (outcome) => {
    const { session_id } = await begun();
    expect(code(await finish(session_id, outcome))).toEqual([422, 'FIELDS_INVALID']);
    expect(await api.database.sql('select status from checkout_sessions where id = $1', [session_id])).toEqual([
      { status: 'open' },
    ]);
  });

  it.each([
    'cs_test_unknown0000000000',
    'x',
    "cs_test_' or 1=1",
    'cs_live_00000000000000000000',
    'cs_test_%00000000000000000',
  ])('returns 404 for the session %s', async (id) => {
    expect((await api.http.get(`/api/stripe/test-checkout/${encodeURIComponent(id)}`)).status).toBe(404);
    expect(code(await finish(encodeURIComponent(id), 'pay'))).toEqual([404, 'NOT_FOUND']);
  });

  it.each([undefined, null, 0, -1, 99, 100_001, 1e9, 1e308, 10.5, '10', true, [1000], { $gt: 0 }])(
    'rejects the amount %j and creates no session',
    async (amount_cents) => {
      const account = await api.unverified();
      const answer = await begin({ amount_cents }, account);
      expect(code(answer)).toEqual([422, 'FIELDS_INVALID']);
      expect(await api.database.sql('select 1 from checkout_sessions where user_id = $1', [account.id])).toEqual([]);
    },
  );

  it('states the limits', async () => {
    expect((await begin({ amount_cents: 50 })).body).toMatchObject({ detail: 'The smallest top-up is 1.00.' });
    expect((await begin({ amount_cents: 100_001 })).body).toMatchObject({ detail: 'The largest top-up is 1000.00.' });
  });

  it('changes nothing when the success page is opened', async () => {
    const { session_id } = await begun();
    const before = await balance();
    await api.http.get('/success').query({ session_id, test_mode: 'true' });
    await api.http.get('/api/success').query({ session_id, test_mode: 'true' });
    expect(await balance()).toBe(before);
  });

  it('rejects events signed with any other secret', async () => {
    const answer = await api.http
      .post('/api/webhooks/stripe')
      .set('stripe-signature', 't=1,v1=00')
      .type('json')
      .send('{}');
    expect(code(answer)).toEqual([400, 'SIGNATURE_INVALID']);
  });
});

describe('Stripe Checkout', () => {
  let stripe: FakeStripe;
  let api: ApiHarness;
  let jane: TestAccount;
  beforeAll(async () => {
    stripe = await fakeStripe();
    api = await apiHarness({
      settings: {
        mode: 'production',
        stripe: { secretKey: 'sk_live_canary', webhookSecrets: [SECRET], apiBase: stripe.url },
      },
    });
    jane = await api.user();
  });
  afterAll(async () => {
    await api.close();
    await stripe.close();
  });
  const begin = () => api.http.post('/api/stripe/create-checkout-session').set(jane.auth).send({ amount_cents: 1500 });

  it('opens a session for the amount in dollars, with links to our pages', async () => {
    const answer = await begin();
    expect(answer.body).toEqual({
      url: 'https://checkout.example/c/1',
      session_id: expect.stringMatching(/^cs_live_/),
    });
    const requested = Object.fromEntries(stripe.requested[0] ?? []);
    expect(requested).toMatchObject({
      mode: 'payment',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '1500',
      'line_items[0][quantity]': '1',
      client_reference_id: String(jane.id),
      customer_email: jane.email,
      success_url: 'http://moorage.test/success?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'http://moorage.test/cancel',
    });
    expect((stripe.keys[0] ?? '').length).toBeGreaterThan(20);
    expect(await api.database.sql('select user_id, amount_cents, status, test_mode from checkout_sessions')).toEqual([
      { user_id: jane.id, amount_cents: 1500, status: 'open', test_mode: false },
    ]);
  });

  it('reports that Stripe does not respond, without its error message', async () => {
    stripe.answerWith(500);
    const answer = await begin();
    stripe.answerWith(200);
    expect([answer.status, (answer.body as { detail: string }).detail]).toEqual([
      503,
      'Failed to start Stripe checkout. Try again in a moment.',
    ]);
    expect(api.logged() + answer.text).not.toContain('sk_live_canary');
    expect(await api.database.sql('select count(*)::int as sessions from checkout_sessions')).toEqual([
      { sessions: 1 },
    ]);
  });

  it('updates the balance once, however often and in whatever order events arrive', async () => {
    const { session_id } = (await begin()).body as Begun;
    const intent = stripe.pay(session_id);
    const events = stripe.takeEvents();
    expect(events.map(({ type }) => type)).toEqual([
      'charge.succeeded',
      'payment_intent.succeeded',
      'checkout.session.completed',
    ]);
    await deliverAll(api, [...events, ...events.reverse()]);
    const { body } = await api.http.get('/api/billing/balance').set(jane.auth);
    expect((body as { regular_balance: number }).regular_balance).toBe((stripe.books().get(intent) ?? 0) / 100);
    expect(
      await api.database.sql('select status, payment_intent from checkout_sessions where id = $1', [session_id]),
    ).toEqual([{ status: 'paid', payment_intent: intent }]);
  });

  it('offers no test checkout', async () => {
    const { session_id } = (await begin()).body as { session_id: string };
    for (const id of [session_id, 'cs_test_00000000000000000000']) {
      expect((await api.http.get(`/api/stripe/test-checkout/${id}`)).status).not.toBe(200);
      expect(
        (await api.http.post(`/api/stripe/test-checkout/${id}`).send({ outcome: 'pay' })).status,
      ).toBeGreaterThanOrEqual(404);
    }
    expect(api.api.served().some(({ path }) => path.includes('test-checkout'))).toBe(false);
  });

  it('is required to start in production', async () => {
    await expect(apiHarness({ settings: { mode: 'production', stripe: null } })).rejects.toThrow(
      /test payments are not allowed in production/,
    );
  });
});
