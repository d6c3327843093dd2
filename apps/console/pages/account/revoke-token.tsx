import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import type { ApiTokenAnswer } from '@moorage/contracts';
import { useId } from 'react';
import { useRevokeApiToken } from '../../data/own-account';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { errorText, sentText } from '../../data/problem-message';

/** Confirmation dialog for revoking a token. Closed if `token` is null. */
export function RevokeToken({ token, onClose }: { token: ApiTokenAnswer | null; onClose: () => void }) {
  const t = useText();
  const toast = useToast();
  const revoke = useRevokeApiToken();
  const { title, text } = { title: useId(), text: useId() };
  if (token === null) return null;
  const run = (): void =>
    revoke.mutate(token.id, {
      onSuccess: (answer) => toast(sentText(answer)),
      onError: (error) => toast(errorText(error), { type: 'error' }),
      onSettled: onClose,
    });
  return (
    <Dialog
      open
      role="alertdialog"
      onClose={onClose}
      aria-labelledby={title}
      aria-describedby={text}
      slotProps={{ paper: { className: 'confirm' } }}
    >
      <DialogTitle id={title}>{t('account.tokens.revoke_title', { label: token.label })}</DialogTitle>
      <DialogContent>
        <DialogContentText id={text}>{t('account.tokens.revoke_text')}</DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {t('layout.cancel')}
        </Button>
        <Button kind="danger" busy={revoke.isPending} onClick={run}>
          {revoke.isPending ? t('account.tokens.revoking') : t('account.tokens.revoke')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
