import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';
import { type Provider, useEnterCredentials } from '../../data/providers';
import { useText } from '../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';

/** Multi-line values. A service account's key is a file. */
const FILES: readonly string[] = ['GCP_SERVICE_ACCOUNT_KEY'];
/** Names that are not secret and are shown while typed. */
const SHOWN: readonly string[] = ['AWS_ACCESS_KEY_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_SUBSCRIPTION_ID'];

/** Form for new credentials. They are sent once and never shown again. */
export function CredentialsDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const t = useText();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const fields = provider.credentials?.fields ?? [];
  const filled = Object.fromEntries(fields.map((name) => [name, values[name] ?? '']));
  const requested = useConfirmedAction(useEnterCredentials(provider.provider), filled, {
    done: () => t('providers.credentials.sent'),
    failed: t('providers.credentials.failed'),
    onClose,
  });
  return (
    <ConfirmDialog
      title={t('providers.credentials.title', { name: provider.display_name })}
      submit={{
        label: t('providers.credentials.submit'),
        busyLabel: t('providers.credentials.busy'),
        isDanger: false,
        requested,
      }}
      refusal={requested.refusal}
      hasField
      isReady={fields.every((name) => (values[name] ?? '').trim() !== '')}
      onClose={onClose}
    >
      <p>{t('providers.credentials.text')}</p>
      {fields.map((name, index) => (
        <CredentialField
          key={name}
          name={name}
          value={values[name] ?? ''}
          hasFocus={index === 0}
          onChange={(value) => setValues((all) => ({ ...all, [name]: value }))}
        />
      ))}
    </ConfirmDialog>
  );
}

function CredentialField({
  name,
  value,
  hasFocus,
  onChange,
}: {
  name: string;
  value: string;
  hasFocus: boolean;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const isFile = FILES.includes(name);
  return (
    <>
      <label htmlFor={id} className="mono small">
        {name}
      </label>
      <TextField
        id={id}
        fullWidth
        autoFocus={hasFocus}
        value={value}
        type={isFile || SHOWN.includes(name) ? 'text' : 'password'}
        multiline={isFile}
        minRows={isFile ? 4 : undefined}
        onChange={({ target }) => onChange(target.value)}
        slotProps={{ htmlInput: { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, maxLength: 10_000 } }}
      />
    </>
  );
}
