import { CREDITS_MESSAGES } from '@moorage/domain';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ActionRequest } from '../../data/action';
import { refusalOf } from '../../data/problem-message';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { FormDialog } from '../../ui/form/form-dialog';
import { TextInput } from '../../ui/form/inputs';
import { useDialogAction } from '../../ui/use-dialog-action';

const REASON_MAX = 300;

type Rejection = ActionRequest<'POST /referrals/admin/referrals/{id}/reject'>;

/** Prompts for the reason of a rejection. */
export function RejectDialog<Answer>({
  id,
  title,
  hint,
  act,
  done,
  onClose,
}: {
  id: number;
  title: string;
  /** States who will read the reason. */
  hint: string;
  act: UseMutationResult<Answer, Error, Rejection>;
  done: string;
  onClose: () => void;
}) {
  const t = useText();
  const failed = t('admin_referrals.again');
  const reject = useDialogAction(act, { done: () => done, failed, onClose });
  return (
    <FormDialog
      title={title}
      text={<p>{hint}</p>}
      isAlert
      defaultValues={{ reason: '' }}
      onSubmit={({ reason }) => reject({ params: { id }, body: { reason: reason.trim() } })}
      refusal={(error) => refusalOf(error) ?? failed}
      submit={{ label: t('admin_referrals.reject'), busyLabel: t('admin_referrals.rejecting'), isDanger: true }}
      onClose={onClose}
    >
      <TextInput
        source="reason"
        label={t('admin_referrals.reason')}
        maxLength={REASON_MAX}
        autoFocus
        validate={(reason) => (reason.trim() === '' ? messageText(CREDITS_MESSAGES.reason_missing) : null)}
      />
    </FormDialog>
  );
}
