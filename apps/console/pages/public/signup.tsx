import { asciiEmail, checkEmail, checkNewPassword, checkUsername, PASSWORDS_DIFFER, usernameOf } from '@moorage/domain';
import { useState } from 'react';
import { logIn, signUp } from '../../data/account';
import { api } from '../../data/api';
import { ApiError } from '../../data/errors';
import { go, useAddress } from '../../data/navigation';
import { currentLocale, usePublicText } from '../../texts/locale';
import { Link } from '../../ui/link';
import { showToast } from '../../ui/toasts';
import { Field, FormError, SubmitButton } from '../../ui/form/field';
import { usePrices } from './prices';
import { Strength } from '../../ui/form/strength';
import { storeTypedEmail, typedEmail } from './typed-email';
import { useForm } from '../../ui/form/use-form';
import { useTitle } from '../../ui/use-title';
import { problemText, refusalText } from '../../data/problem-message';

export default function Signup() {
  const t = usePublicText();
  useTitle(t('signup.title'));
  const { query } = useAddress();
  const { prices } = usePrices();
  const [taken, setTaken] = useState(false);
  const form = useForm({
    initial: {
      username: '',
      email: typedEmail(),
      password: '',
      confirm: '',
      referral: query.get('ref')?.trim() ?? '',
    },
    checks: {
      username: ({ username }) => problemText(checkUsername(usernameOf(username))),
      email: ({ email }) =>
        email.trim() === ''
          ? t('form.required', { field: t('form.email') })
          : problemText(checkEmail(asciiEmail(email))),
      password: ({ password }) =>
        password === '' ? t('form.required', { field: t('form.password') }) : problemText(checkNewPassword(password)),
      confirm: ({ password, confirm }) => (password === confirm ? null : problemText(PASSWORDS_DIFFER)),
      referral: () => null,
    },
    failed: 'signup.failed',
    retryAt: 'username',
    wireNames: { referral_code: 'referral' },
    async submit({ username, email, password, referral }) {
      storeTypedEmail(email);
      setTaken(false);
      const referrer = prices.referrals_enabled ? await referrerOf(referral.trim()) : null;
      if (referrer === 'unknown') showToast(t('signup.referral_invalid'), 'error');
      const known = referrer !== null && referrer !== 'unknown';
      await signUp({
        username: username.trim(),
        email: email.trim(),
        password,
        language: currentLocale(),
        ...(known ? { referral_code: referral.trim() } : {}),
      }).catch((error: unknown) => {
        setTaken(error instanceof ApiError && error.code === 'ACCOUNT_EXISTS');
        throw error;
      });
      showToast(
        !known
          ? t('signup.created')
          : referrer.isFreeCredits
            ? t('signup.created_free_credits')
            : t('signup.created_referral', { referrer: referrer.username }),
        'success',
      );
      try {
        await logIn({ email: email.trim(), password });
      } catch (error) {
        // The account exists, only the login failed.
        showToast(refusalText(error, t('login.failed')), 'error');
        go('/login');
      }
      return null;
    },
  });
  const { password } = form.values;
  return (
    <main className="auth">
      <div className="card">
        <h1>{t('signup.title')}</h1>
        <p className="soft sub">
          {t('signup.known')} <Link href="/login">{t('login.title')}</Link>
        </p>
        <form noValidate onSubmit={form.onSubmit}>
          <FormError text={form.refusal}>{taken ? <Link href="/login">{t('signup.taken')}</Link> : null}</FormError>
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
        </form>
      </div>
    </main>
  );
}

/** Returns the referrer of a code, or `unknown` if the code is invalid for any reason. */
async function referrerOf(code: string): Promise<{ username: string; isFreeCredits: boolean } | 'unknown' | null> {
  if (code === '') return null;
  try {
    const { referrer_username, is_free_credits } = await api('GET /referrals/validate-code/{code}', {
      params: { code },
    });
    return { username: referrer_username, isFreeCredits: is_free_credits };
  } catch (error) {
    if (error instanceof ApiError) return 'unknown';
    throw error;
  }
}
