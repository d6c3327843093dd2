import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { asciiEmail, checkEmail, checkNewPassword, checkUsername, usernameOf } from '@moorage/domain';
import { UserPlus } from 'lucide-react';
import { useId, useState } from 'react';
import { useListContext } from 'react-admin';
import { useReturnFocus } from '../../ui/use-return-focus';
import { useAction } from '../../data/use-action';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { usePublicText } from '../../texts/locale';
import { Field, FormError } from '../../ui/form/field';
import { problemText, refusalOf } from '../../data/problem-message';
import { Strength } from '../../ui/form/strength';
import { useForm } from '../../ui/form/use-form';
import { Button } from '../../ui/button';

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

function CreateDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const p = usePublicText();
  const toast = useToast();
  const id = useId();
  const { setFilters } = useListContext();
  const create = useAction('users', 'create');
  const [isAdmin, setAdmin] = useState(false);
  const form = useForm({
    initial: { username: '', email: '', password: '' },
    checks: {
      username: ({ username }) => problemText(checkUsername(usernameOf(username))),
      email: ({ email }) => problemText(checkEmail(asciiEmail(email))),
      password: ({ password }) => problemText(checkNewPassword(password)),
    },
    failed: 'form.failed',
    retryAt: 'username',
    async submit({ username, email, password }) {
      try {
        const created = await create.mutateAsync({
          body: { username: username.trim(), email: email.trim(), password, is_admin: isAdmin },
        });
        onClose();
        toast(t('users.create.done', { name: created.username }));
        // Filter the list for the new user, wherever it would be in the order.
        setFilters({ q: created.username });
        return null;
      } catch (error) {
        if (refusalOf(error) !== null) throw error;
        return t('users.create.failed');
      }
    },
  });
  const { username, email, password } = form.values;
  const isFilled = username.trim() !== '' && email.trim() !== '' && password !== '';
  return (
    <Dialog open onClose={onClose} aria-labelledby={`${id}-title`} fullWidth maxWidth="xs">
      <form noValidate onSubmit={form.onSubmit}>
        <DialogTitle id={`${id}-title`}>{t('users.create.open')}</DialogTitle>
        <DialogContent className="person-form">
          <FormError text={form.refusal} />
          <Field label={t('users.username')} autoComplete="off" autoFocus field={form.field('username')} />
          <Field label={t('users.email')} type="email" autoComplete="off" field={form.field('email')} />
          <Field
            label={p('form.password')}
            type="password"
            autoComplete="new-password"
            hint={password === '' ? p('signup.password_hint') : <Strength password={password} />}
            field={form.field('password')}
          />
          <p className="hint">{t('users.create.password_hint')}</p>
          <div>
            <FormControlLabel
              className="switch"
              control={<Switch size="small" checked={isAdmin} onChange={(_event, on) => setAdmin(on)} />}
              label={t('users.create.admin')}
            />
            <p className="hint">{t('users.promote.text')}</p>
          </div>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{t('layout.cancel')}</Button>
          <Button type="submit" kind="primary" busy={form.busy} disabled={!isFilled}>
            {form.busy ? t('users.create.busy') : t('users.create.submit')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
