import { Mail } from 'lucide-react';
import { Link } from 'react-router-dom';
import { refusalText } from '../data/problem-message';
import { useCanChange, useSession } from '../data/session';
import { useAction } from '../data/use-action';
import { useText } from '../texts/console-i18n';
import { useConsoleSettings } from '../data/brand';
import type { ButtonLook } from '../ui/button';
import { LockedButton } from './locked-button';
import { useViewLock } from './view-lock';
import './verify-banner.css';

/** Banner until the email is verified. Explains why actions are disabled, and can send the email again. */
export function VerifyBanner() {
  const t = useText();
  const user = useSession()?.user;
  const { mails } = useConsoleSettings();
  // The mailbox is not readable while an administrator views the account.
  const canRead = useCanChange();
  if (user == null || user.is_verified) return null;
  return (
    <div className="note brass verify">
      <Mail size={16} aria-hidden="true" />
      <p className="grow">
        {t('deployments.verify.sentence')}{' '}
        {mails === 'kept' && canRead ? (
          <span>
            {t('deployments.verify.kept')} <Link to="/mailbox">{t('deployments.verify.mailbox')}</Link>.
          </span>
        ) : (
          <span className="soft">{t('deployments.verify.sent_to', { email: user.email })}</span>
        )}
      </p>
      <ResendButton size="small" />
    </div>
  );
}

/** Button that sends the verification email again. */
export function ResendButton(look: Pick<ButtonLook, 'kind' | 'size'>) {
  const t = useText();
  const resend = useAction('account', 'resendVerification', {
    done: t('deployments.verify.sent'),
    failed: (error) => refusalText(error, t('deployments.verify.failed')),
  });
  const lock = useViewLock();
  return (
    <LockedButton {...look} reason={lock} onClick={() => resend.mutate()} busy={resend.isPending}>
      {resend.isPending ? t('deployments.verify.resending') : t('deployments.verify.resend')}
    </LockedButton>
  );
}
