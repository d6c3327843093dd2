import type { ApiTokenAnswer } from '@moorage/contracts';
import { useRevokeApiToken } from '../../data/own-account';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { errorText, sentText } from '../../data/problem-message';
import { ConfirmDialog } from '../../ui/confirm-dialog';

/** Confirmation dialog for revoking a token. Closed if `token` is null. */
export function RevokeToken({ token, onClose }: { token: ApiTokenAnswer | null; onClose: () => void }) {
  const t = useText();
  const toast = useToast();
  const revoke = useRevokeApiToken();
  if (token === null) return null;
  const run = (): void =>
    revoke.mutate(token.id, {
      onSuccess: (answer) => toast(sentText(answer)),
      onError: (error) => toast(errorText(error), { type: 'error' }),
      onSettled: onClose,
    });
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
