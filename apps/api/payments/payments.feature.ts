import type { ApiDeps, Feature } from '../feature';
import type { Idempotency } from '../http/idempotency';
import { ApplyPayment } from './apply-payment';
import { CheckoutService } from './checkout.service';
import { PaymentsController } from './payments.controller';
import { StripePayments } from './stripe-payments';
import { RETRY_STRIPE_EVENT, StripeWebhook, type WebhookOptions } from './stripe-webhook';
import { TestCheckout } from './test-checkout';
import { TestCheckoutController } from './test-checkout.controller';
import { TestPayments } from './test-payments';

export function createPaymentsFeature(deps: ApiDeps, { idempotency }: { idempotency: Idempotency }): Feature {
  const { db, clock, random, log, work, ledger, outbox, settings } = deps;
  const { stripe } = settings;
  // the settings refuse this already (decisions 36); refused here too, where money would come from nowhere
  if (stripe === null && settings.mode === 'production') throw new Error('production takes no test payments');
  const options: WebhookOptions =
    stripe === null
      ? // the secret stays in this process: nobody outside can sign with it
        { secrets: [`whsec_${random.text(40)}`], live: false }
      : { secrets: stripe.webhookSecrets, live: /^[a-z]+_live_/.test(stripe.secretKey) };
  const webhook = new StripeWebhook(db, clock, log, work, new ApplyPayment(ledger, outbox), options);
  const provider =
    stripe === null ? new TestPayments(random, settings) : new StripePayments(random, log, settings, stripe);
  const checkout = new CheckoutService(settings, idempotency, provider);
  const test = new TestCheckout(db, clock, settings, idempotency, webhook, options);
  return {
    controllers: stripe === null ? [PaymentsController, TestCheckoutController] : [PaymentsController],
    providers: [
      { provide: CheckoutService, useValue: checkout },
      { provide: StripeWebhook, useValue: webhook },
      { provide: TestCheckout, useValue: test },
    ],
    work: { [RETRY_STRIPE_EVENT]: (claim) => webhook.retry(claim) },
  };
}
