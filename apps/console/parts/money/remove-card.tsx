import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useRemoveCard } from '../../data/automatic-top-up';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { errorText } from '../../data/problem-message';

/** Confirmation dialog for removing the saved card. */
export function RemoveCard({ card, onClose }: { card: string; onClose: () => void }) {
  const t = useText();
  const toast = useToast();
  const remove = useRemoveCard();
  const { title, text } = { title: useId(), text: useId() };
  const run = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => toast(t('automatic.removed')),
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
      <DialogTitle id={title}>{t('automatic.remove_title', { card })}</DialogTitle>
      <DialogContent>
        <DialogContentText id={text}>{t('automatic.remove_text')}</DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {t('layout.cancel')}
        </Button>
        <Button kind="danger" busy={remove.isPending} onClick={run}>
          {remove.isPending ? t('automatic.removing') : t('automatic.remove')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
