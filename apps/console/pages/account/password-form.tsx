import { PASSWORDS_DIFFER } from '@moorage/domain';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { usePublicText } from '../../texts/locale';
import { Form, SubmitError } from '../../ui/form/form';
import { FormButtons } from '../../ui/form/form-buttons';
import { TextInput } from '../../ui/form/inputs';
import { NewPasswordInput } from '../../ui/form/new-password-input';
import { problemText, sentText } from '../../data/problem-message';

const EMPTY = { current: '', password: '', confirm: '' };
type PasswordChange = typeof EMPTY;

/** If the session is not recent, a separate call confirms the current password first. */
const WIRE_NAMES = { current_password: 'current', password: 'current', new_password: 'password' };

/** Form to change the own password. */
export function PasswordForm({ onDone }: { onDone: () => void }) {
  const t = useText();
  const p = usePublicText();
  const change = useAction('account', 'changePassword', { done: sentText });
  const submit = async ({ current, password }: PasswordChange): Promise<void> => {
    await change.mutateAsync({ body: { current_password: current, new_password: password } });
    onDone();
  };
  return (
    <Form className="account-form" defaultValues={EMPTY} wireNames={WIRE_NAMES} onSubmit={submit}>
      <p className="soft">{t('account.profile.password_lead')}</p>
      <SubmitError />
      <TextInput
        source="current"
        label={t('account.current_password')}
        type="password"
        autoComplete="current-password"
        autoFocus
        validate={(current) => (current === '' ? p('form.required', { field: p('form.password') }) : null)}
      />
      <NewPasswordInput source="password" label={t('account.profile.password_new')} />
      <TextInput
        source="confirm"
        label={t('account.profile.password_confirm')}
        type="password"
        autoComplete="new-password"
        validate={(confirm, { password }: PasswordChange) =>
          confirm === password ? null : problemText(PASSWORDS_DIFFER)
        }
      />
      <FormButtons label={t('account.profile.password_submit')} busyLabel={t('account.saving')} onCancel={onDone} />
    </Form>
  );
}
