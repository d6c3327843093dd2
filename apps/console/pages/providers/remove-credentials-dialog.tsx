import type { ProviderAnswer } from '@moorage/contracts';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';

/** Confirmation dialog that a provider returns to the credentials of the settings. */
export function RemoveCredentialsDialog({
  provider: { provider },
  onClose,
}: {
  provider: ProviderAnswer;
  onClose: () => void;
}) {
  const t = useText();
  const requested = useConfirmedAction(
    useAction('providers', 'removeCredentials'),
    { params: { provider } },
    { done: () => t('providers.credentials.removed'), failed: t('providers.credentials.remove_failed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t('providers.credentials.remove_title')}
      submit={{
        label: t('providers.credentials.remove'),
        busyLabel: t('providers.credentials.removing'),
        isDanger: true,
        requested,
      }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>{t('providers.credentials.remove_text')}</p>
    </ConfirmDialog>
  );
}
