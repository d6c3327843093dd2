import { DomainError } from '@moorage/domain';
import Stripe from 'stripe';
import type { ApiDeps } from '../feature';
import type { OpenSession } from './checkout';
import type { Webhook } from './webhook';

/** Payments without a payment provider (decisions 32). Not there in production, nor where Stripe is. */
export interface TestCheckout {
  readonly openSession: OpenSession;
  /** The page that asks. */
  page(sessionId: string): Promise<string>;
  /** Makes the event that Stripe would send, signs it, and hands it to the same webhook. */
  finish(sessionId: string, outcome: 'pay' | 'cancel'): Promise<{ outcome: 'pay' | 'cancel'; url: string }>;
}

/** The page's own policy: no script at all, and its form goes nowhere but home. */
export const PAGE_POLICY = "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

interface SessionRow {
  readonly id: string;
  readonly user_id: number;
  readonly amount_cents: number;
  readonly status: 'open' | 'paid' | 'cancelled' | 'expired';
}

export function createTestCheckout(
  { db, random, clock, settings }: ApiDeps,
  { webhook, secret }: { webhook: Webhook; secret: string },
): TestCheckout {
  async function session(id: string): Promise<SessionRow> {
    const [row] = await db.tx('payments.test-session', (tx) =>
      tx.query<SessionRow>(
        'select id, user_id, amount_cents, status from checkout_sessions where id = $1 and test_mode',
        [id],
      ),
    );
    if (row === undefined) throw new DomainError('NOT_FOUND', 'There is no such checkout.');
    return row;
  }

  return {
    async openSession() {
      const id = `cs_test_${random.text(32)}`;
      return { id, url: `${settings.publicUrl}/api/stripe/test-checkout/${id}` };
    },

    async page(sessionId) {
      const { amount_cents, status } = await session(sessionId);
      const amount = `$${(amount_cents / 100).toFixed(2)}`;
      return status === 'open' ? asking(settings.brand.name, amount) : over(settings.brand.name);
    },

    async finish(sessionId, outcome) {
      const { user_id, amount_cents, status } = await session(sessionId);
      const answer = {
        outcome,
        url:
          outcome === 'pay'
            ? `${settings.publicUrl}/success?session_id=${sessionId}&test_mode=true`
            : `${settings.publicUrl}/cancel`,
      };
      const before = outcome === 'pay' ? 'paid' : 'expired';
      if (status === before) return answer;
      if (status !== 'open') throw new DomainError('CHECKOUT_STATE', 'This checkout is over. Begin a new one.');
      const payload = JSON.stringify({
        // one event per session and outcome, so that a second click is a repeated delivery
        id: `evt_test_${outcome}_${sessionId.slice('cs_test_'.length)}`,
        object: 'event',
        created: Math.floor(clock.wall() / 1000),
        livemode: false,
        type: outcome === 'pay' ? 'checkout.session.completed' : 'checkout.session.expired',
        data: {
          object: {
            id: sessionId,
            object: 'checkout.session',
            mode: 'payment',
            amount_total: amount_cents,
            currency: 'usd',
            client_reference_id: String(user_id),
            payment_intent: outcome === 'pay' ? `pi_test_${sessionId.slice('cs_test_'.length)}` : null,
            payment_status: outcome === 'pay' ? 'paid' : 'unpaid',
            livemode: false,
          },
        },
      });
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
      await webhook.receive(Buffer.from(payload), signature);
      return answer;
    },
  };
}

function asking(brand: string, amount: string): string {
  return html(
    `${brand}: test checkout`,
    `<h1>Test checkout</h1>
<p>This installation takes no real money. ${escaped(brand)} asks for <strong>${amount}</strong>.</p>
<form method="post">
<button name="outcome" value="pay">Pay ${amount}</button>
<button name="outcome" value="cancel">Cancel</button>
</form>`,
  );
}

function over(brand: string): string {
  return html(
    `${brand}: test checkout`,
    '<h1>Test checkout</h1>\n<p>This checkout is over.</p>\n<p><a href="/billing">Back to billing</a></p>',
  );
}

function html(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title></head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
