import { Mail } from 'lucide-react';
import { Link } from 'react-router-dom';
import { ApiError } from '../data/errors';
import { useResendVerification } from '../data/users';
import { useSession } from '../data/session';
import { useText } from '../texts/console-i18n';
import { useConsoleSettings } from '../data/brand';
import { useToast } from '../ui/use-toast';
import { messageText } from '../texts/locale';
import { Button } from '../ui/button';

/** Shown until the email is verified. Explains why actions are disabled, and can send the email again. */
export function VerifyBanner() {
  const t = useText();
  const toast = useToast();
  const user = useSession()?.user;
  const resend = useResendVerification();
  const { mails } = useConsoleSettings();
  if (user == null || user.is_verified) return null;
  const send = (): void =>
    resend.mutate(undefined, {
      onSuccess: () => toast(t('deployments.verify.sent')),
      onError: (error) =>
        toast(error instanceof ApiError ? messageText(error.reason) : t('deployments.verify.failed'), {
          type: 'error',
        }),
    });
  return (
    <div className="note brass verify">
      <Mail size={16} aria-hidden="true" />
      <p className="grow">
        {t('deployments.verify.sentence')}{' '}
        {mails === 'kept' ? (
          <span>
            {t('deployments.verify.kept')} <Link to="/mailbox">{t('deployments.verify.mailbox')}</Link>.
          </span>
        ) : (
          <span className="soft">{t('deployments.verify.sent_to', { email: user.email })}</span>
        )}
      </p>
      <Button size="small" onClick={send} busy={resend.isPending}>
        {resend.isPending ? t('deployments.verify.resending') : t('deployments.verify.resend')}
      </Button>
    </div>
  );
}
