import { Log, Random } from '@moorage/server';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { ApplyPayment } from './apply-payment';
import { CheckoutService } from './checkout.service';
import { PaymentProvider } from './payment-provider';
import { PaymentsController } from './payments.controller';
import { StripePayments } from './stripe-payments';
import { StripeWebhook, WebhookOptions } from './stripe-webhook';
import { TestCheckout } from './test-checkout';
import { TestCheckoutController } from './test-checkout.controller';
import { TestPayments } from './test-payments';

/** Top-ups: through Stripe where it is configured, otherwise through test payments. */
@Module({ controllers: [PaymentsController], providers: [CheckoutService, StripeWebhook, ApplyPayment] })
export class PaymentsModule {
  static of({ stripe, mode }: Pick<ApiSettings, 'stripe' | 'mode'>): DynamicModule {
    if (stripe !== null) {
      const options: WebhookOptions = {
        secrets: stripe.webhookSecrets,
        live: /^[a-z]+_live_/.test(stripe.secretKey),
      };
      return {
        module: PaymentsModule,
        providers: [
          { provide: WebhookOptions, useValue: options },
          {
            provide: PaymentProvider,
            inject: [Random, Log, ApiSettings],
            useFactory: (random: Random, log: Log, settings: ApiSettings) =>
              new StripePayments(random, log, settings, stripe),
          },
        ],
      };
    }
    // the settings refuse this already (decisions 36); refused here too, where money would come from nowhere
    if (mode === 'production') throw new Error('production takes no test payments');
    return {
      module: PaymentsModule,
      controllers: [TestCheckoutController],
      providers: [
        {
          provide: WebhookOptions,
          inject: [Random],
          // the secret stays in this process: nobody outside can sign with it
          useFactory: (random: Random): WebhookOptions => ({ secrets: [`whsec_${random.text(40)}`], live: false }),
        },
        { provide: PaymentProvider, useClass: TestPayments },
        TestCheckout,
      ],
    };
  }
}
