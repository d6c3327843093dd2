import { PAYMENTS_CALLS } from '@moorage/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { ApiDeps, Feature } from '../feature';
import type { CallInput } from '../http/call-input';
import type { Idempotency } from '../http/idempotency';
import { Serve } from '../http/serve';
import { type Checkout, createCheckout, stripeSessions } from './checkout';
import { createTestCheckout, PAGE_POLICY, type TestCheckout } from './test-checkout';
import { createWebhook, RETRY_STRIPE_EVENT, type Webhook } from './webhook';

const CHECKOUT = Symbol('checkout');
const WEBHOOK = Symbol('stripe webhook');
const TEST_CHECKOUT = Symbol('test checkout');

@Controller()
export class PaymentsController {
  constructor(
    @Inject(CHECKOUT) private readonly checkout: Checkout,
    @Inject(WEBHOOK) private readonly webhook: Webhook,
  ) {}

  @Serve(PAYMENTS_CALLS.createCheckoutSession)
  createCheckoutSession({ caller, body, idempotencyKey }: CallInput<typeof PAYMENTS_CALLS.createCheckoutSession>) {
    return this.checkout.begin(caller, body.amount_cents, idempotencyKey);
  }

  @Serve(PAYMENTS_CALLS.stripeWebhook)
  stripeWebhook({ rawBody, header }: CallInput<typeof PAYMENTS_CALLS.stripeWebhook>) {
    return this.webhook.receive(rawBody, header('stripe-signature'));
  }
}

@Controller()
export class TestCheckoutController {
  constructor(@Inject(TEST_CHECKOUT) private readonly test: TestCheckout) {}

  @Serve(PAYMENTS_CALLS.testCheckoutPage)
  page({ params, query, reply }: CallInput<typeof PAYMENTS_CALLS.testCheckoutPage>) {
    reply.header('content-type', 'text/html; charset=utf-8');
    reply.header('content-security-policy', PAGE_POLICY);
    return this.test.page(params.session_id, query.locale);
  }

  @Serve(PAYMENTS_CALLS.finishTestCheckout)
  async finish({ params, body, idempotencyKey, header, reply }: CallInput<typeof PAYMENTS_CALLS.finishTestCheckout>) {
    const done = await this.test.finish(params.session_id, body.outcome, idempotencyKey);
    // a browser posts the page's form and goes on; a script gets the answer
    if (header('content-type')?.startsWith('application/x-www-form-urlencoded') === true) {
      reply.status(303);
      // without the origin: the person goes on where the page was opened, localhost or 127.0.0.1
      reply.header('location', pathOf(done.url));
    }
    return done;
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

export function createPaymentsFeature(deps: ApiDeps, { idempotency }: { idempotency: Idempotency }): Feature {
  const { settings, random } = deps;
  const { stripe } = settings;
  const work = (webhook: Webhook) => ({ [RETRY_STRIPE_EVENT]: webhook.retry });
  if (stripe !== null) {
    const live = /^[a-z]+_live_/.test(stripe.secretKey);
    const webhook = createWebhook(deps, { secrets: stripe.webhookSecrets, live });
    const checkout = createCheckout(deps, { idempotency, openSession: stripeSessions(deps, stripe), testMode: false });
    return { controllers: [PaymentsController], providers: provided(checkout, webhook), work: work(webhook) };
  }
  // the settings refuse this already (decisions 36); said again where the money would come from nowhere
  if (settings.mode === 'production') throw new Error('production takes no test payments');
  // known to this process only: nobody outside can sign with it
  const secret = `whsec_${random.text(40)}`;
  const webhook = createWebhook(deps, { secrets: [secret], live: false });
  const test = createTestCheckout(deps, { idempotency, webhook, secret });
  const checkout = createCheckout(deps, { idempotency, openSession: test.openSession, testMode: true });
  return {
    controllers: [PaymentsController, TestCheckoutController],
    providers: [...provided(checkout, webhook), { provide: TEST_CHECKOUT, useValue: test }],
    work: work(webhook),
  };
}

function provided(checkout: Checkout, webhook: Webhook) {
  return [
    { provide: CHECKOUT, useValue: checkout },
    { provide: WEBHOOK, useValue: webhook },
  ];
}
