import type { ProviderAnswer } from '@moorage/contracts';
import { refusalOf } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { FormDialog } from '../../ui/form/form-dialog';
import { TextInput } from '../../ui/form/inputs';
import { useDialogAction } from '../../ui/use-dialog-action';

/** Multi-line values. A service account's key is a file. */
const FILES: readonly string[] = ['GCP_SERVICE_ACCOUNT_KEY'];
/** Names that are not secret and are shown while typed. */
const SHOWN: readonly string[] = ['AWS_ACCESS_KEY_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_SUBSCRIPTION_ID'];
const VALUE_MAX = 10_000;

/** Form for new credentials. They are sent once and never shown again. */
export function CredentialsDialog({ provider, onClose }: { provider: ProviderAnswer; onClose: () => void }) {
  const t = useText();
  const names = provider.credentials?.fields ?? [];
  const failed = t('providers.credentials.failed');
  const enter = useDialogAction(useAction('providers', 'enterCredentials'), {
    done: () => t('providers.credentials.sent'),
    failed,
    onClose,
  });
  return (
    <FormDialog<Record<string, string>>
      title={t('providers.credentials.title', { name: provider.display_name })}
      text={<p>{t('providers.credentials.text')}</p>}
      isAlert
      defaultValues={Object.fromEntries(names.map((name) => [name, '']))}
      onSubmit={(values) => enter({ params: { provider: provider.provider }, body: { values } })}
      refusal={(error) => refusalOf(error) ?? failed}
      submit={{
        label: t('providers.credentials.submit'),
        busyLabel: t('providers.credentials.busy'),
        isReady: (values) => names.every((name) => values[name]?.trim() !== ''),
      }}
      onClose={onClose}
    >
      {names.map((name, index) => (
        <CredentialInput key={name} name={name} autoFocus={index === 0} />
      ))}
    </FormDialog>
  );
}

function CredentialInput({ name, autoFocus }: { name: string; autoFocus: boolean }) {
  const isFile = FILES.includes(name);
  return (
    <TextInput
      source={name}
      label={<span className="mono small">{name}</span>}
      type={isFile || SHOWN.includes(name) ? 'text' : 'password'}
      rows={isFile ? 4 : undefined}
      maxLength={VALUE_MAX}
      autoFocus={autoFocus}
      spellCheck={false}
    />
  );
}
