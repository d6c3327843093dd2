import { CircleAlert } from 'lucide-react';
import { useRunway } from '../../data/billing';
import { useText } from '../../texts/console-i18n';
import { shortInstant } from '../../ui/dates';
import { money } from '../../ui/money';
import { GraceLeft } from './grace-left';
import { SavingButton } from './saving-button';

/**
 * Banner for unpaid charges. Shows what is unpaid, the amount needed and the deadline, with a top-up that covers all of
 * them as the only filled button. Hidden if everything is paid.
 */
export function GracePeriodBanner() {
  const t = useText();
  const { data: runway } = useRunway();
  const [first] = runway?.grace_periods ?? [];
  if (runway === undefined || first === undefined) return null;
  return (
    <div className="note port hold" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{t('billing.grace_period.title', { smart_count: runway.grace_periods.length })}</b>{' '}
          <GraceLeft until={first.grace_period_ends_at} />
        </p>
        {runway.grace_periods.map(
          ({ deployment_id: id, client_name: name, amount, needed, grace_period_ends_at: endsAt }) => (
            <p key={id}>
              {t('billing.grace_period.line', {
                name,
                amount: money(amount, { rounding: 'needed' }),
                needed: money(needed, { rounding: 'needed' }),
                date: shortInstant(endsAt),
              })}
            </p>
          ),
        )}
        <p className="small soft">{t('billing.grace_period.gone')}</p>
      </div>
      <SavingButton runway={runway} />
    </div>
  );
}
