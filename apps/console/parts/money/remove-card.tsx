import { useRemoveCard } from '../../data/automatic-top-up';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { errorText } from '../../data/problem-message';
import { ConfirmDialog } from '../../ui/confirm-dialog';

/** Confirmation dialog for removing the saved card. */
export function RemoveCard({ card, onClose }: { card: string; onClose: () => void }) {
  const t = useText();
  const toast = useToast();
  const remove = useRemoveCard();
  const run = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => toast(t('automatic.removed')),
      onError: (error) => toast(errorText(error), { type: 'error' }),
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      title={t('automatic.remove_title', { card })}
      submit={{
        label: t('automatic.remove'),
        busyLabel: t('automatic.removing'),
        isDanger: true,
        requested: { busy: remove.isPending, run },
      }}
      onClose={onClose}
    >
      {t('automatic.remove_text')}
    </ConfirmDialog>
  );
}
