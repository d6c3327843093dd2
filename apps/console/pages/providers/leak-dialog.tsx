import { useState } from 'react';
import { type Leak, type LeakDecision, useDecideLeak } from '../../data/leaks';
import { useText } from '../../texts/console-i18n';
import { isReason, ReasonField } from '../../ui/form/reason-field';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';

/** Prompts for the reason of a decision about a leaked resource and explains its consequence. */
export function LeakDialog({ leak, decision, onClose }: { leak: Leak; decision: LeakDecision; onClose: () => void }) {
  const t = useText();
  const [reason, setReason] = useState('');
  const name = leak.name === '' ? leak.provider_id : leak.name;
  const requested = useConfirmedAction(
    useDecideLeak(decision),
    { id: leak.id, reason: reason.trim() },
    { done: () => t(`leaks.${decision}.done`), failed: t('leaks.decide_failed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t(`leaks.${decision}.title`, { name })}
      submit={{
        label: t(`leaks.${decision}.button`),
        busyLabel: t('leaks.busy'),
        isDanger: decision === 'remove',
        requested,
      }}
      refusal={requested.refusal}
      hasField
      isReady={isReason(reason)}
      onClose={onClose}
    >
      <p>{t(`leaks.${decision}.text`)}</p>
      <ReasonField value={reason} hint={t('leaks.hint')} hasFocus onChange={setReason} />
    </ConfirmDialog>
  );
}
