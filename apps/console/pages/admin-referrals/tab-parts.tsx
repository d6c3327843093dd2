import type { AdminReferralAnswer } from '@moorage/contracts';
import type { UseMutationResult } from '@tanstack/react-query';
import TextField from '@mui/material/TextField';
import { CREDITS_MESSAGES, type Message } from '@moorage/domain';
import { type ReactNode, useId, useState } from 'react';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';
import { On } from '../../parts/user-reference';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { MessageText } from '../../ui/message-text';

const REASON_MAX = 300;

/** Prompts for the reason of a rejection. */
export function RejectDialog<Answer>({
  title,
  hint,
  act,
  done,
  onClose,
}: {
  title: string;
  /** States who will read the reason. */
  hint: string;
  act: UseMutationResult<Answer, Error, string>;
  done: string;
  onClose: () => void;
}) {
  const t = useText();
  const id = useId();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const requested = useConfirmedAction(act, reason.trim(), {
    done: () => done,
    failed: t('admin_referrals.again'),
    onClose,
  });
  const run = async (): Promise<void> => {
    const isMissing = reason.trim() === '';
    setMissing(isMissing);
    if (!isMissing) await requested.run();
  };
  return (
    <ConfirmDialog
      title={title}
      refusal={requested.refusal}
      submit={{
        label: t('admin_referrals.reject'),
        busyLabel: t('admin_referrals.rejecting'),
        isDanger: true,
        requested: { busy: requested.busy, run },
      }}
      hasField
      onClose={onClose}
    >
      <p>{hint}</p>
      <label htmlFor={id}>{t('admin_referrals.reason')}</label>
      <TextField
        id={id}
        fullWidth
        autoFocus
        value={reason}
        error={missing}
        helperText={missing ? messageText(CREDITS_MESSAGES.reason_missing) : null}
        onChange={({ target }) => setReason(target.value)}
        slotProps={{ htmlInput: { maxLength: REASON_MAX, autoComplete: 'off' }, formHelperText: { role: 'alert' } }}
      />
    </ConfirmDialog>
  );
}

/** Confirmation dialog for an approval, with its consequences. */
export function ApproveDialog<Answer>({
  title,
  refusal,
  act,
  done,
  onClose,
  children,
}: {
  title: string;
  /** Reason why it cannot be approved, known before the dialog opens. */
  refusal: Message | null;
  act: UseMutationResult<Answer, Error, void>;
  done: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useText();
  const requested = useConfirmedAction(act, undefined, {
    done: () => done,
    failed: t('admin_referrals.again'),
    onClose,
  });
  return (
    <ConfirmDialog
      title={title}
      refusal={requested.refusal}
      submit={
        refusal === null
          ? {
              label: t('admin_referrals.approve'),
              busyLabel: t('admin_referrals.approving'),
              isDanger: false,
              requested,
            }
          : null
      }
      onClose={onClose}
    >
      {refusal === null ? (
        children
      ) : (
        <p>
          <MessageText message={refusal} />
        </p>
      )}
    </ConfirmDialog>
  );
}

/** Decision with its author, time and reason. */
export function Decided({
  decided_at: at,
  decided_by: by,
  rejection,
}: Pick<AdminReferralAnswer, 'decided_at' | 'decided_by' | 'rejection'>) {
  const t = useText();
  if (at === null) return t('admin_referrals.at_once');
  return (
    <span className="who">
      <On at={at} />
      {by === null ? null : <span className="small muted">{t('admin_referrals.by', { name: by.username })}</span>}
      {rejection === null ? null : <span className="small anywhere">{rejection}</span>}
    </span>
  );
}
