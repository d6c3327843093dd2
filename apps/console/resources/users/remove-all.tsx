import type { AdminUserAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { useAction } from '../../data/use-action';
import { modesOf, useOfferedBackups } from '../../parts/offered-backups';
import { useText } from '../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';
import { isReason, ReasonField } from '../../ui/form/reason-field';
import { money } from '../../ui/money';

/** Confirmation dialog for removing all deployments of a user. Requires typing the username. */
export function RemoveAll({
  user: { id, username: name },
  onBegun,
  onClose,
}: {
  user: AdminUserAnswer;
  onBegun: (sentence: string) => void;
  onClose: () => void;
}) {
  const t = useText();
  const offered = useOfferedBackups();
  const modes = offered === null ? null : modesOf(offered);
  const hasBackups = modes !== null && (modes.has('real') || modes.has('simulated'));
  const [reason, setReason] = useState('');
  const request = { params: { id }, body: { reason: reason.trim() } };
  const requested = useConfirmedAction(useAction('users', 'prepareDeletion'), request, {
    done({ removing, refunded_amount: refunded }) {
      const begun = t('users.remove_all.done', {
        smart_count: removing,
        amount: money(refunded, { rounding: 'price' }),
      });
      onBegun(begun);
      return begun;
    },
    failed: t('users.remove_all.failed'),
    onClose,
  });
  return (
    <ConfirmDialog
      title={t('users.remove_all.title', { name })}
      cancelLabel={t('users.remove_all.keep')}
      word={name}
      hasField
      isReady={isReason(reason)}
      submit={{ label: t('users.remove_all.submit'), busyLabel: t('users.remove_all.busy'), isDanger: true, requested }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>
        {t('users.remove_all.lost')} {t(hasBackups ? 'users.remove_all.backups' : 'users.remove_all.no_backup')}
      </p>
      <p>{t('users.remove_all.own')}</p>
      <p>{t('users.remove_all.refund')}</p>
      <ReasonField value={reason} hasFocus onChange={setReason} />
    </ConfirmDialog>
  );
}
