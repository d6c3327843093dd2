import { usePublicText } from '../../texts/locale';
import { Field, FormError, SubmitButton } from '../../ui/form/field';
import { Strength } from '../../ui/form/strength';
import { Link } from '../../ui/link';
import { useTitle } from '../../ui/use-title';
import { usePublicPrices } from '../../data/public-prices';
import { wantedPackage } from '../../data/wanted-package';
import { ORDER } from './after-login';
import { Consent } from './consent';
import { useSignupForm } from './use-signup-form';

export default function Signup() {
  const t = usePublicText();
  const { prices } = usePublicPrices();
  const { form, isTaken } = useSignupForm();
  useTitle(t('signup.title'));
  const { password } = form.values;
  const login = wantedPackage() === null ? '/login' : `/login?next=${ORDER}`;
  return (
    <main className="auth">
      <div className="card">
        <h1>{t('signup.title')}</h1>
        <p className="soft sub">
          {t('signup.known')} <Link href={login}>{t('login.title')}</Link>
        </p>
        <form noValidate onSubmit={form.onSubmit}>
          <FormError text={form.refusal}>{isTaken ? <Link href="/login">{t('signup.taken')}</Link> : null}</FormError>
          <Field
            label={t('signup.username')}
            autoComplete="nickname"
            hint={t('signup.username_hint')}
            field={form.field('username')}
          />
          <Field label={t('form.email')} type="email" autoComplete="username" field={form.field('email')} />
          <Field
            label={t('form.password')}
            type="password"
            autoComplete="new-password"
            hint={password === '' ? t('signup.password_hint') : <Strength password={password} />}
            field={form.field('password')}
          />
          <Field
            label={t('signup.confirm')}
            type="password"
            autoComplete="new-password"
            field={form.field('confirm')}
          />
          {prices.referrals_enabled ? (
            <Field
              label={t('signup.referral')}
              autoComplete="off"
              hint={t('signup.referral_hint')}
              field={form.field('referral')}
              optional
            />
          ) : null}
          <SubmitButton label={t('signup.submit')} busyLabel={t('signup.busy')} busy={form.busy} />
          <Consent />
        </form>
      </div>
    </main>
  );
}
