import { againAddress } from '../../data/checkout';
import { usePublicText } from '../../texts/locale';
import { buttonClass } from '../../ui/button';
import { Link } from '../../ui/link';
import { ORDER } from './after-login';
import { isSuccess, type PaymentState } from './payment-state';

/** Next steps, of which only the most likely one is a filled button. */
export function PaymentWays({ state, isForOrder }: { state: PaymentState; isForOrder: boolean }) {
  const t = usePublicText();
  const leadsBack = isForOrder && (isSuccess(state) || state === 'open');
  const tryAgain = state === 'failed' || state === 'expired';
  const first = leadsBack
    ? { href: ORDER, label: t('success.to_order') }
    : tryAgain
      ? { href: againAddress(isForOrder), label: t('success.again') }
      : state === 'signed_out'
        ? { href: '/login', label: t('success.log_in') }
        : null;
  return (
    <div className="row wrap acts">
      {first === null ? null : (
        <Link className={buttonClass({ kind: 'primary' })} href={first.href}>
          {first.label}
        </Link>
      )}
      <Link className={buttonClass({ kind: first === null ? 'primary' : 'outlined' })} href="/billing">
        {t('success.to_billing')}
      </Link>
      <Link className={buttonClass()} href="/dashboard">
        {t('success.to_dashboard')}
      </Link>
    </div>
  );
}
