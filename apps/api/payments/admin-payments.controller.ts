import { ADMIN_PAYMENTS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { setTotalCount } from '../http/count';
import { Serve } from '../http/serve';
import { AdminPayments } from './admin-payments.service';
import { PaymentDifferences } from './payment-differences.service';
import { RefundPayment } from './refund-payment.use-case';

@Controller()
export class AdminPaymentsController {
  constructor(
    private readonly payments: AdminPayments,
    private readonly refund: RefundPayment,
    private readonly differences: PaymentDifferences,
  ) {}

  @Serve(ADMIN_PAYMENTS_CALLS.payments)
  async list({ query, reply }: CallInput<typeof ADMIN_PAYMENTS_CALLS.payments>) {
    const { answer, counted } = await this.payments.page(query);
    setTotalCount(counted, reply);
    return answer;
  }

  @Serve(ADMIN_PAYMENTS_CALLS.payment)
  payment({ params }: CallInput<typeof ADMIN_PAYMENTS_CALLS.payment>) {
    return this.payments.details(params.id);
  }

  @Serve(ADMIN_PAYMENTS_CALLS.refundPayment)
  refundPayment({ caller, params, body, idempotencyKey }: CallInput<typeof ADMIN_PAYMENTS_CALLS.refundPayment>) {
    const { amount_cents: amountCents, reason } = body;
    return this.refund.run(caller, params.id, { amountCents, reason }, idempotencyKey);
  }

  @Serve(ADMIN_PAYMENTS_CALLS.paymentComparison)
  comparison() {
    return this.payments.comparison();
  }

  @Serve(ADMIN_PAYMENTS_CALLS.settleDifference)
  settleDifference({ caller, params, body }: CallInput<typeof ADMIN_PAYMENTS_CALLS.settleDifference>) {
    return this.differences.settle(caller, params.id, body.reason);
  }
}
