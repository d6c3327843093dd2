import { ACCESS_MESSAGES } from '@moorage/domain';
import { useEffect, useState } from 'react';
import { useDataProvider } from 'react-admin';
import type { ConsoleDataProvider } from '../data/data-provider';
import { problemText } from '../data/problem-message';
import { setIdentityPrompt } from '../data/recent-authentication';
import { useSession } from '../data/session';
import { useAction } from '../data/use-action';
import { useText } from '../texts/console-i18n';
import { usePublicText } from '../texts/locale';
import { CodeInput } from '../ui/form/code-input';
import { FormDialog } from '../ui/form/form-dialog';
import { TextInput } from '../ui/form/inputs';

interface Prompted {
  /** Password already entered in a form, which is not prompted for again. */
  readonly password: string | null;
  readonly resolve: (confirmed: boolean) => void;
}

/**
 * Prompts for the password, and for a code if two-factor authentication is on, when a call requires recent
 * authentication.
 */
export function ConfirmIdentity() {
  const [prompted, setPrompted] = useState<Prompted | null>(null);
  const needsCode = useSession()?.user?.has_two_factor === true;
  const dataProvider = useDataProvider<ConsoleDataProvider>();
  useEffect(
    () =>
      setIdentityPrompt(async (password) => {
        if (password !== null && !needsCode) {
          // Not a mutation, which would keep the password as long as the console is open.
          await dataProvider.act('account', 'confirmIdentity', { body: { password } });
          return true;
        }
        return new Promise<boolean>((resolve) => setPrompted({ password, resolve }));
      }),
    [needsCode, dataProvider],
  );
  if (prompted === null) return null;
  const close = (confirmed: boolean): void => {
    setPrompted(null);
    prompted.resolve(confirmed);
  };
  return <IdentityDialog password={prompted.password} needsCode={needsCode} onClose={close} />;
}

interface Confirmation {
  readonly password: string;
  readonly otp: string;
}

function IdentityDialog({
  password: known,
  needsCode,
  onClose,
}: {
  password: string | null;
  needsCode: boolean;
  onClose: (confirmed: boolean) => void;
}) {
  const t = useText();
  const p = usePublicText();
  const confirm = useAction('account', 'confirmIdentity');
  const submit = async ({ password, otp }: Confirmation): Promise<void> => {
    await confirm.mutateAsync({ body: { password, otp: needsCode ? otp : null } });
    onClose(true);
  };
  return (
    <FormDialog<Confirmation>
      title={t('layout.identity.title')}
      text={<p>{t(needsCode ? 'layout.identity.text_with_code' : 'layout.identity.text')}</p>}
      defaultValues={{ password: known ?? '', otp: '' }}
      onSubmit={submit}
      retryAt={known === null ? 'password' : 'otp'}
      submit={{ label: t('layout.identity.confirm'), busyLabel: t('layout.identity.confirming') }}
      onClose={() => onClose(false)}
    >
      <TextInput
        source="password"
        label={p('form.password')}
        type="password"
        autoComplete="current-password"
        autoFocus={known === null}
        validate={(password) => (password === '' ? p('form.required', { field: p('form.password') }) : null)}
      />
      {needsCode ? (
        <CodeInput
          source="otp"
          autoFocus={known !== null}
          validate={(otp) => (otp.trim() === '' ? problemText(ACCESS_MESSAGES.otp_missing) : null)}
        />
      ) : null}
    </FormDialog>
  );
}
