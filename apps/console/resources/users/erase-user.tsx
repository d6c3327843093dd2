import type { AdminUserAnswer } from '@moorage/contracts';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { sentText } from '../../data/problem-message';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';

/** Word to type, in every language. */
const WORD = 'DELETE';

/** Erases the personal data of a deactivated account after the word has been typed. */
export function EraseUser({
  user: { id, username: name, balance },
  onClose,
}: {
  user: AdminUserAnswer;
  onClose: () => void;
}) {
  const t = useText();
  const requested = useConfirmedAction(
    useAction('users', 'erase'),
    { params: { id } },
    {
      done: sentText,
      failed: t('users.erase.failed'),
      onClose,
    },
  );
  return (
    <ConfirmDialog
      title={t('users.erase.title', { name })}
      cancelLabel={t('users.keep')}
      word={WORD}
      submit={{ label: t('users.erase.submit'), busyLabel: t('users.erase.busy'), isDanger: true, requested }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>{t('users.erase.text')}</p>
      <p>{t('users.erase.kept')}</p>
      {balance > 0 ? <p>{t('users.erase.left', { balance: money(balance, { rounding: 'balance' }) })}</p> : null}
    </ConfirmDialog>
  );
}
