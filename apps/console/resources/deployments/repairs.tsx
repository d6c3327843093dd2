import { type ReactNode, useState } from 'react';
import type { Deployment } from '../../data/deployments';
import { withReason } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';
import { isReason, ReasonField } from '../../ui/form/reason-field';
import { useIsOwner } from './actions';

/** Runs retries with their toasts. A restart is confirmed in `dialog`, which the caller renders. */
export function useRepairs(deployment: Deployment): {
  run: (action: 'restart' | 'retry_dns') => void;
  isBusy: boolean;
  dialog: ReactNode;
} {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const retry = useAction('deployments', 'retryDns', {
    done: t('deployments.toast.retry_done'),
    failed: (error) => withReason(t('deployments.toast.retry_failed'), error),
  });
  const run = (action: 'restart' | 'retry_dns'): void => {
    if (action === 'restart') setOpen(true);
    else if (!retry.isPending) retry.mutate({ params: { id: deployment.id } });
  };
  return {
    run,
    isBusy: retry.isPending,
    dialog: isOpen ? <RestartDialog deployment={deployment} onClose={() => setOpen(false)} /> : null,
  };
}

/** Restarts a deployment after stating its downtime. Staff gives a reason. */
function RestartDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const t = useText();
  const { id, client_name: name } = deployment;
  const isOwner = useIsOwner(deployment);
  const [reason, setReason] = useState('');
  const requested = useConfirmedAction(
    useAction('deployments', 'restart'),
    { params: { id }, body: isOwner ? {} : { reason: reason.trim() } },
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
      hasField={!isOwner}
      isReady={isOwner || isReason(reason)}
      onClose={onClose}
    >
      <p>{t('deployments.restart.text')}</p>
      {isOwner ? null : <ReasonField value={reason} hasFocus onChange={setReason} />}
    </ConfirmDialog>
  );
}
