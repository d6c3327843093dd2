import type { ProviderAnswer } from '@moorage/contracts';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';

/** Confirmation dialog that servers may be created in this project. */
export function ConfirmProjectDialog({
  provider: { provider, display_name: name },
  id,
  onClose,
}: {
  provider: ProviderAnswer;
  id: string;
  onClose: () => void;
}) {
  const t = useText();
  const requested = useConfirmedAction(
    useAction('providers', 'confirmProject'),
    { params: { provider }, body: { project_id: id } },
    { done: () => t('providers.confirm.done'), failed: t('providers.confirm.failed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t('providers.confirm.title')}
      submit={{
        label: t('providers.confirm.submit'),
        busyLabel: t('providers.confirm.busy'),
        isDanger: false,
        requested,
      }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>{t('providers.confirm.text', { name })}</p>
      <p className="mono anywhere">{id}</p>
      <p>{t('providers.confirm.costs')}</p>
    </ConfirmDialog>
  );
}
