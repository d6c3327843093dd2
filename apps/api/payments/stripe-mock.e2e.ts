import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog, systemRandom } from '@moorage/server';
import type { Caller } from '../http/call-input';
import { TEST_SETTINGS } from '@moorage/tests/services/api/api-harness';
import type { OpenSession, ProviderEntry } from './payment-provider';
import { StripePayments } from './stripe-payments';
import { fakeStripe } from '@moorage/tests/fakes/stripe';

/**
 * Parameter that our version of Stripe's API (2026-10-28) accepts and the version of stripe-mock (2026-08-26) does not
 * yet. The last test fails once it does.
 */
const NEWER = 'allowed_payment_method_types';

const CARD = { customer: 'cus_1', paymentMethod: 'pm_1' };
const session = (more: Partial<OpenSession> = {}): OpenSession => ({
  caller: { userId: 7, email: 'jane@example.com' } as Caller,
  amountCents: 2000,
  request: null,
  saveCard: false,
  customer: null,
  query: '&return_to=order',
  ...more,
});

/**
 * Sends every request of the adapter to a server built from Stripe's own API description. None may be refused, and
 * every response must be understood.
 */
describe('requests to Stripe', () => {
  let mock: ChildProcess;
  let base: string;
  let payments: StripePayments;
  const lines: string[] = [];
  const adapter = (apiBase: string) =>
    new StripePayments(
      systemRandom(),
      createLog({ service: 'api', write: (line) => lines.push(line) }),
      TEST_SETTINGS,
      { secretKey: 'sk_test_123', webhookSecrets: [], apiBase },
    );

  beforeAll(async () => {
    mock = spawn(process.env.STRIPE_MOCK ?? '', ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    base = await new Promise<string>((resolve, reject) => {
      mock.on('error', reject);
      mock.on('exit', (code) => reject(new Error(`stripe-mock ended with ${code}`)));
      createInterface({ input: mock.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        const address = /Listening for HTTP at address: (\S+)/.exec(line)?.[1];
        if (address !== undefined) resolve(`http://${address}`);
      });
    });
    payments = adapter(base);
  });
  afterAll(() => {
    mock.kill();
  });

  it.each<[string, (on: StripePayments) => Promise<unknown>, unknown]>([
    ['open a session', (on) => on.openSession(session()), { id: expect.any(String), url: expect.any(String) }],
    ['read a session', (on) => on.sessionState('cs_test_1'), 'open'],
    ['read a card', (on) => on.cardOf('pi_1'), null],
    ['detach a card', (on) => on.forgetCard(CARD), undefined],
    [
      'charge a card',
      (on) => on.chargeCard({ paymentId: 'auto_1', userId: 7, card: CARD, amountCents: 1500 }),
      // Fixed response of stripe-mock.
      { kind: 'declined', failure: 'requires_payment_method', paymentIntent: expect.stringMatching(/^pi_/) },
    ],
    ['find a charge', (on) => on.findCharge({ paymentId: 'auto_1', customer: CARD.customer }), null],
    [
      'read refunds and disputes',
      (on) => on.reversalsOf('pi_1'),
      [
        expect.objectContaining({ kind: 'refund', cents: 100, status: 'succeeded' }),
        expect.objectContaining({ kind: 'dispute', cents: 1000, status: 'warning_needs_response' }),
      ],
    ],
    [
      'refund a payment',
      (on) => on.refund({ requestId: 'request-1', paymentIntent: 'pi_1', amountCents: 500 }),
      undefined,
    ],
    ['read the balance entries', (on) => all(on.entries({ from: 0, to: Date.UTC(2026, 10, 27) })), []],
  ])('%s', async (_, call, answer) => {
    expect(await call(payments)).toEqual(answer);
    expect(lines).toEqual([]);
  });

  it.each<[string, Partial<OpenSession>]>([
    ['a new customer', { saveCard: true }],
    ['an existing customer', { saveCard: true, customer: CARD.customer }],
  ])('open a session that saves the card of %s', async (_, more) => {
    const stripe = await fakeStripe();
    if (more.customer != null) stripe.addCustomer(more.customer);
    await adapter(stripe.url).openSession(session(more));
    await stripe.close();
    const [form = new URLSearchParams()] = stripe.requested;
    const send = async () =>
      (
        await fetch(`${base}/v1/checkout/sessions`, {
          method: 'POST',
          headers: { authorization: 'Bearer sk_test_123' },
          body: form,
        })
      ).status;
    expect(await send()).toBe(400);
    form.delete(`${NEWER}[0]`);
    expect(await send()).toBe(200);
  });
});

async function all(entries: AsyncIterable<ProviderEntry>): Promise<ProviderEntry[]> {
  const found: ProviderEntry[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}
