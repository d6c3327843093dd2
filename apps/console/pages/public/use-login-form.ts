import { ACCESS_MESSAGES, checkLoginPassword } from '@moorage/domain';
import { useState } from 'react';
import { logIn } from '../../data/account';
import { ApiError } from '../../data/errors';
import { go } from '../../data/navigation';
import { problemText } from '../../data/problem-message';
import { usePublicText } from '../../texts/locale';
import { type Form, useForm } from '../../ui/form/use-form';
import { storeTypedEmail, typedEmail } from './typed-email';

export type LoginForm = Form<'email' | 'password' | 'otp'>;

/** Form of the login. Accounts with two-factor authentication need a code in addition. */
export function useLoginForm(): { form: LoginForm; needsCode: boolean; leaveCode: () => void } {
  const t = usePublicText();
  const [needsCode, setNeedsCode] = useState(false);
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
        if (!(error instanceof ApiError) || error.code !== 'OTP_REQUIRED') throw atCode(error);
        setNeedsCode(true);
        return null;
      }
    },
  });
  const leaveCode = (): void => {
    form.field('otp').onChange('');
    setNeedsCode(false);
  };
  return { form, needsCode, leaveCode };
}

/** Assigns the refusal of a code to its field. */
function atCode(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'OTP_WRONG') return error;
  return new ApiError(error.status, error.code, error.reason, [{ path: 'otp', message: error.reason }]);
}
