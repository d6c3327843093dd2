import { checkUsername, usernameOf } from '@moorage/domain';
import { api } from '../../data/api';
import { updateUser } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { Form, SubmitError } from '../../ui/form/form';
import { FormButtons } from '../../ui/form/form-buttons';
import { TextInput } from '../../ui/form/inputs';
import { problemText } from '../../data/problem-message';
import { useToast } from '../../ui/use-toast';

/** Form to change the own username. */
export function UsernameForm({ onDone }: { onDone: () => void }) {
  const t = useText();
  const toast = useToast();
  const submit = async ({ username }: { username: string }): Promise<void> => {
    updateUser(await api('PUT /users/self/username', { body: { username: username.trim() } }));
    toast(t('account.profile.username_saved'));
    onDone();
  };
  return (
    <Form className="inplace" defaultValues={{ username: '' }} onSubmit={submit}>
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
