import { BILLABLE } from '@moorage/domain';
import { useRunway } from '../../data/billing';
import type { Deployment } from '../../data/deployments';
import { useServerNow } from '../../data/server-now';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { isOwn } from '../../parts/deployment/deployment-messages';
import { BackupsAfter } from './backups/backups-after';
import { refundOfToday } from './refund';
import { useUndoHours } from './undo-hours';

/** Explanation for a deployment that runs. */
export function StopNotice({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const hours = useUndoHours(deployment);
  const lost = (): string => {
    if (isOwn(deployment)) return t('deployments.confirm.lost_own');
    return hours > 0 ? t('deployments.confirm.lost_later', { smart_count: hours }) : t('deployments.confirm.lost_new');
  };
  return (
    <>
      <p>
        {lost()} <BackupsAfter deployment={deployment} />
      </p>
      <Back deployment={deployment} />
      <p>{t('deployments.confirm.kept')}</p>
    </>
  );
}

/** Explanation for a deployment that is not ready yet or was never reachable at its domain. */
export function CancelNotice({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const isCharged = BILLABLE.includes(deployment.status);
  return (
    <>
      <p>
        {t('deployments.confirm.next_step')}{' '}
        {t(isOwn(deployment) ? 'deployments.confirm.cancelled_own' : 'deployments.confirm.cancelled_new')}
      </p>
      <p>{t(isCharged ? 'deployments.confirm.no_more_charges' : 'deployments.confirm.never_charged')}</p>
      {isCharged ? <Back deployment={deployment} /> : null}
      <p>{t('deployments.confirm.entry_stays')}</p>
    </>
  );
}

/** Refund for the rest of today. */
export function Back({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { data: runway, dataUpdatedAt } = useRunway();
  const now = useServerNow(runway?.now, dataUpdatedAt);
  const { hours, amount } = refundOfToday(deployment, now);
  const back = (): string => {
    if (deployment.grace_period_ends_at !== null) return t('deployments.confirm.refund_grace_period');
    if (deployment.hourly_cost === 0) return t('deployments.confirm.refund_free');
    if (hours === 0) return t('deployments.confirm.refund_none');
    return t('deployments.confirm.refund', { smart_count: hours, amount: money(amount, { rounding: 'price' }) });
  };
  return runway === undefined ? null : <p>{back()}</p>;
}

/** Explanation for a deployment that only has its entry left. */
export function DeleteNotice({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const failed = deployment.status === 'FAILED' && deployment.deleted_at === null;
  const lost = failed ? (isOwn(deployment) ? 'lost_failed_own' : 'lost_failed') : 'lost_gone';
  const isHandedOver = deployment.ended?.reason === 'handed_over';
  return (
    <>
      <p>{isHandedOver ? t('hand_over.entry_only') : t(`deployments.confirm.${lost}`)}</p>
      <p>
        {t('deployments.confirm.not_charged')} {t('deployments.confirm.past_charges')}
      </p>
    </>
  );
}
