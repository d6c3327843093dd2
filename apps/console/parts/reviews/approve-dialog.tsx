import type { Message } from '@moorage/domain';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ActionRequest } from '../../data/action';
import { useText } from '../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';
import { MessageText } from '../../ui/message-text';

/** Confirmation dialog for an approval, with its consequence. */
export function ApproveDialog<Answer>({
  id,
  title,
  consequence,
  refusal,
  act,
  done,
  onClose,
}: {
  id: number;
  title: string;
  consequence: string;
  /** Reason why it cannot be approved, known before the dialog opens. */
  refusal: Message | null;
  act: UseMutationResult<Answer, Error, ActionRequest<'POST /referrals/admin/referrals/{id}/approve'>>;
  done: string;
  onClose: () => void;
}) {
  const t = useText();
  const requested = useConfirmedAction(
    act,
    { params: { id } },
    { done: () => done, failed: t('admin_referrals.again'), onClose },
  );
  const submit = {
    label: t('admin_referrals.approve'),
    busyLabel: t('admin_referrals.approving'),
    isDanger: false,
    requested,
  };
  return (
    <ConfirmDialog
      title={title}
      refusal={requested.refusal}
      submit={refusal === null ? submit : null}
      onClose={onClose}
    >
      <p>{refusal === null ? consequence : <MessageText message={refusal} />}</p>
    </ConfirmDialog>
  );
}
