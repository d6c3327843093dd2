import { checkNewPassword, PASSWORDS_DIFFER } from '@moorage/domain';
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { resetPassword } from '../../data/email-links';
import { go, useAddress } from '../../data/navigation';
import { usePublicText } from '../../texts/locale';
import { Link } from '../../ui/link';
import { showToast } from '../../ui/toasts';
import { PageSkeleton } from '../../ui/page-skeleton';
import { Field, FormError, SubmitButton } from '../../ui/form/field';
import { Outcome } from './outcome';
import { Strength } from '../../ui/form/strength';
import { useForm } from '../../ui/form/use-form';
import { useTitle } from '../../ui/use-title';
import { buttonClass } from '../../ui/button';
import { problemText } from '../../data/problem-message';

export default function ResetPassword() {
  const t = usePublicText();
  const token = useAddress().query.get('token') ?? '';
  const [done, setDone] = useState(false);
  useTitle(t(done ? 'reset.done_title' : 'reset.title'));
  const missing = token === '' && !done;
  const wasShown = useRef(false);
  useEffect(() => {
    if (!missing || wasShown.current) return;
    wasShown.current = true;
    showToast(t('reset.invalid'), 'error');
    go('/login', { replace: true });
  }, [missing, t]);
  if (missing) return <PageSkeleton />;
  if (!done) return <Choose token={token} onDone={() => setDone(true)} />;
  return (
    <Outcome icon={CircleCheck} title={t('reset.done_title')}>
      <p className="soft">{t('reset.done')}</p>
      <div className="row wrap acts">
        <Link className={buttonClass({ kind: 'primary' })} href="/login">
          {t('reset.to_login')}
        </Link>
      </div>
    </Outcome>
  );
}

function Choose({ token, onDone }: { token: string; onDone: () => void }) {
  const t = usePublicText();
  const form = useForm({
    initial: { password: '', confirm: '' },
    checks: {
      password: ({ password }) => problemText(checkNewPassword(password)),
      confirm: ({ password, confirm }) => (password === confirm ? null : problemText(PASSWORDS_DIFFER)),
    },
    failed: 'reset.failed',
    retryAt: 'password',
    wireNames: { new_password: 'password' },
    async submit({ password }) {
      await resetPassword(token, password);
      showToast(t('reset.done_toast'), 'success');
      onDone();
      return null;
    },
  });
  const { password, confirm } = form.values;
  return (
    <main className="auth">
      <div className="card">
        <h1>{t('reset.title')}</h1>
        <p className="soft sub">{t('reset.lead')}</p>
        <form noValidate onSubmit={form.onSubmit}>
          <FormError text={form.refusal} />
          <Field
            label={t('reset.password')}
            type="password"
            autoComplete="new-password"
            hint={password === '' ? t('signup.password_hint') : <Strength password={password} />}
            field={form.field('password')}
          />
          <Field label={t('reset.confirm')} type="password" autoComplete="new-password" field={form.field('confirm')} />
          <SubmitButton
            label={t('reset.submit')}
            busyLabel={t('reset.busy')}
            busy={form.busy}
            disabled={password === '' || confirm === ''}
          />
        </form>
        {form.refusal === null ? null : (
          <p className="sub">
            <Link href="/forgot-password">{t('reset.again')}</Link>
          </p>
        )}
      </div>
    </main>
  );
}
