import type { ApiTokenAnswer } from '@moorage/contracts';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { errorText, sentText } from '../../data/problem-message';
import { ConfirmDialog } from '../../ui/confirm-dialog';

/** Confirmation dialog for revoking a token. Closed if `token` is null. */
export function RevokeToken({ token, onClose }: { token: ApiTokenAnswer | null; onClose: () => void }) {
  const t = useText();
  const revoke = useAction('account', 'revokeToken', { done: sentText, failed: errorText });
  if (token === null) return null;
  const run = (): void => revoke.mutate({ params: { id: token.id } }, { onSettled: onClose });
  return (
    <ConfirmDialog
      title={t('account.tokens.revoke_title', { label: token.label })}
      submit={{
        label: t('account.tokens.revoke'),
        busyLabel: t('account.tokens.revoking'),
        isDanger: true,
        requested: { busy: revoke.isPending, run },
      }}
      onClose={onClose}
    >
      {t('account.tokens.revoke_text')}
    </ConfirmDialog>
  );
}
