import { checkLoginPassword } from '@moorage/domain';
import { logIn } from '../data/account';
import { go } from '../navigation';
import { usePublicText } from '../texts/locale';
import { useBrand } from '../ui/brand';
import { Link } from '../ui/link';
import { Field, RedBox, SubmitButton } from '../ui/field';
import { keepTypedEmail, typedEmail } from './typed-email';
import { useForm } from '../ui/use-form';
import { useTitle } from '../ui/use-title';
import { problemText } from '../ui/problem-words';

export default function Login() {
  const t = usePublicText();
  const { name: brand } = useBrand();
  useTitle(t('login.title'));
  const form = useForm({
    initial: { email: typedEmail(), password: '' },
    checks: {
      email: ({ email }) => (email.trim() === '' ? t('form.required', { field: t('form.email') }) : null),
      password: ({ password }) =>
        password === '' ? t('form.required', { field: t('form.password') }) : problemText(checkLoginPassword(password)),
    },
    failed: 'login.failed',
    retryAt: 'password',
    async submit({ email, password }) {
      keepTypedEmail(email);
      const outcome = await logIn({ email: email.trim(), password });
      if (outcome === 'deactivated') go('/account-deactivated');
      // whoever is logged in is led on by the public side
      return outcome === 'deactivated_name' ? t('login.deactivated') : null;
    },
  });
  return (
    <main className="auth">
      <div className="card">
        <h1>{t('login.title')}</h1>
        <p className="soft sub">
          {t('login.newcomer', { brand })} <Link href="/signup">{t('signup.title')}</Link>
        </p>
        <form noValidate onSubmit={form.onSubmit}>
          <RedBox text={form.refusal} />
          <Field label={t('form.email')} type="email" autoComplete="username" field={form.field('email')} />
          <Field
            label={t('form.password')}
            type="password"
            autoComplete="current-password"
            field={form.field('password')}
            aside={
              <Link className="small" href="/forgot-password" onClick={() => keepTypedEmail(form.values.email)}>
                {t('login.forgot')}
              </Link>
            }
          />
          <SubmitButton label={t('login.submit')} busyLabel={t('login.busy')} busy={form.busy} />
        </form>
      </div>
    </main>
  );
}
