import type { AdminPaymentDetailsAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { CopyButton } from '../../ui/copy-button';
import { Instant } from '../../ui/instant';
import { money } from '../../ui/money';
import { Facts } from '../../ui/record-screen';

/** Owner, amounts, times and IDs of a payment. */
export function PaymentFacts({ payment }: { payment: AdminPaymentDetailsAnswer }) {
  const t = useText();
  const sum = (amount: number): string => money(amount, { rounding: 'price' });
  return (
    <Facts
      rows={[
        [
          t('payments.owner'),
          <span key="owner" className="anywhere">
            <Link to={`/users/${payment.user_id}/show`}>{payment.username}</Link>{' '}
            <span className="muted">{payment.email}</span>
          </span>,
        ],
        [t('payments.amount'), sum(payment.amount)],
        payment.taken_back === 0 ? null : [t('payments.taken_back'), sum(-payment.taken_back)],
        [t('payments.refundable'), sum(payment.refundable)],
        [t('payments.regular'), money(payment.regular_balance, { rounding: 'balance' })],
        payment.failure === null ? null : [t('payments.failure'), <code key="failure">{payment.failure}</code>],
        [t('payments.opened'), <Instant key="opened" iso={payment.created_at} />],
        payment.paid_at === null ? null : [t('payments.paid'), <Instant key="paid" iso={payment.paid_at} />],
        [t('payments.card'), t(payment.save_card ? 'payments.card_kept' : 'payments.card_not_kept')],
        [t('payments.session'), <Id key="session" value={payment.id} what={t('payments.session')} />],
        payment.payment_intent === null
          ? null
          : [t('payments.intent'), <Id key="intent" value={payment.payment_intent} what={t('payments.intent')} />],
      ]}
    />
  );
}

function Id({ value, what }: { value: string; what: string }) {
  return (
    <span className="mono small anywhere">
      {value} <CopyButton value={value} what={what} />
    </span>
  );
}
