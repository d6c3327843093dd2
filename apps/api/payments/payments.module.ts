import { Log, Random } from '@moorage/server';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { AdminPayments } from './admin-payments.service';
import { AdminPaymentsController } from './admin-payments.controller';
import { ApplyPayment } from './apply-payment.use-case';
import { AutomaticTopUpController } from './automatic/automatic-top-up.controller';
import { AutomaticTopUpEvents } from './automatic/automatic-top-up.events';
import { AutomaticTopUpService } from './automatic/automatic-top-up.service';
import { AutomaticTopUps } from './automatic/automatic-top-ups.service';
import { AutomaticTopUpsSchedule } from './automatic/automatic-top-ups.schedule';
import { SavedCards } from './automatic/saved-cards.service';
import { TopUpSwitchModule } from '../top-up-switch/top-up-switch.module';
import { CheckoutService } from './checkout.service';
import { ComparePayments } from './compare-payments.use-case';
import { EndCheckouts } from './end-checkouts.use-case';
import { SyncPayment } from './sync-payment.use-case';
import { MakeRefund } from './make-refund.use-case';
import { PaymentDifferences } from './payment-differences.service';
import { PaymentProvider } from './payment-provider';
import { PaymentsController } from './payments.controller';
import { PaymentsSchedule } from './payments.schedule';
import { RefundPayment } from './refund-payment.use-case';
import { RefusedPayments } from './refused-payments.service';
import { StripePayments } from './stripe-payments';
import { StripeWebhook, WebhookOptions } from './stripe-webhook.service';
import { SweepCheckouts } from './sweep-checkouts.use-case';
import { TestCheckout } from './test-checkout.service';
import { TestCheckoutController } from './test-checkout.controller';
import { TestPayments } from './test-payments.service';

/** Top-ups, including automatic ones: through Stripe if it is configured, otherwise through test payments. */
@Module({
  imports: [TopUpSwitchModule],
  controllers: [PaymentsController, AdminPaymentsController, AutomaticTopUpController],
  providers: [
    CheckoutService,
    StripeWebhook,
    ApplyPayment,
    RefusedPayments,
    SyncPayment,
    RefundPayment,
    MakeRefund,
    SweepCheckouts,
    ComparePayments,
    EndCheckouts,
    PaymentDifferences,
    AdminPayments,
    PaymentsSchedule,
    AutomaticTopUps,
    AutomaticTopUpService,
    AutomaticTopUpEvents,
    AutomaticTopUpsSchedule,
    SavedCards,
  ],
})
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
    // The settings already refuse this (decisions 36). Refused here again because test payments would create money.
    if (mode === 'production') throw new Error('test payments are not allowed in production');
    return {
      module: PaymentsModule,
      controllers: [TestCheckoutController],
      providers: [
        {
          provide: WebhookOptions,
          inject: [Random],
          // The secret does not leave this process, so no other party can sign with it.
          useFactory: (random: Random): WebhookOptions => ({ secrets: [`whsec_${random.text(40)}`], live: false }),
        },
        { provide: PaymentProvider, useClass: TestPayments },
        TestCheckout,
      ],
    };
  }
}
