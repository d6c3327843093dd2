import type { AdminUserAnswer } from '@moorage/contracts';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { sentText } from '../../data/problem-message';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';

/** Confirmation dialog for reactivating an account. */
export function ReactivateUser({
  user: { id, username: name },
  onClose,
}: {
  user: AdminUserAnswer;
  onClose: () => void;
}) {
  const t = useText();
  const requested = useConfirmedAction(
    useAction('users', 'reactivate'),
    { params: { id } },
    {
      done: sentText,
      failed: t('users.reactivate.failed'),
      onClose,
    },
  );
  return (
    <ConfirmDialog
      title={t('users.reactivate.title', { name })}
      submit={{
        label: t('users.reactivate.submit'),
        busyLabel: t('users.reactivate.busy'),
        isDanger: false,
        requested,
      }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>{t('users.reactivate.text')}</p>
      <p>{t('users.reactivate.more')}</p>
    </ConfirmDialog>
  );
}
