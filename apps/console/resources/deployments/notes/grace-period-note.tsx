import { CircleAlert } from 'lucide-react';
import { GraceLeft } from '../../../parts/money/grace-left';
import { SavingButton } from '../../../parts/money/saving-button';
import { useRunway } from '../../../data/billing';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { shortInstant } from '../../../ui/dates';
import { money } from '../../../ui/money';
import { useActsAsOwner } from '../actions';
import { isOwn } from '../../../parts/deployment/deployment-messages';

/**
 * Warns about an unpaid charge during its grace period, with its amount, deadline, consequence and, for the owner, a
 * top-up button.
 */
export function GracePeriodNote({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { data: runway } = useRunway();
  const isOwner = useActsAsOwner(deployment);
  const { grace_period_ends_at: until } = deployment;
  if (until === null) return null;
  const gracePeriod = runway?.grace_periods.find(({ deployment_id: id }) => id === deployment.id);
  const date = shortInstant(until);
  return (
    <div className="note port" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div>
        <p>
          <b>{t('deployments.grace_period.title')}</b> <GraceLeft until={until} />
        </p>
        <p className="soft">
          {gracePeriod === undefined
            ? t('deployments.grace_period.line_short', { date })
            : t('deployments.grace_period.line', {
                amount: money(gracePeriod.amount, { rounding: 'needed' }),
                needed: money(gracePeriod.needed, { rounding: 'needed' }),
                date,
              })}{' '}
          {t(isOwn(deployment) ? 'deployments.grace_period.gone_own' : 'deployments.grace_period.gone')}
        </p>
        {isOwner && runway !== undefined ? <SavingButton runway={runway} /> : null}
      </div>
    </div>
  );
}
