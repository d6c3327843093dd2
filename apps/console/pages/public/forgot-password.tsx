import { asciiEmail, checkEmail } from '@moorage/domain';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { requestPasswordReset } from '../../data/email-links';
import { usePublicText } from '../../texts/locale';
import { useConsoleSettings } from '../../data/brand';
import { Link } from '../../ui/link';
import { showToast } from '../../ui/toasts';
import { Field, FormError, SubmitButton } from '../../ui/form/field';
import { Outcome } from './outcome';
import { storeTypedEmail, typedEmail } from './typed-email';
import { useForm } from '../../ui/form/use-form';
import { useTitle } from '../../ui/use-title';
import { Button, buttonClass } from '../../ui/button';
import { problemText } from '../../data/problem-message';

export default function ForgotPassword() {
  const t = usePublicText();
  const { mails } = useConsoleSettings();
  const [sentTo, setSentTo] = useState<string | null>(null);
  useTitle(t(sentTo === null ? 'forgot.title' : 'forgot.sent_title'));
  if (sentTo === null) return <Ask onSent={setSentTo} />;
  return (
    <Outcome icon={MailCheck} title={t('forgot.sent_title')}>
      <p className="soft">
        {t('forgot.sent')} <b className="break">{sentTo}</b>
      </p>
      <p className="hint">{t(mails === 'kept' ? 'forgot.sent_to_folder' : 'forgot.sent_hint')}</p>
      <div className="row wrap acts">
        <Link className={buttonClass({ kind: 'primary' })} href="/login">
          {t('forgot.back')}
        </Link>
        <Button
          onClick={() => {
            storeTypedEmail('');
            setSentTo(null);
          }}
        >
          {t('forgot.other')}
        </Button>
      </div>
    </Outcome>
  );
}

function Ask({ onSent }: { onSent: (email: string) => void }) {
  const t = usePublicText();
  const form = useForm({
    initial: { email: typedEmail() },
    checks: { email: ({ email }) => problemText(checkEmail(asciiEmail(email))) },
    failed: 'forgot.failed',
    retryAt: 'email',
    async submit({ email }) {
      await requestPasswordReset(email.trim());
      storeTypedEmail(email);
      showToast(t('forgot.sent_toast'), 'success');
      onSent(email.trim());
      return null;
    },
  });
  return (
    <main className="auth">
      <div className="card">
        <h1>{t('forgot.title')}</h1>
        <p className="soft sub">{t('forgot.lead')}</p>
        <form noValidate onSubmit={form.onSubmit}>
          <FormError text={form.refusal} />
          <Field label={t('form.email')} type="email" autoComplete="username" field={form.field('email')} />
          <SubmitButton
            label={t('forgot.submit')}
            busyLabel={t('forgot.busy')}
            busy={form.busy}
            disabled={form.values.email.trim() === ''}
          />
        </form>
        <p className="sub">
          <Link href="/login">{t('forgot.back')}</Link>
        </p>
      </div>
    </main>
  );
}
