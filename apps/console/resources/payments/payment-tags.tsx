import type { AdminPaymentAnswer } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';

const TONES: Readonly<Record<AdminPaymentAnswer['status'], string>> = {
  open: 'tag brass',
  paid: 'tag sea',
  cancelled: 'tag off',
  expired: 'tag off',
  failed: 'tag port',
};

/** Kind and status of a payment. */
export function PaymentTags({ payment }: { payment: AdminPaymentAnswer }) {
  const t = useText();
  const { status, kind, test_mode: isTest, taken_back: back, is_disputed: isDisputed } = payment;
  return (
    <span className="row wrap">
      <span className={TONES[status]}>{t(`payments.states.${status}`)}</span>
      {isDisputed ? <span className="tag port">{t('payments.disputed')}</span> : null}
      {back > 0 ? (
        <span className="tag brass">{t('payments.taken', { amount: money(back, { rounding: 'price' }) })}</span>
      ) : null}
      {kind === 'automatic' ? <span className="tag">{t('payments.automatic')}</span> : null}
      {isTest ? <span className="tag">{t('payments.test')}</span> : null}
    </span>
  );
}
