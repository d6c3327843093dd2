import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { errorText } from '../../data/problem-message';
import { ConfirmDialog } from '../../ui/confirm-dialog';

/** Confirmation dialog for removing the saved card. */
export function RemoveCard({ card, onClose }: { card: string; onClose: () => void }) {
  const t = useText();
  const remove = useAction('billing', 'removeCard', { done: t('automatic.removed'), failed: errorText });
  return (
    <ConfirmDialog
      title={t('automatic.remove_title', { card })}
      submit={{
        label: t('automatic.remove'),
        busyLabel: t('automatic.removing'),
        isDanger: true,
        requested: { busy: remove.isPending, run: () => remove.mutate(undefined, { onSettled: onClose }) },
      }}
      onClose={onClose}
    >
      {t('automatic.remove_text')}
    </ConfirmDialog>
  );
}
