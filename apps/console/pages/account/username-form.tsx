import { checkUsername, usernameOf } from '@moorage/domain';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { Form, SubmitError } from '../../ui/form/form';
import { FormButtons } from '../../ui/form/form-buttons';
import { TextInput } from '../../ui/form/inputs';
import { problemText } from '../../data/problem-message';

/** Form to change the own username. */
export function UsernameForm({ onDone }: { onDone: () => void }) {
  const t = useText();
  const change = useAction('account', 'changeUsername', { done: t('account.profile.username_saved') });
  const submit = async ({ username }: { username: string }): Promise<void> => {
    await change.mutateAsync({ body: { username: username.trim() } });
    onDone();
  };
  return (
    <Form className="account-form" defaultValues={{ username: '' }} onSubmit={submit}>
      <SubmitError />
      <TextInput
        source="username"
        label={t('account.profile.username_new')}
        autoComplete="nickname"
        autoFocus
        validate={(username) => problemText(checkUsername(usernameOf(username)))}
      />
      <FormButtons label={t('account.save')} busyLabel={t('account.saving')} onCancel={onDone} />
    </Form>
  );
}
