import { useState } from 'react';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { isReason, ReasonField } from '../../ui/form/reason-field';

/** Prompts for the reason for settling a difference between the ledger and the provider. */
export function SettleDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useText();
  const [reason, setReason] = useState('');
  const requested = useConfirmedAction(
    useAction('payments', 'settle'),
    { params: { id }, body: { reason: reason.trim() } },
    {
      done: () => t('payments.settle.done'),
      failed: t('payments.settle.failed'),
      onClose,
    },
  );
  return (
    <ConfirmDialog
      title={t('payments.settle.title')}
      submit={{ label: t('payments.settle.submit'), busyLabel: t('payments.settle.busy'), isDanger: false, requested }}
      refusal={requested.refusal}
      hasField
      isReady={isReason(reason)}
      onClose={onClose}
    >
      <p>{t('payments.settle.text')}</p>
      <ReasonField value={reason} hint={t('payments.settle.hint')} hasFocus onChange={setReason} />
    </ConfirmDialog>
  );
}
