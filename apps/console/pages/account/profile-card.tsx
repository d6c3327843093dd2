import type { User } from '@moorage/contracts';
import { asciiEmail, checkEmail, checkNewPassword, checkUsername, PASSWORDS_DIFFER, usernameOf } from '@moorage/domain';
import { Hourglass, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../data/api';
import { useAccountRefresh, useOwnUser } from '../../data/own-account';
import { updateUser } from '../../data/session';
import { LockedButton } from '../../parts/locked-button';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { usePublicText } from '../../texts/locale';
import { CopyButton } from '../../ui/copy-button';
import { fullDay } from '../../ui/dates';
import { Field, FormError } from '../../ui/form/field';
import { problemText, refusalText, sentText } from '../../data/problem-message';
import { Strength } from '../../ui/form/strength';
import { useForm } from '../../ui/form/use-form';
import { SectionCard, Loaded } from '../../ui/card';
import { FormButtons } from '../../ui/form/form-buttons';
import { useReturnFocus } from '../../ui/use-return-focus';
import { bothForms } from '../../ui/both-forms';
import { Button } from '../../ui/button';

/** Profile with forms to change it, one at a time, each below its row. */
export function ProfileCard() {
  const t = useText();
  return (
    <SectionCard id="profile" title={t('account.profile.title')}>
      <Loaded query={useOwnUser()} failed={t('account.profile.failed')}>
        {(user) => <Facts user={user} />}
      </Loaded>
    </SectionCard>
  );
}

const CHANGES = ['username', 'email', 'password'] as const;
type Change = (typeof CHANGES)[number];

const FORMS = { username: UsernameForm, email: EmailForm, password: PasswordForm };

function Facts({ user }: { user: User }) {
  const t = useText();
  const [open, setOpen] = useState<Change | null>(null);
  const values: Readonly<Record<Change, ReactNode>> = {
    username: user.username,
    email: (
      <>
        {bothForms(user.email)}
        {user.email_undeliverable ? <Undeliverable /> : null}
        {user.pending_email === null ? null : <Pending email={user.pending_email} />}
      </>
    ),
    password: '••••••••',
  };
  return (
    <dl className="kv pad">
      {CHANGES.map((change) => {
        const Form = FORMS[change];
        return (
          <ChangeRow
            key={change}
            label={t(`account.profile.${change}`)}
            value={values[change]}
            isVerified={user.is_verified}
            isOpen={open === change}
            onToggle={() => setOpen(open === change ? null : change)}
            form={<Form onDone={() => setOpen(null)} />}
          />
        );
      })}
      <div>
        <dt>{t('account.profile.id')}</dt>
        <dd>
          {user.id} <CopyButton value={String(user.id)} what={t('account.profile.id')} />
        </dd>
      </div>
      <div>
        <dt>{t('account.profile.role')}</dt>
        <dd>{user.is_admin ? t('account.profile.administrator') : t('account.profile.user')}</dd>
      </div>
      <div>
        <dt>{t('account.profile.since')}</dt>
        <dd>{fullDay(user.created_at)}</dd>
      </div>
    </dl>
  );
}

function ChangeRow({
  label,
  value,
  isVerified,
  isOpen,
  onToggle,
  form,
}: {
  label: string;
  value: ReactNode;
  isVerified: boolean;
  isOpen: boolean;
  onToggle: () => void;
  form: ReactNode;
}) {
  const t = useText();
  const opener = useReturnFocus(isOpen);
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <div className="row start">
          <div className="grow">{value}</div>
          <LockedButton
            ref={opener}
            size="small"
            aria-label={t('account.change_what', { what: label })}
            aria-expanded={isOpen}
            reason={isVerified ? null : t('account.unverified')}
            onClick={onToggle}
          >
            {t('account.change')}
          </LockedButton>
        </div>
        {isOpen ? form : null}
      </dd>
    </div>
  );
}

/** Warns that emails to the address are rejected. */
function Undeliverable() {
  const t = useText();
  return (
    <div className="note brass">
      <TriangleAlert size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{t('account.profile.undeliverable')}</b>
        </p>
        <p>{t('account.profile.undeliverable_hint')}</p>
      </div>
    </div>
  );
}

/** New email that is not confirmed yet. */
function Pending({ email }: { email: string }) {
  const t = useText();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const takeBack = async (): Promise<void> => {
    setBusy(true);
    try {
      updateUser(await api('DELETE /users/self/email-change'));
      toast(t('account.profile.taken_back'));
    } catch (error) {
      setBusy(false);
      toast(refusalText(error, t('account.profile.failed')), { type: 'error' });
    }
  };
  return (
    <div className="note flat pending">
      <Hourglass size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{t('account.profile.waiting', { email })}</b>
        </p>
        <p>{t('account.profile.waiting_hint')}</p>
        <Button size="small" busy={busy} onClick={() => void takeBack()}>
          {t('account.profile.take_back')}
        </Button>
      </div>
    </div>
  );
}

interface FormProps {
  readonly onDone: () => void;
}

function UsernameForm({ onDone }: FormProps) {
  const t = useText();
  const toast = useToast();
  const form = useForm({
    initial: { username: '' },
    checks: { username: ({ username }) => problemText(checkUsername(usernameOf(username))) },
    failed: 'form.failed',
    retryAt: 'username',
    async submit({ username }) {
      updateUser(await api('PUT /users/self/username', { body: { username: username.trim() } }));
      toast(t('account.profile.username_saved'));
      onDone();
      return null;
    },
  });
  return (
    <form className="inplace" noValidate onSubmit={form.onSubmit}>
      <FormError text={form.refusal} />
      <Field
        label={t('account.profile.username_new')}
        autoComplete="nickname"
        autoFocus
        field={form.field('username')}
      />
      <FormButtons label={t('account.save')} busyLabel={t('account.saving')} busy={form.busy} onCancel={onDone} />
    </form>
  );
}

function EmailForm({ onDone }: FormProps) {
  const t = useText();
  const p = usePublicText();
  const form = useForm({
    initial: { email: '' },
    checks: {
      email: ({ email }) =>
        email.trim() === ''
          ? p('form.required', { field: p('form.email') })
          : problemText(checkEmail(asciiEmail(email))),
    },
    failed: 'form.failed',
    retryAt: 'email',
    async submit({ email }) {
      updateUser(await api('POST /users/self/email-change', { body: { email: email.trim() } }));
      onDone();
      return null;
    },
  });
  return (
    <form className="inplace" noValidate onSubmit={form.onSubmit}>
      <p className="soft">{t('account.profile.email_lead')}</p>
      <FormError text={form.refusal} />
      <Field
        label={t('account.profile.email_new')}
        type="email"
        autoComplete="email"
        autoFocus
        field={form.field('email')}
      />
      <FormButtons
        label={t('account.profile.email_submit')}
        busyLabel={t('account.profile.email_busy')}
        busy={form.busy}
        onCancel={onDone}
      />
    </form>
  );
}

function PasswordForm({ onDone }: FormProps) {
  const t = useText();
  const p = usePublicText();
  const toast = useToast();
  const refresh = useAccountRefresh();
  const form = useForm({
    initial: { current: '', password: '', confirm: '' },
    checks: {
      current: ({ current }) => (current === '' ? p('form.required', { field: p('form.password') }) : null),
      password: ({ password }) => problemText(checkNewPassword(password)),
      confirm: ({ password, confirm }) => (password === confirm ? null : problemText(PASSWORDS_DIFFER)),
    },
    failed: 'form.failed',
    retryAt: 'current',
    // If the session is not recent, a separate call confirms the password first.
    wireNames: { current_password: 'current', password: 'current', new_password: 'password' },
    async submit({ current, password }) {
      const answer = await api('PUT /users/self/password', {
        body: { current_password: current, new_password: password },
      });
      toast(sentText(answer));
      onDone();
      void refresh('user', 'sessions', 'api-tokens');
      return null;
    },
  });
  const { password } = form.values;
  return (
    <form className="inplace" noValidate onSubmit={form.onSubmit}>
      <p className="soft">{t('account.profile.password_lead')}</p>
      <FormError text={form.refusal} />
      <Field
        label={t('account.current_password')}
        type="password"
        autoComplete="current-password"
        autoFocus
        field={form.field('current')}
      />
      <Field
        label={t('account.profile.password_new')}
        type="password"
        autoComplete="new-password"
        hint={password === '' ? p('signup.password_hint') : <Strength password={password} />}
        field={form.field('password')}
      />
      <Field
        label={t('account.profile.password_confirm')}
        type="password"
        autoComplete="new-password"
        field={form.field('confirm')}
      />
      <FormButtons
        label={t('account.profile.password_submit')}
        busyLabel={t('account.saving')}
        busy={form.busy}
        onCancel={onDone}
      />
    </form>
  );
}
