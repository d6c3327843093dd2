import { ACCESS_MESSAGES, checkLoginPassword } from '@moorage/domain';
import { useState } from 'react';
import { logIn } from '../../data/account';
import { ApiError } from '../../data/errors';
import { go, useAddress } from '../../data/navigation';
import { usePublicText } from '../../texts/locale';
import { useBrand } from '../../data/brand';
import { Link } from '../../ui/link';
import { CodeField } from '../../ui/form/code-field';
import { Field, FormError, SubmitButton } from '../../ui/form/field';
import { storeTypedEmail, typedEmail } from './typed-email';
import { useForm } from '../../ui/form/use-form';
import { useTitle } from '../../ui/use-title';
import { Button } from '../../ui/button';
import { problemText } from '../../data/problem-message';

export default function Login() {
  const t = usePublicText();
  const { name: brand } = useBrand();
  const next = useAddress().query.get('next') ?? '';
  const [needsCode, setNeedsCode] = useState(false);
  useTitle(t('login.title'));
  const form = useForm({
    initial: { email: typedEmail(), password: '', otp: '' },
    checks: {
      email: ({ email }) => (email.trim() === '' ? t('form.required', { field: t('form.email') }) : null),
      password: ({ password }) =>
        password === '' ? t('form.required', { field: t('form.password') }) : problemText(checkLoginPassword(password)),
      otp: ({ otp }) => (needsCode && otp.trim() === '' ? problemText(ACCESS_MESSAGES.otp_missing) : null),
    },
    failed: 'login.failed',
    retryAt: needsCode ? 'otp' : 'password',
    async submit({ email, password, otp }) {
      storeTypedEmail(email);
      try {
        const outcome = await logIn({ email: email.trim(), password, ...(needsCode ? { otp: otp.trim() } : {}) });
        if (outcome === 'deactivated') go('/account-deactivated');
        // The public side redirects logged-in users.
        return outcome === 'deactivated_name' ? t('login.deactivated') : null;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'OTP_REQUIRED') {
          setNeedsCode(true);
          return null;
        }
        if (error.code === 'OTP_WRONG')
          throw new ApiError(error.status, error.code, error.reason, [{ path: 'otp', message: error.reason }]);
        throw error;
      }
    },
  });
  const button = <SubmitButton label={t('login.submit')} busyLabel={t('login.busy')} busy={form.busy} />;
  if (needsCode) {
    const back = (): void => {
      form.field('otp').onChange('');
      setNeedsCode(false);
    };
    return (
      <main className="auth">
        <div className="card">
          <h1>{t('login.code_title')}</h1>
          <p className="soft sub">{t('login.code_lead')}</p>
          <form noValidate onSubmit={form.onSubmit}>
            <FormError text={form.refusal} />
            <CodeField field={form.field('otp')} autoFocus />
            {button}
            <Button size="large" block onClick={back}>
              {t('login.back')}
            </Button>
          </form>
        </div>
      </main>
    );
  }
  return (
    <main className="auth">
      <div className="card">
        <h1>{t('login.title')}</h1>
        <p className="soft sub">
          {t('login.newcomer', { brand })} <Link href="/signup">{t('signup.title')}</Link>
        </p>
        <form noValidate onSubmit={form.onSubmit}>
          {next.startsWith('/account') ? <p className="note">{t('login.account_first')}</p> : null}
          <FormError text={form.refusal} />
          <Field label={t('form.email')} type="email" autoComplete="username" field={form.field('email')} />
          <Field
            label={t('form.password')}
            type="password"
            autoComplete="current-password"
            field={form.field('password')}
            aside={
              <Link className="small" href="/forgot-password" onClick={() => storeTypedEmail(form.values.email)}>
                {t('login.forgot')}
              </Link>
            }
          />
          {button}
        </form>
      </div>
    </main>
  );
}
