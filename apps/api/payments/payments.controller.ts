import { PAYMENTS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { CheckoutService } from './checkout.service';
import { StripeWebhook } from './stripe-webhook.service';

@Controller()
export class PaymentsController {
  constructor(
    private readonly checkout: CheckoutService,
    private readonly webhook: StripeWebhook,
  ) {}

  @Serve(PAYMENTS_CALLS.createCheckoutSession)
  createCheckoutSession({ caller, body, idempotencyKey }: CallInput<typeof PAYMENTS_CALLS.createCheckoutSession>) {
    return this.checkout.begin(caller, body, idempotencyKey);
  }

  @Serve(PAYMENTS_CALLS.checkoutSession)
  checkoutSession({ caller, params }: CallInput<typeof PAYMENTS_CALLS.checkoutSession>) {
    return this.checkout.find(caller, params.id);
  }

  @Serve(PAYMENTS_CALLS.stripeWebhook)
  stripeWebhook({ rawBody, header }: CallInput<typeof PAYMENTS_CALLS.stripeWebhook>) {
    return this.webhook.receive(rawBody, header('stripe-signature'));
  }
}
