import { actionsOf, BILLABLE } from '@moorage/domain';
import { useState } from 'react';
import { useRunway } from '../../data/billing';
import { type Deployment, useRemoveDeployment } from '../../data/deployments';
import { useServerNow } from '../../data/server-now';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { useIsOwner } from './actions';
import { withReason } from '../../data/problem-message';
import { isReason, ReasonField } from '../../ui/form/reason-field';
import { refundOfToday } from './refund';
import { BackupsAfter } from './backups/backups-after';
import { useToast } from '../../ui/use-toast';
import { allows, isOwn } from '../../parts/deployment/deployment-messages';
import { ConfirmDialog } from '../../ui/confirm-dialog';

/**
 * Confirms cancelling, deactivating or deleting, with what is lost, refunded and kept. If data may be lost, the user
 * must type the name.
 */
export function ConfirmRemoval({
  deployment,
  onClose,
  onForgotten,
}: {
  /** Null if the dialog is closed. */
  deployment: Deployment | null;
  onClose: () => void;
  /** Called once the deployment is off the list. */
  onForgotten: (deployment: Deployment) => void;
}) {
  return deployment === null ? null : <OpenConfirm key={deployment.id} {...{ deployment, onClose, onForgotten }} />;
}

function OpenConfirm({
  deployment,
  onClose,
  onForgotten,
}: {
  deployment: Deployment;
  onClose: () => void;
  onForgotten: (deployment: Deployment) => void;
}) {
  const t = useText();
  const toast = useToast();
  const [reason, setReason] = useState('');
  const isOwner = useIsOwner(deployment);
  const remove = useRemoveDeployment(deployment.id);
  const { client_name: name, status, deleted_at } = deployment;
  const stops = deleted_at === null && actionsOf(status).includes('deactivate');
  const way = allows(deployment, 'cancel') ? 'cancel' : stops ? 'deactivate' : 'delete';
  const Words = WORDS[way];

  const run = (): void => {
    const requested =
      way === 'cancel' ? ({ way } as const) : ({ way: 'remove', reason: isOwner ? null : reason.trim() } as const);
    remove.mutate(requested, {
      onSuccess: (answer) => {
        onClose();
        if ('message' in answer) {
          toast(t('deployments.toast.deleted', { name }));
          onForgotten(deployment);
        } else if (way === 'delete') toast(t('deployments.toast.removing', { name }));
        else {
          const doing = way === 'cancel' ? 'cancelling' : 'deactivating';
          const { refunded_amount: back } = answer;
          toast(
            back > 0
              ? t(`deployments.toast.${doing}_refund`, { name, amount: money(back, { rounding: 'half_up' }) })
              : t(`deployments.toast.${doing}`, { name }),
          );
        }
      },
      onError: (error) =>
        toast(withReason(t(`deployments.toast.${way === 'cancel' ? 'cancel_failed' : 'delete_failed'}`), error), {
          type: 'error',
        }),
    });
  };

  return (
    <ConfirmDialog
      title={t(`deployments.confirm.${way}_title`, { name })}
      cancelLabel={t('deployments.confirm.keep')}
      word={way === 'cancel' ? undefined : name}
      wordLabel={t('deployments.confirm.type_name')}
      fields={way === 'cancel' || isOwner ? null : <ReasonField value={reason} onChange={setReason} />}
      isReady={way === 'cancel' || isOwner || isReason(reason)}
      submit={{
        label: t(`deployments.confirm.${way}`),
        busyLabel: t(`deployments.confirm.${BUSY[way]}`),
        isDanger: true,
        requested: { busy: remove.isPending, run },
      }}
      onClose={onClose}
    >
      <Words deployment={deployment} />
    </ConfirmDialog>
  );
}

function StopNotice({ deployment }: { deployment: Deployment }) {
  const t = useText();
  return (
    <>
      <p>
        {t(isOwn(deployment) ? 'deployments.confirm.lost_own' : 'deployments.confirm.lost_new')}{' '}
        <BackupsAfter deployment={deployment} />
      </p>
      <Back deployment={deployment} />
      <p>{t('deployments.confirm.kept')}</p>
    </>
  );
}

/** Explanation for a deployment that is not ready yet or was never reachable at its domain. */
function CancelNotice({ deployment }: { deployment: Deployment }) {
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
function Back({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { data: runway, dataUpdatedAt } = useRunway();
  const now = useServerNow(runway?.now, dataUpdatedAt);
  const { hours, amount } = refundOfToday(deployment, now);
  const back = (): string => {
    if (deployment.grace_period_ends_at !== null) return t('deployments.confirm.refund_grace_period');
    if (deployment.hourly_cost === 0) return t('deployments.confirm.refund_free');
    if (hours === 0) return t('deployments.confirm.refund_none');
    return t('deployments.confirm.refund', { smart_count: hours, amount: money(amount, { rounding: 'half_up' }) });
  };
  return runway === undefined ? null : <p>{back()}</p>;
}

function DeleteNotice({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const failed = deployment.status === 'FAILED' && deployment.deleted_at === null;
  const lost = failed ? (isOwn(deployment) ? 'lost_failed_own' : 'lost_failed') : 'lost_gone';
  return (
    <>
      <p>{t(`deployments.confirm.${lost}`)}</p>
      <p>
        {t('deployments.confirm.not_charged')} {t('deployments.confirm.past_charges')}
      </p>
    </>
  );
}

const WORDS = { cancel: CancelNotice, deactivate: StopNotice, delete: DeleteNotice };
const BUSY = { cancel: 'cancelling', deactivate: 'deactivating', delete: 'deleting' } as const;
