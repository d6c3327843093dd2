import { useState } from 'react';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../../ui/confirm-dialog';
import { isReason, ReasonField } from '../../../ui/form/reason-field';
import type { Details } from '../use-details';

/** Starts a server that is switched off. Staff states a reason. */
export function StartServerDialog({
  deployment: { id, client_name: name },
  provider,
  isOwner,
  onClose,
}: Pick<Details, 'deployment' | 'provider' | 'isOwner'> & { onClose: () => void }) {
  const t = useText();
  const [reason, setReason] = useState('');
  const requested = useConfirmedAction(
    useAction('deployments', 'startServer'),
    { params: { id }, body: { reason: isOwner ? null : reason.trim() } },
    { done: () => t('incidents.start.done', { name }), failed: t('incidents.start.failed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t('incidents.start.title', { name })}
      submit={{
        label: t('incidents.start.button'),
        busyLabel: t('incidents.start.busy'),
        isDanger: false,
        requested,
      }}
      refusal={requested.refusal}
      hasField={!isOwner}
      isReady={isOwner || isReason(reason)}
      onClose={onClose}
    >
      <p>{t('incidents.start.text', { provider })}</p>
      <p>{t('incidents.start.price')}</p>
      {isOwner ? null : <ReasonField value={reason} hasFocus onChange={setReason} />}
    </ConfirmDialog>
  );
}
