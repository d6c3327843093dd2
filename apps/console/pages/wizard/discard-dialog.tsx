import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';

/** Asks before the draft is deleted. */
export function DiscardDialog({
  open,
  onKeep,
  onDiscard,
}: {
  open: boolean;
  onKeep: () => void;
  onDiscard: () => void;
}) {
  const t = useText();
  return (
    <Dialog
      open={open}
      onClose={onKeep}
      width="narrow"
      title={t('wizard.discard.title')}
      actions={
        <>
          <Button kind="quiet" onClick={onDiscard}>
            {t('wizard.discard.discard')}
          </Button>
          <Button kind="primary" autoFocus onClick={onKeep}>
            {t('wizard.discard.keep')}
          </Button>
        </>
      }
    >
      {t('wizard.discard.text')}
    </Dialog>
  );
}
