import { ACCESS_MESSAGES } from '@moorage/domain';
import { useEffect, useState } from 'react';
import { api } from '../data/api';
import { setIdentityPrompt } from '../data/recent-authentication';
import { useSession } from '../data/session';
import { useText } from '../texts/console-i18n';
import { usePublicText } from '../texts/locale';
import { CodeField } from '../ui/form/code-field';
import { Field } from '../ui/form/field';
import { problemText } from '../data/problem-message';
import { useForm } from '../ui/form/use-form';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';

interface Prompted {
  /** Password already entered in a form, which is not prompted for again. */
  readonly password: string | null;
  readonly resolve: (confirmed: boolean) => void;
}

/**
 * Prompts for the password, and for a code if two-factor authentication is on, when a call requires recent
 * authentication.
 */
export function ConfirmIdentity() {
  const [prompted, setPrompted] = useState<Prompted | null>(null);
  const needsCode = useSession()?.user?.has_two_factor === true;
  useEffect(
    () =>
      setIdentityPrompt(async (password) => {
        if (password !== null && !needsCode) {
          await api('POST /users/self/reauthentication', { body: { password } });
          return true;
        }
        return new Promise<boolean>((resolve) => setPrompted({ password, resolve }));
      }),
    [needsCode],
  );
  if (prompted === null) return null;
  const close = (confirmed: boolean): void => {
    setPrompted(null);
    prompted.resolve(confirmed);
  };
  return <IdentityDialog password={prompted.password} needsCode={needsCode} onClose={close} />;
}

function IdentityDialog({
  password: known,
  needsCode,
  onClose,
}: {
  password: string | null;
  needsCode: boolean;
  onClose: (confirmed: boolean) => void;
}) {
  const t = useText();
  const p = usePublicText();
  const form = useForm({
    initial: { password: known ?? '', otp: '' },
    checks: {
      password: ({ password }) => (password === '' ? p('form.required', { field: p('form.password') }) : null),
      otp: ({ otp }) => (needsCode && otp.trim() === '' ? problemText(ACCESS_MESSAGES.otp_missing) : null),
    },
    failed: 'form.failed',
    retryAt: known === null ? 'password' : 'otp',
    async submit({ password, otp }) {
      await api('POST /users/self/reauthentication', { body: { password, otp: needsCode ? otp : null } });
      onClose(true);
      return null;
    },
  });
  return (
    <Dialog
      onClose={() => onClose(false)}
      onSubmit={form.onSubmit}
      text={t(needsCode ? 'layout.identity.text_with_code' : 'layout.identity.text')}
      title={t('layout.identity.title')}
      refusal={form.refusal}
      actions={
        <>
          <Button onClick={() => onClose(false)}>{t('layout.cancel')}</Button>
          <Button type="submit" kind="primary" busy={form.busy}>
            {t(form.busy ? 'layout.identity.confirming' : 'layout.identity.confirm')}
          </Button>
        </>
      }
    >
      <Field
        label={p('form.password')}
        type="password"
        autoComplete="current-password"
        autoFocus={known === null}
        field={form.field('password')}
      />
      {needsCode ? <CodeField field={form.field('otp')} autoFocus={known !== null} /> : null}
    </Dialog>
  );
}
