import { asciiEmail, checkEmail, checkUsername, usernameOf } from '@moorage/domain';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import { useReturnFocus } from '../../ui/use-return-focus';
import { useAction } from '../../data/use-action';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { usePublicText } from '../../texts/locale';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/form/form-dialog';
import { SwitchInput, TextInput } from '../../ui/form/inputs';
import { NewPasswordInput } from '../../ui/form/new-password-input';
import { problemText, refusalOf } from '../../data/problem-message';

/** Button above the list, with its dialog. */
export function CreateUser() {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const opener = useReturnFocus(isOpen);
  return (
    <>
      <Button ref={opener} kind="primary" aria-haspopup="dialog" icon={UserPlus} onClick={() => setOpen(true)}>
        {t('users.create.open')}
      </Button>
      {isOpen ? <CreateDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const EMPTY = { username: '', email: '', password: '', is_admin: false };
type NewUser = typeof EMPTY;

function CreateDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const p = usePublicText();
  const toast = useToast();
  const { setFilters } = useListContext();
  const create = useAction('users', 'create');
  const submit = async ({ username, email, ...values }: NewUser): Promise<void> => {
    const created = await create.mutateAsync({
      body: { ...values, username: username.trim(), email: email.trim() },
    });
    onClose();
    toast(t('users.create.done', { name: created.username }));
    // Filter the list for the new user, wherever it would be in the order.
    setFilters({ q: created.username });
  };
  return (
    <FormDialog
      title={t('users.create.open')}
      width="narrow"
      defaultValues={EMPTY}
      onSubmit={submit}
      refusal={(error) => refusalOf(error) ?? t('users.create.failed')}
      submit={{ label: t('users.create.submit'), busyLabel: t('users.create.busy'), isReady: isFilled }}
      onClose={onClose}
    >
      <TextInput
        source="username"
        label={t('users.username')}
        autoFocus
        validate={(username) => problemText(checkUsername(usernameOf(username)))}
      />
      <TextInput
        source="email"
        label={t('users.email')}
        type="email"
        validate={(email) => problemText(checkEmail(asciiEmail(email)))}
      />
      <NewPasswordInput source="password" label={p('form.password')} />
      <p className="hint">{t('users.create.password_hint')}</p>
      <SwitchInput source="is_admin" label={t('users.create.admin')} hint={t('users.promote.text')} />
    </FormDialog>
  );
}

const isFilled = ({ username, email, password }: NewUser): boolean =>
  username.trim() !== '' && email.trim() !== '' && password !== '';
