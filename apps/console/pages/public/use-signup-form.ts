import { asciiEmail, checkEmail, checkNewPassword, checkUsername, PASSWORDS_DIFFER, usernameOf } from '@moorage/domain';
import { useEffect, useState } from 'react';
import { logIn, signUp } from '../../data/account';
import { ApiError } from '../../data/errors';
import { go, useAddress } from '../../data/navigation';
import { problemText, refusalText } from '../../data/problem-message';
import { rememberWantedPackage } from '../../data/wanted-package';
import { type Referrer, referrerOf } from '../../data/referrer';
import { currentLocale, usePublicText } from '../../texts/locale';
import { type Form, useForm } from '../../ui/form/use-form';
import { showToast } from '../../ui/toasts';
import { usePublicPrices } from '../../data/public-prices';
import { storeTypedEmail, typedEmail } from './typed-email';

type SignupForm = Form<'username' | 'email' | 'password' | 'confirm' | 'referral'>;

/** Form of the signup. `isTaken` means that the email already has an account. */
export function useSignupForm(): { form: SignupForm; isTaken: boolean } {
  const t = usePublicText();
  const { query } = useAddress();
  const { prices } = usePublicPrices();
  const finish = useFirstLogin();
  const [isTaken, setTaken] = useState(false);
  const wanted = query.get('package');
  useEffect(() => {
    if (wanted !== null) rememberWantedPackage(wanted);
  }, [wanted]);
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
      const code = prices.referrals_enabled ? referral.trim() : '';
      const found = code === '' ? null : await referrerOf(code);
      if (found === 'unknown') showToast(t('signup.referral_invalid'), 'error');
      const referrer = found === 'unknown' ? null : found;
      const account = { username: username.trim(), email: email.trim(), password, language: currentLocale() };
      await signUp({ ...account, ...(referrer === null ? {} : { referral_code: code }) }).catch((error: unknown) => {
        setTaken(error instanceof ApiError && error.code === 'ACCOUNT_EXISTS');
        throw error;
      });
      await finish(account, referrer);
      return null;
    },
  });
  return { form, isTaken };
}

/** Returns a function that reports the new account and logs in. */
function useFirstLogin() {
  const t = usePublicText();
  return async ({ email, password }: { email: string; password: string }, referrer: Referrer | null): Promise<void> => {
    const created =
      referrer === null
        ? t('signup.created')
        : referrer.isFreeCredits
          ? t('signup.created_free_credits')
          : t('signup.created_referral', { referrer: referrer.username });
    showToast(created, 'success');
    try {
      await logIn({ email, password });
    } catch (error) {
      // The account exists, only the login failed.
      showToast(refusalText(error, t('login.failed')), 'error');
      go('/login');
    }
  };
}
