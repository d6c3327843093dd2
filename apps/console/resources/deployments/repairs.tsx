import { type ReactNode, useState } from 'react';
import type { Deployment } from '../../data/deployments';
import { withReason } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';
import { isReason, ReasonField } from '../../ui/form/reason-field';
import { useIsOwner } from './actions';

/** Runs retries and restarts with their toasts. Staff confirms a restart in `dialog`, which the caller renders. */
export function useRepairs(deployment: Deployment): {
  run: (action: 'restart' | 'retry_dns') => void;
  isBusy: boolean;
  dialog: ReactNode;
} {
  const t = useText();
  const isOwner = useIsOwner(deployment);
  const [isOpen, setOpen] = useState(false);
  const retry = useAction('deployments', 'retryDns', {
    done: t('deployments.toast.retry_done'),
    failed: (error) => withReason(t('deployments.toast.retry_failed'), error),
  });
  const restart = useAction('deployments', 'restart', {
    done: t('deployments.toast.restart_done'),
    failed: (error) => withReason(t('deployments.toast.restart_failed'), error),
  });
  const isBusy = retry.isPending || restart.isPending;
  const params = { id: deployment.id };
  const run = (action: 'restart' | 'retry_dns'): void => {
    if (action === 'restart' && !isOwner) setOpen(true);
    else if (isBusy) return;
    else if (action === 'restart') restart.mutate({ params, body: {} });
    else retry.mutate({ params });
  };
  return {
    run,
    isBusy,
    dialog: isOpen ? <RestartDialog deployment={deployment} onClose={() => setOpen(false)} /> : null,
  };
}

/** Restarts the deployment of a customer. Staff states a reason. */
function RestartDialog({
  deployment: { id, client_name: name },
  onClose,
}: {
  deployment: Deployment;
  onClose: () => void;
}) {
  const t = useText();
  const [reason, setReason] = useState('');
  const requested = useConfirmedAction(
    useAction('deployments', 'restart'),
    { params: { id }, body: { reason: reason.trim() } },
    { done: () => t('deployments.toast.restart_done'), failed: t('deployments.toast.restart_failed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t('deployments.restart.title', { name })}
      submit={{
        label: t('deployments.restart.submit'),
        busyLabel: t('deployments.restart.busy'),
        isDanger: false,
        requested,
      }}
      refusal={requested.refusal}
      hasField
      isReady={isReason(reason)}
      onClose={onClose}
    >
      <p>{t('deployments.restart.text')}</p>
      <ReasonField value={reason} hasFocus onChange={setReason} />
    </ConfirmDialog>
  );
}
