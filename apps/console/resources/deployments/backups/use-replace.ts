import { useState } from 'react';
import { refusalText } from '../../../data/problem-message';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { isReason } from '../../../ui/form/reason-field';
import { useIsVerified } from '../actions';
import type { RestoreAct, RestoreProps } from './restore-act';

/** Replaces the data of the deployment with that of the copy. */
export function useReplace({ id, copy, backups, rights, onClose }: RestoreProps): RestoreAct & {
  readonly reason: string;
  readonly setReason: (reason: string) => void;
} {
  const t = useText();
  const isVerified = useIsVerified();
  const [reason, setReason] = useState('');
  const restore = useAction('deployments', 'restore', { done: t('backups.restore.begun') });
  const { restore_refused: refused } = backups;
  return {
    reason,
    setReason,
    label: 'backups.restore.submit',
    busyLabel: 'backups.restore.busy',
    isBusy: restore.isPending,
    whyNot: !isVerified
      ? t('deployments.locked.unverified')
      : refused !== null
        ? messageText(refused)
        : rights.isOwner || isReason(reason)
          ? null
          : t('layout.reason.needed'),
    refusal: restore.error === null ? null : refusalText(restore.error, t('backups.restore.failed')),
    run: () =>
      restore.mutate(
        {
          params: { id, backup_id: copy.id },
          body: { reason: rights.isOwner ? null : reason.trim() },
        },
        { onSuccess: onClose },
      ),
  };
}
