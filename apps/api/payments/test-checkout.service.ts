import { createHash } from 'node:crypto';
import { PAYMENTS_CALLS, type ReturnTo, TEST_CARDS, type TestCard, type TestPageLocale } from '@moorage/contracts';
import type { CheckoutSession } from '@moorage/database';
import { DomainError, ORDER_MESSAGES, formatMessage } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { SERVER_TEXTS } from '@moorage/texts/server';
import { Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { Idempotency } from '../http/idempotency.service';
import { ApiSettings } from '../settings';
import { StripeWebhook, WebhookOptions } from './stripe-webhook.service';
import { TEST_SESSION_MS, testPaymentIntent } from './test-payments.service';

/** Colours of the console's tokens. The page is self-contained, so that it works without a built console. */
const STYLE = `
:root { color-scheme: light dark; --paper: #F7F6F2; --surface: #FFFFFF; --line: #E2E1D9; --edge: #7F8C92; --ink: #0F2630; --soft: #3F545E; --sea: #0A5A6C; --on-sea: #FFFFFF; --brass: #7D5200; --brass-tint: #FAEFD5; }
@media (prefers-color-scheme: dark) { :root { --paper: #0A1418; --surface: #101C21; --line: #22333A; --edge: #647983; --ink: #E7EEF0; --soft: #B4C4CA; --sea: #62C1D0; --on-sea: #04212A; --brass: #E4B45B; --brass-tint: #322711; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--paper); color: var(--ink); font: 16px/24px system-ui, sans-serif; }
main { width: min(424px, 100%); padding: 36px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
.tag { display: inline-block; padding: 1px 7px; border-radius: 4px; background: var(--brass-tint); color: var(--brass); font-size: 13px; line-height: 20px; font-weight: 550; }
h1 { margin: 10px 0 4px; font-size: 28px; line-height: 34px; font-weight: 600; }
p { margin: 0 0 20px; color: var(--soft); }
form { display: grid; gap: 10px; }
fieldset { min-width: 0; margin: 0 0 10px; padding: 0; border: 0; display: grid; gap: 8px; }
legend { margin-bottom: 8px; padding: 0; font-weight: 550; }
label { display: flex; gap: 12px; align-items: start; padding: 10px 14px; border: 1px solid var(--edge); border-radius: 7px; cursor: pointer; }
label:has(:checked) { border-color: var(--sea); box-shadow: inset 0 0 0 1px var(--sea); }
input { flex: none; width: 18px; height: 18px; margin: 3px 0; accent-color: var(--sea); }
small { display: block; color: var(--soft); font-size: 14px; line-height: 20px; }
button { min-height: 46px; border: 1px solid var(--edge); border-radius: 7px; background: var(--surface); color: var(--ink); font: 550 16px/24px system-ui, sans-serif; cursor: pointer; }
button.primary { background: var(--sea); border-color: var(--sea); color: var(--on-sea); }
a { color: var(--sea); }
:focus-visible { outline: 2px solid var(--sea); outline-offset: 2px; }
`;

/** Policy of the page: no script at all, only this style, and its form is sent to this origin only. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

type SessionRow = Pick<CheckoutSession, 'id' | 'user_id' | 'amount_cents' | 'status' | 'save_card' | 'created_at'>;

interface Finish {
  readonly sessionId: string;
  readonly outcome: 'pay' | 'cancel';
  /** Only used if the card is to be stored. */
  readonly card: TestCard;
  readonly returnTo: ReturnTo | undefined;
}

/** Test payments, without a payment provider (decisions 32). Absent in production and where Stripe is configured. */
@Injectable()
export class TestCheckout {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly settings: ApiSettings,
    private readonly idempotency: Idempotency,
    private readonly webhook: StripeWebhook,
    private readonly options: WebhookOptions,
  ) {}

  /** Returns the page on which the customer pays or cancels. */
  async page(sessionId: string, locale: TestPageLocale): Promise<string> {
    const { amount_cents, status, save_card: savesCard } = await this.session(sessionId);
    const amount = `$${(amount_cents / 100).toFixed(2)}`;
    const page = { brand: this.settings.brand.name, locale };
    return status === 'open' ? asking({ ...page, amount, savesCard }) : over(page);
  }

  /**
   * Creates the event that Stripe would send, signs it, and passes it to the same webhook. `key` is the Idempotency-Key
   * header.
   */
  async finish(
    { sessionId, outcome, card, returnTo }: Finish,
    key: string | null,
  ): Promise<{ outcome: 'pay' | 'cancel'; url: string }> {
    const { user_id, amount_cents, status, save_card } = await this.session(sessionId);
    const query = new URLSearchParams({
      ...(outcome === 'pay' ? { session_id: sessionId, test_mode: 'true' } : {}),
      ...(returnTo === undefined ? {} : { return_to: returnTo }),
    });
    const page = `${this.settings.publicUrl}/${outcome === 'pay' ? 'success' : 'cancel'}`;
    const answer = { outcome, url: query.size === 0 ? page : `${page}?${query.toString()}` };
    // The id of the event makes it idempotent. The key is only prevented from being used for two requests.
    const call = PAYMENTS_CALLS.finishTestCheckout;
    const what = [call.method, call.path, { sessionId, outcome, card }];
    const request = this.idempotency.keyed({ userId: user_id, key, call, what });
    if (request !== null) await this.idempotency.tx('payments.test-key', request, () => Promise.resolve(answer));
    const before = outcome === 'pay' ? 'paid' : 'expired';
    if (status === before) return answer;
    if (status !== 'open') throw new DomainError('CHECKOUT_STATE', ORDER_MESSAGES.checkout_over);
    const payload = JSON.stringify({
      // One event per session and outcome, so that a second click is a repeated delivery.
      id: `evt_test_${outcome}_${sessionId.slice('cs_test_'.length)}`,
      object: 'event',
      created: Math.floor(this.clock.localNow() / 1000),
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
          metadata: { moorage_user: String(user_id) },
          payment_intent: outcome === 'pay' ? testPaymentIntent(sessionId, save_card ? card : null) : null,
          payment_status: outcome === 'pay' ? 'paid' : 'unpaid',
          livemode: false,
        },
      },
    });
    const [secret = ''] = this.options.secrets;
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
    await this.webhook.receive(Buffer.from(payload), signature);
    return answer;
  }

  private async session(id: string): Promise<SessionRow> {
    return this.db.tx('payments.test-session', async (tx) => {
      const [row] = await tx.query<SessionRow>(
        `select id, user_id, amount_cents, status, save_card, created_at from checkout_sessions
          where id = $1 and test_mode and kind = 'checkout'`,
        [id],
      );
      if (row === undefined) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.checkout_unknown);
      const isLate = row.status === 'open' && row.created_at + TEST_SESSION_MS <= (await this.clock.now(tx));
      return isLate ? { ...row, status: 'expired' } : row;
    });
  }
}

interface PageFacts {
  readonly brand: string;
  readonly locale: TestPageLocale;
}

function asking({ brand, locale, amount, savesCard }: PageFacts & { amount: string; savesCard: boolean }): string {
  const { mode, heading, asks, pay, cancel } = SERVER_TEXTS[locale].test_checkout;
  return html(
    { brand, locale },
    `<span class="tag">${mode}</span>
<h1>${heading}</h1>
<p>${formatMessage(asks, { brand: escaped(brand), amount: `<strong>${amount}</strong>` })}</p>
<form method="post">${savesCard ? cards(locale) : ''}
<button class="primary" name="outcome" value="pay">${formatMessage(pay, { amount })}</button>
<button name="outcome" value="cancel">${cancel}</button>
</form>`,
  );
}

/** Returns the choice of the card to store. The cards differ in the result of later charges. */
function cards(locale: TestPageLocale): string {
  const choices = TEST_CARDS.map((card, index) => {
    const [name, does] = SERVER_TEXTS[locale].test_checkout[card];
    return `<label><input type="radio" name="card" value="${card}"${index === 0 ? ' checked' : ''}><span>${name}<small>${does}</small></span></label>`;
  });
  return `
<fieldset>
<legend>${SERVER_TEXTS[locale].test_checkout.keeps}</legend>
${choices.join('\n')}
</fieldset>`;
}

function over({ brand, locale }: PageFacts): string {
  const { heading, over: sentence, back } = SERVER_TEXTS[locale].test_checkout;
  return html({ brand, locale }, `<h1>${heading}</h1>\n<p>${sentence}</p>\n<p><a href="/billing">${back}</a></p>`);
}

function html({ brand, locale }: PageFacts, body: string): string {
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${formatMessage(SERVER_TEXTS[locale].test_checkout.title, { brand: escaped(brand) })}</title><style>${STYLE}</style></head>
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
