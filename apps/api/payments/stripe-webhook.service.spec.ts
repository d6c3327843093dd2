import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import {
  deliver,
  type FakeStripe,
  fakeStripe,
  NEXT_SECRET,
  SECRET,
  sign,
  stripeEvent,
} from '@moorage/tests/fakes/stripe';
import { ProviderDouble } from '@moorage/tests/fakes/stripe/provider-double';

describe('Stripe webhook', () => {
  let stripe: FakeStripe;
  let api: ApiHarness;
  let provider: ProviderDouble;
  let jane: TestAccount;
  let session: string;
  let intent: string;
  beforeAll(async () => {
    stripe = await fakeStripe();
    api = await apiHarness({
      settings: { stripe: { secretKey: 'sk_live_test', webhookSecrets: [SECRET, NEXT_SECRET], apiBase: stripe.url } },
    });
    provider = ProviderDouble.in(api);
  });
  afterAll(async () => {
    await api.close();
    await stripe.close();
  });
  beforeEach(async () => {
    jane = await api.user();
    const begun = await api.http
      .post('/api/stripe/create-checkout-session')
      .set(jane.auth)
      .send({ amount_cents: 2000 });
    session = (begun.body as { session_id: string }).session_id;
    intent = `pi_${session.slice(8, 20)}${jane.id}`;
  });

  const OURS = { moorage_user: '1' };
  const now = () => Math.floor(Date.now() / 1000);
  const completed = (changes: object = {}, event: object = {}) =>
    stripeEvent(
      'checkout.session.completed',
      {
        id: session,
        object: 'checkout.session',
        amount_total: 2000,
        currency: 'usd',
        payment_status: 'paid',
        payment_intent: intent,
        ...changes,
      },
      event,
    );
  /** Builds an event about a refund or dispute of the payment. */
  const eventOf = (type: string) => stripeEvent(type, { id: 'of_the_payment', payment_intent: intent });
  /** Refunds money at the provider and reports it. */
  const refund = (cents: number) => {
    provider.move(intent, provider.reversal(intent, 'refund', cents), 'refund', cents);
    return eventOf('charge.refunded');
  };
  const row = async () =>
    (await api.database.sql('select status, failure from checkout_sessions where id = $1', [session]))[0];
  const balance = async () =>
    (await api.http.get('/api/billing/balance').set(jane.auth)).body as { regular_balance: number; owed: number };
  const outcome = async (id: string) =>
    (await api.database.sql<{ outcome: string }>('select outcome from stripe_events where id = $1', [id]))[0]?.outcome;
  const everything = async () =>
    api.database.sql(
      `select (select count(*) from stripe_events)::int as events, (select count(*) from ledger_transactions)::int as postings,
              (select count(*) from audit_records)::int as records, (select count(*) from outbox where stream = 'payment')::int as told`,
    );

  it('credits a payment once to the user who opened the session, however often it is delivered', async () => {
    const { id, payload } = completed();
    for (let i = 0; i < 3; i++) {
      const answer = await deliver(api, payload);
      expect([answer.status, answer.body]).toEqual([200, { received: true }]);
    }
    expect(await balance()).toMatchObject({ regular_balance: 20 });
    expect(await outcome(id)).toBe('posted');
    const [row] = await api.database.sql('select status, payment_intent from checkout_sessions where id = $1', [
      session,
    ]);
    expect(row).toEqual({ status: 'paid', payment_intent: intent });
    await api.run();
    expect((await api.mailsTo(jane.email)).map(({ subject }) => subject)).toContain('Payment received: $20.00');
  });

  it('credits one payment for sixteen concurrent deliveries', async () => {
    const { payload } = completed();
    const answers = await Promise.all(Array.from({ length: 16 }, () => deliver(api, payload)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
    expect(await balance()).toMatchObject({ regular_balance: 20 });
  });

  it('credits one payment for two different events about one session', async () => {
    const [first, second] = [completed(), completed()];
    await Promise.all([deliver(api, first.payload), deliver(api, second.payload)]);
    expect(await balance()).toMatchObject({ regular_balance: 20 });
    expect([await outcome(first.id), await outcome(second.id)].sort()).toEqual(['nothing', 'posted']);
  });

  it('finds the work done on a repeat after a crash between credit and response', async () => {
    const { payload } = completed();
    const { at } = api.deps.db.checkpoints;
    let died = false;
    Object.assign(api.deps.db.checkpoints, {
      at: (name: string) =>
        !died && name === 'payments.webhook.committed'
          ? ((died = true), Promise.reject(new Error('killed')))
          : Promise.resolve(),
    });
    const first = await deliver(api, payload);
    Object.assign(api.deps.db.checkpoints, { at });
    expect([died, first.status]).toEqual([true, 500]);
    expect((await deliver(api, payload)).status).toBe(200);
    expect(await balance()).toMatchObject({ regular_balance: 20 });
  });

  describe('forged, stale or altered event is rejected with 400, neither stored nor logged', () => {
    const hmac = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex');
    const v1 = (signature: string) => /v1=([0-9a-f]+)/.exec(signature)?.[1] ?? '';
    type Forged = { payload: string | Buffer; signature: string | undefined };

    it.each<[string, (payload: string, signature: string) => Forged]>([
      ['no header', (payload) => ({ payload, signature: '' })],
      ['an empty body', (_, signature) => ({ payload: '', signature })],
      ['a space as header', (payload) => ({ payload, signature: ' ' })],
      ['rubbish as header', (payload) => ({ payload, signature: 'rubbish' })],
      ['no time', (payload, signature) => ({ payload, signature: `v1=${v1(signature)}` })],
      ['no signature', (payload) => ({ payload, signature: `t=${now()}` })],
      ['an empty signature', (payload) => ({ payload, signature: `t=${now()},v1=` })],
      ['only v0', (payload, signature) => ({ payload, signature: signature.replace('v1=', 'v0=') })],
      ['another secret', (payload) => ({ payload, signature: sign(payload, 'whsec_other') })],
      ['no secret', (payload) => ({ payload, signature: `t=${now()},v1=${hmac(`${now()}.${payload}`, '')}` })],
      [
        'the secret without its prefix',
        (payload) => ({ payload, signature: sign(payload, SECRET.slice('whsec_'.length)) }),
      ],
      ['301 seconds old', (payload) => ({ payload, signature: sign(payload, SECRET, now() - 302) })],
      ['a day old', (payload) => ({ payload, signature: sign(payload, SECRET, now() - 86_400) })],
      [
        'a new time over an old signature',
        (payload) => ({ payload, signature: `t=${now()},v1=${v1(sign(payload, SECRET, now() - 1000))}` }),
      ],
      ['a time before time', (payload) => ({ payload, signature: sign(payload, SECRET, -1) })],
      ['a time that is none', (payload) => ({ payload, signature: `t=now,v1=${hmac(`now.${payload}`)}` })],
      ['the time signed alone', (payload) => ({ payload, signature: `t=${now()},v1=${hmac(String(now()))}` })],
      ['the body signed alone', (payload) => ({ payload, signature: `t=${now()},v1=${hmac(payload)}` })],
      ['another separator', (payload) => ({ payload, signature: `t=${now()},v1=${hmac(`${now()}:${payload}`)}` })],
      ['half a signature', (payload, signature) => ({ payload, signature: signature.slice(0, -32) })],
      [
        'one digit changed',
        (payload, signature) => ({
          payload,
          signature: signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0'),
        }),
      ],
      [
        'sha512',
        (payload) => ({
          payload,
          signature: `t=${now()},v1=${createHmac('sha512', SECRET).update(`${now()}.${payload}`).digest('hex')}`,
        }),
      ],
      [
        'base64',
        (payload) => ({
          payload,
          signature: `t=${now()},v1=${createHmac('sha256', SECRET).update(`${now()}.${payload}`).digest('base64')}`,
        }),
      ],
      ['the amount changed', (payload, signature) => ({ payload: payload.replace('2000', '9000'), signature })],
      [
        'the session changed',
        (payload, signature) => ({ payload: payload.replace('cs_live_', 'cs_live_9'), signature }),
      ],
      ['printed again', (payload, signature) => ({ payload: JSON.stringify(JSON.parse(payload)), signature })],
      ['a space more', (payload, signature) => ({ payload: `${payload} `, signature })],
      ['a line end more', (payload, signature) => ({ payload: `${payload}\n`, signature })],
      ['other line ends', (payload, signature) => ({ payload: payload.replaceAll('\n', '\r\n'), signature })],
      ['UTF-16', (payload, signature) => ({ payload: Buffer.from(payload, 'utf16le'), signature })],
      [
        'a letter that only looks the same',
        (payload, signature) => ({ payload: payload.replace('checkout', 'сheckout'), signature }),
      ],
      [
        'another event with this signature',
        (_, signature) => ({ payload: completed({ amount_total: 1 }).payload, signature }),
      ],
      ['the signature of another event', (payload) => ({ payload, signature: sign(completed().payload) })],
      [
        'a fat header',
        (payload, signature) => ({
          payload,
          signature: `${'v1=aa,'.repeat(500)}${signature.replace(/v1=.*/, 'v1=bb')}`,
        }),
      ],
    ])('%s', async (_, forge) => {
      const before = await everything();
      const { payload } = completed({ client_reference_id: 'canary-of-the-body' });
      const forged = forge(payload, sign(payload));
      const answer = await deliver(api, forged.payload, forged.signature);
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([400, 'SIGNATURE_INVALID']);
      expect(await everything()).toEqual(before);
      expect(api.logged()).not.toContain('canary-of-the-body');
    });

    it('rejects a form or plain text before reading it', async () => {
      const { payload } = completed();
      for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
        const answer = await api.http
          .post('/api/webhooks/stripe')
          .set({ 'content-type': type, 'stripe-signature': sign(payload) })
          .send(payload);
        expect(answer.status).toBe(415);
      }
      expect(await balance()).toMatchObject({ regular_balance: 0 });
    });
  });

  it('accepts both secrets during a rotation, and a header with both signatures', async () => {
    const byNext = completed();
    expect((await deliver(api, byNext.payload, sign(byNext.payload, NEXT_SECRET))).status).toBe(200);
    expect(await balance()).toMatchObject({ regular_balance: 20 });
    const both = completed();
    const [old, next] = [sign(both.payload, 'whsec_gone'), sign(both.payload, NEXT_SECRET)];
    expect((await deliver(api, both.payload, `${old},${next.split(',')[1]}`)).status).toBe(200);
  });

  describe('event with a valid form but wrong content is not credited and raises an alert', () => {
    it.each([
      ['another amount', () => completed({ amount_total: 1999 }), 'refused: amount'],
      ['more than requested', () => completed({ amount_total: 200_000 }), 'refused: amount'],
      ['another currency', () => completed({ currency: 'eur' }), 'refused: currency'],
      ['test mode', () => completed({}, { livemode: false }), 'refused: livemode'],
      ['no amount', () => completed({ amount_total: null }), 'refused: unreadable'],
      ['a negative amount', () => completed({ amount_total: -2000 }), 'refused: unreadable'],
      ['half a cent', () => completed({ amount_total: 2000.5 }), 'refused: unreadable'],
      ['a text as amount', () => completed({ amount_total: '2000' }), 'refused: unreadable'],
      ['an id with a quote', () => completed({ id: "cs_' or 1=1" }), 'refused: unreadable'],
    ] as const)('%s', async (_, make, because) => {
      const { id, payload } = make();
      expect((await deliver(api, payload)).status).toBe(200);
      expect(await outcome(id)).toBe(because);
      expect(await balance()).toMatchObject({ regular_balance: 0 });
      expect(
        await api.database.sql('select action, facts from audit_records where subject = $1', [`stripe_event:${id}`]),
      ).toEqual([{ action: 'payment.refused', facts: { type: 'checkout.session.completed', because } }]);
      expect(api.logged()).toContain(`"reason":"${because}"`);
      // A correct event afterwards still counts.
      await deliver(api, completed().payload);
      expect(await balance()).toMatchObject({ regular_balance: 20 });
    });

    it.each(['unpaid', 'no_payment_required'])('posts nothing when completed but %s', async (payment_status) => {
      await deliver(api, completed({ payment_status }).payload);
      expect(await balance()).toMatchObject({ regular_balance: 0 });
    });

    it('counts a slow payment when it succeeds', async () => {
      await deliver(api, completed({ payment_status: 'unpaid' }).payload);
      const later = stripeEvent('checkout.session.async_payment_succeeded', {
        id: session,
        amount_total: 2000,
        currency: 'usd',
        payment_status: 'paid',
        payment_intent: { id: intent, object: 'payment_intent' },
      });
      await deliver(api, later.payload);
      expect(await balance()).toMatchObject({ regular_balance: 20 });
    });

    it('stores an irrelevant event without any effect', async () => {
      const { id, payload } = stripeEvent('customer.created', { id: 'cus_1' });
      expect((await deliver(api, payload)).status).toBe(200);
      expect(await outcome(id)).toBe('ignored');
    });

    it('rejects signed content that is not an event as malformed', async () => {
      for (const payload of [
        '{}',
        '[]',
        'null',
        '{"id":"evt_1"}',
        '{"id":"evt\\u0000","type":"x","livemode":true,"data":{"object":{}}}',
      ]) {
        expect((await deliver(api, payload)).status).toBe(400);
      }
    });
  });

  it('closes an expired session', async () => {
    await deliver(api, stripeEvent('checkout.session.expired', { id: session }).payload);
    expect(await api.database.sql('select status from checkout_sessions where id = $1', [session])).toEqual([
      { status: 'expired' },
    ]);
    expect(await balance()).toMatchObject({ regular_balance: 0 });
  });

  describe('events out of order', () => {
    it('defers a payment whose session is unknown until the session is known', async () => {
      const unknown = `cs_live_later${jane.id}`;
      const { id, payload } = completed({ id: unknown, metadata: OURS });
      expect((await deliver(api, payload)).status).toBe(200);
      expect(await outcome(id)).toBe('waiting');
      await api.run();
      expect(await outcome(id)).toBe('waiting');
      await api.database.sql(
        `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, created_at) values ($1, $2, 2000, false, 'x', now())`,
        [unknown, jane.id],
      );
      api.pass(61_000);
      await api.run();
      expect(await outcome(id)).toBe('posted');
      expect(await balance()).toMatchObject({ regular_balance: 20 });
      expect(await api.database.sql('select facts from stripe_events where id = $1', [id])).toEqual([{ facts: null }]);
    });

    it('gives up after three days with an alert', async () => {
      const { id, payload } = completed({ id: `cs_live_never${jane.id}`, metadata: OURS });
      await deliver(api, payload);
      api.pass(3 * 86_400_000 + 120_000);
      await api.run();
      expect(await outcome(id)).toBe('refused: unknown session');
      expect(
        await api.database.sql('select action from audit_records where subject = $1', [`stripe_event:${id}`]),
      ).toEqual([{ action: 'payment.refused' }]);
    });

    it('retries with growing delays of an hour at most', async () => {
      const { id, payload } = completed({ id: `cs_live_seldom${jane.id}`, metadata: OURS });
      await deliver(api, payload);
      const waits: number[] = [];
      for (let tries = 0; tries < 8; tries++) {
        const [{ due = 0 } = {}] = await api.database.sql<{ due: number }>(
          `select extract(epoch from w.due_at - e.received_at)::int as due from work w join stripe_events e on e.id = w.key
           where w.kind = 'retry-stripe-event' and w.key = $1`,
          [id],
        );
        waits.push(due);
        const [{ now = 0 } = {}] = await api.database.sql<{ now: number }>(
          'select extract(epoch from received_at)::float8 * 1000 as now from stripe_events where id = $1',
          [id],
        );
        api.pass(now + due * 1000 + 500 - api.deps.clock.localNow());
        await api.run();
      }
      const steps = waits.map((wait, index) => wait - (waits[index - 1] ?? 0));
      expect(steps.map((step, index) => step >= Math.min(2 ** index * 30, 3_600))).toEqual(steps.map(() => true));
      expect(Math.max(...steps)).toBeLessThan(3_660);
    });

    it('defers a refund that arrives before its payment', async () => {
      const eventOf = refund(500);
      await deliver(api, eventOf.payload);
      expect(await outcome(eventOf.id)).toBe('waiting');
      await deliver(api, completed().payload);
      await api.run();
      expect(await outcome(eventOf.id)).toBe('nothing');
      expect(await balance()).toMatchObject({ regular_balance: 15, owed: 0 });
    });

    it('defers a refund stored by a version that separated refunds and disputes', async () => {
      const eventOf = refund(500);
      await deliver(api, eventOf.payload);
      const facts = { kind: 'refunded', payment_intent: intent, cents: 500, currency: 'usd' };
      await api.database.sql('update stripe_events set facts = $2 where id = $1', [eventOf.id, JSON.stringify(facts)]);
      await deliver(api, completed().payload);
      await api.run();
      expect(await outcome(eventOf.id)).toBe('nothing');
      expect(await balance()).toMatchObject({ regular_balance: 15, owed: 0 });
    });

    const DISPUTE = [
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      'charge.dispute.funds_reinstated',
      'charge.dispute.closed',
    ];
    it.each<[string, string[]]>([
      ['in order', DISPUTE],
      ['in reverse order', [...DISPUTE].reverse()],
      ['with all but the last lost', ['charge.dispute.closed']],
    ])('leaves the money unchanged for a won dispute that arrives %s', async (_, types) => {
      await deliver(api, completed().payload);
      const id = provider.reversal(intent, 'dispute', 2000, { status: 'won' });
      provider.move(intent, id, 'dispute', 2000);
      provider.move(intent, id, 'dispute_won', 2000);
      for (const type of types) {
        await deliver(api, eventOf(type).payload);
        await api.run();
      }
      expect(await balance()).toMatchObject({ regular_balance: 20, owed: 0 });
    });
  });

  describe('another product on the same Stripe account', () => {
    it('has its checkouts ignored at once', async () => {
      const { id, payload } = completed({ id: `cs_live_theirs${jane.id}`, metadata: { order: '7' } });
      await deliver(api, payload);
      expect(await outcome(id)).toBe('ignored');
      expect(await api.database.sql('select 1 from work where key = $1', [id])).toEqual([]);
    });

    it('has its refunds looked up once and then ignored, without an audit record', async () => {
      provider.foreign.add(intent);
      const event = eventOf('refund.created');
      await deliver(api, event.payload);
      for (let tries = 0; tries < 3; tries++) {
        api.pass(61_000);
        await api.run();
      }
      expect(await outcome(event.id)).toBe('ignored');
      expect(provider.ownersRequested.filter((requested) => requested === intent)).toHaveLength(1);
      expect(
        await api.database.sql('select 1 from audit_records where subject = $1', [`stripe_event:${event.id}`]),
      ).toEqual([]);
    });

    it('does not cause repeated look-ups of our refunds while their payment is pending', async () => {
      const event = refund(500);
      await deliver(api, event.payload);
      for (let tries = 0; tries < 3; tries++) {
        api.pass(3_600_000);
        await api.run();
      }
      expect(await outcome(event.id)).toBe('waiting');
      expect(provider.ownersRequested.filter((requested) => requested === intent)).toHaveLength(1);
      await deliver(api, completed().payload);
      await api.run();
      expect(await balance()).toMatchObject({ regular_balance: 15 });
    });

    it('has its refunds deferred while Stripe is unreachable', async () => {
      provider.foreign.add(intent);
      const event = eventOf('refund.created');
      await deliver(api, event.payload);
      provider.isAway = true;
      api.pass(61_000);
      await api.run();
      provider.isAway = false;
      expect(await outcome(event.id)).toBe('waiting');
      api.pass(3_600_000);
      await api.run();
      expect(await outcome(event.id)).toBe('ignored');
    });
  });

  it.each([
    'charge.refunded',
    'charge.refund.updated',
    'refund.created',
    'refund.updated',
    'refund.failed',
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.funds_reinstated',
    'charge.dispute.closed',
  ])('queries the provider for movements on %s', async (type) => {
    await deliver(api, completed().payload);
    const id = provider.reversal(intent, 'dispute', 700);
    provider.move(intent, id, 'dispute', 700);
    const event = eventOf(type);
    await deliver(api, event.payload);
    await api.run();
    expect(await outcome(event.id)).toBe('nothing');
    expect(await balance()).toMatchObject({ regular_balance: 13 });
  });

  it('closes a failed slow payment, and still counts a late success', async () => {
    await deliver(api, completed({ payment_status: 'unpaid' }).payload);
    await deliver(api, stripeEvent('checkout.session.async_payment_failed', { id: session }).payload);
    expect(await row()).toMatchObject({ status: 'failed', failure: 'async_payment_failed' });
    await deliver(api, completed().payload);
    expect(await row()).toMatchObject({ status: 'paid' });
    expect(await balance()).toMatchObject({ regular_balance: 20 });
  });

  it('counts the charge of a saved card once by our id in its metadata, and ignores those of checkouts', async () => {
    const id = `auto_${jane.id}`;
    await api.database.sql(
      `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, created_at, kind) values ($1, $2, 1000, false, '', now(), 'automatic')`,
      [id, jane.id],
    );
    const charged = (metadata: object) =>
      stripeEvent('payment_intent.succeeded', { id: intent, amount_received: 1000, currency: 'usd', metadata });
    const foreign = charged({});
    await deliver(api, foreign.payload);
    expect(await outcome(foreign.id)).toBe('ignored');
    for (let twice = 0; twice < 2; twice++) await deliver(api, charged({ payment_id: id }).payload);
    expect(await balance()).toMatchObject({ regular_balance: 10 });
  });

  it.each([true, false])('saves the card only with the consent of its owner: %s', async (save) => {
    await api.database.sql('update checkout_sessions set save_card = $2 where id = $1', [session, save]);
    await deliver(api, completed().payload);
    const work = await api.database.sql(`select key from work where kind = 'keep-card' and key = $1`, [session]);
    expect(work).toHaveLength(save ? 1 : 0);
  });

  it('leaves a balanced ledger', async () => {
    expect(
      await api.database.sql('select transaction_id from ledger_lines group by 1 having sum(amount_micros) <> 0'),
    ).toEqual([]);
    expect(
      await api.database.sql(
        `select w.user_id from wallets w left join ledger_transactions t on t.user_id = w.user_id
           left join ledger_lines l on l.transaction_id = t.id and l.ledger_account = 'regular'
          group by w.user_id, w.regular_micros having w.regular_micros <> coalesce(sum(l.amount_micros), 0)`,
      ),
    ).toEqual([]);
  });
});
