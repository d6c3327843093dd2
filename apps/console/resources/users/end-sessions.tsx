import type { AdminUserAnswer } from '@moorage/contracts';
import { errorText, sentText } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { ConfirmDialog } from '../../ui/confirm-dialog';

/** Confirmation dialog for ending all sessions of an account. */
export function EndSessions({ user: { id, username }, onClose }: { user: AdminUserAnswer; onClose: () => void }) {
  const t = useText();
  const end = useAction('users', 'endSessions', { done: sentText, failed: errorText });
  const run = (): void => end.mutate({ params: { id } }, { onSettled: onClose });
  return (
    <ConfirmDialog
      title={t('person.sessions.end_title', { name: username })}
      submit={{
        label: t('person.sessions.end'),
        busyLabel: t('person.sessions.ending'),
        isDanger: true,
        requested: { busy: end.isPending, run },
      }}
      onClose={onClose}
    >
      {t('person.sessions.end_text')}
    </ConfirmDialog>
  );
}
