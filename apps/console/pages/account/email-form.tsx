import { asciiEmail, checkEmail } from '@moorage/domain';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { usePublicText } from '../../texts/locale';
import { Form, SubmitError } from '../../ui/form/form';
import { FormButtons } from '../../ui/form/form-buttons';
import { TextInput } from '../../ui/form/inputs';
import { problemText } from '../../data/problem-message';

/** Form to change the own email address. The change is pending until the user opens the link in an email. */
export function EmailForm({ onDone }: { onDone: () => void }) {
  const t = useText();
  const p = usePublicText();
  const change = useAction('account', 'changeEmail');
  const check = (email: string): string | null =>
    email.trim() === '' ? p('form.required', { field: p('form.email') }) : problemText(checkEmail(asciiEmail(email)));
  const submit = async ({ email }: { email: string }): Promise<void> => {
    await change.mutateAsync({ body: { email: email.trim() } });
    onDone();
  };
  return (
    <Form className="account-form" defaultValues={{ email: '' }} onSubmit={submit}>
      <p className="soft">{t('account.profile.email_lead')}</p>
      <SubmitError />
      <TextInput
        source="email"
        label={t('account.profile.email_new')}
        type="email"
        autoComplete="email"
        autoFocus
        validate={check}
      />
      <FormButtons
        label={t('account.profile.email_submit')}
        busyLabel={t('account.profile.email_busy')}
        onCancel={onDone}
      />
    </Form>
  );
}
