import { Random } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { type CheckoutSession, PaymentProvider } from './payment-provider';

/** Sessions on the page of test payments (decisions 32). */
@Injectable()
export class TestPayments extends PaymentProvider {
  readonly testMode = true;

  constructor(
    private readonly random: Random,
    private readonly settings: ApiSettings,
  ) {
    super();
  }

  openSession(): Promise<CheckoutSession> {
    const id = `cs_test_${this.random.text(32)}`;
    return Promise.resolve({ id, url: `${this.settings.publicUrl}/api/stripe/test-checkout/${id}` });
  }
}
