import { useBrand } from '../../data/brand';
import { useAddress } from '../../data/navigation';
import { usePublicText } from '../../texts/locale';
import { Button } from '../../ui/button';
import { CodeField } from '../../ui/form/code-field';
import { Field, FormError, SubmitButton } from '../../ui/form/field';
import { Link } from '../../ui/link';
import { useHydrated } from '../../ui/use-hydrated';
import { useTitle } from '../../ui/use-title';
import { storeTypedEmail } from './typed-email';
import { type LoginForm, useLoginForm } from './use-login-form';

export default function Login() {
  const t = usePublicText();
  const { form, needsCode, leaveCode } = useLoginForm();
  useTitle(t('login.title'));
  return (
    <main className="auth">
      <div className="card">
        {needsCode ? <CodeStep form={form} onBack={leaveCode} /> : <PasswordStep form={form} />}
      </div>
    </main>
  );
}

function PasswordStep({ form }: { form: LoginForm }) {
  const t = usePublicText();
  const { name: brand } = useBrand();
  const next = useAddress().query.get('next') ?? '';
  const isHydrated = useHydrated();
  return (
    <>
      <h1>{t('login.title')}</h1>
      <p className="soft sub">
        {t('login.newcomer', { brand })} <Link href="/signup">{t('signup.title')}</Link>
      </p>
      <form noValidate onSubmit={form.onSubmit}>
        {isHydrated && next.startsWith('/account') ? <p className="note">{t('login.account_first')}</p> : null}
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
        <SubmitButton label={t('login.submit')} busyLabel={t('login.busy')} busy={form.busy} />
      </form>
    </>
  );
}

/** Second step for accounts with two-factor authentication. */
function CodeStep({ form, onBack }: { form: LoginForm; onBack: () => void }) {
  const t = usePublicText();
  return (
    <>
      <h1>{t('login.code_title')}</h1>
      <p className="soft sub">{t('login.code_lead')}</p>
      <form noValidate onSubmit={form.onSubmit}>
        <FormError text={form.refusal} />
        <CodeField field={form.field('otp')} autoFocus />
        <SubmitButton label={t('login.submit')} busyLabel={t('login.busy')} busy={form.busy} />
        <Button size="large" block onClick={onBack}>
          {t('login.back')}
        </Button>
      </form>
    </>
  );
}
