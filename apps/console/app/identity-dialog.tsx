import { ACCESS_MESSAGES } from '@moorage/domain';
import { problemText } from '../data/problem-message';
import { useAction } from '../data/use-action';
import { useText } from '../texts/console-i18n';
import { usePublicText } from '../texts/locale';
import { CodeInput } from '../ui/form/code-input';
import { FormDialog } from '../ui/form/form-dialog';
import { TextInput } from '../ui/form/inputs';

interface Confirmation {
  readonly password: string;
  readonly otp: string;
}

/** Dialog that confirms who the user is, loaded when a call first requires it. */
export default function IdentityDialog({
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
