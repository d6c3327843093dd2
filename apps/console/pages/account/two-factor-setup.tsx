import type { RouteAnswer } from '@moorage/contracts';
import { ACCESS_MESSAGES } from '@moorage/domain';
import { renderSVG } from 'uqr';
import { problemText } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { CopyButton } from '../../ui/copy-button';
import { CodeInput } from '../../ui/form/code-input';
import { Form, SubmitError } from '../../ui/form/form';
import { FormButtons } from '../../ui/form/form-buttons';
import './two-factor-setup.css';

export type TwoFactorSecret = RouteAnswer<'POST /users/self/two-factor'>;

const EMPTY = { otp: '' };

/** Form to scan the secret with an authenticator app and to confirm it with a code. */
export function TwoFactorSetup({
  secret: { secret, otpauth_url: url },
  onCodes,
  onCancel,
}: {
  secret: TwoFactorSecret;
  onCodes: (codes: readonly string[]) => void;
  onCancel: () => void;
}) {
  const t = useText();
  const confirm = useAction('account', 'confirmTwoFactor');
  return (
    <Form
      className="account-form"
      defaultValues={EMPTY}
      onSubmit={async (body) => onCodes((await confirm.mutateAsync({ body })).recovery_codes)}
    >
      <p>{t('account.two_factor.scan')}</p>
      {/* Dark on white in both themes, with the quiet zone that scanners need. */}
      <div
        className="qr"
        role="img"
        aria-label={t('account.two_factor.qr')}
        dangerouslySetInnerHTML={{ __html: renderSVG(url, { border: 4 }) }}
      />
      <p className="soft">
        {t('account.two_factor.type_in')}: <span className="mono anywhere">{secret}</span>{' '}
        <CopyButton value={secret} what={t('account.two_factor.secret')} />
      </p>
      <SubmitError />
      <CodeInput
        source="otp"
        recovery={false}
        autoFocus
        validate={(otp) => (otp.trim() === '' ? problemText(ACCESS_MESSAGES.otp_missing) : null)}
      />
      <FormButtons
        label={t('account.two_factor.confirm')}
        busyLabel={t('account.two_factor.confirming')}
        onCancel={onCancel}
      />
    </Form>
  );
}
