import { asciiEmail, ACCOUNT_MESSAGES, checkEmail } from '@moorage/domain';
import { CircleCheck, X } from 'lucide-react';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { api } from '../../data/api';
import { ApiError } from '../../data/errors';
import { useSession } from '../../data/session';
import { messageText, usePublicText } from '../../texts/locale';
import { Button, type ButtonLook, IconButton } from '../../ui/button';
import { Field, FormError, SubmitButton } from '../../ui/form/field';
import { problemText, sentText } from '../../data/problem-message';
import { useForm } from '../../ui/form/use-form';
import './request-credits.css';

/** Button that opens the request for free credits, used on both sides of the console. */
export function RequestCreditsButton(look: Pick<ButtonLook, 'kind' | 'size'>) {
  const t = usePublicText();
  const [open, setOpen] = useState(false);
  /** Number of requests sent, or null if the dialog was never opened. */
  const [formKey, setFormKey] = useState<number | null>(null);
  const onOpen = (): void => {
    setFormKey(formKey ?? 0);
    setOpen(true);
  };
  const onClose = (isSent: boolean): void => {
    setOpen(false);
    // Keeps text that was typed but not sent.
    if (isSent) setFormKey((formKey ?? 0) + 1);
  };
  return (
    <>
      <Button {...look} aria-haspopup="dialog" onClick={onOpen}>
        {t('free_credits.title')}
      </Button>
      {/* The element around the button has its own styles. */}
      {formKey === null
        ? null
        : createPortal(<RequestCredits key={formKey} open={open} onClose={onClose} />, document.body)}
    </>
  );
}

/** Form for the request and its reason. The decision arrives by email. */
function RequestCredits({ open, onClose }: { open: boolean; onClose: (isSent: boolean) => void }) {
  const t = usePublicText();
  const title = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [sent, setSent] = useState<string | null>(null);
  const form = useRequestForm(setSent);

  useLayoutEffect(() => {
    if (!open) return;
    dialog.current?.showModal();
    const inputs = [...(dialog.current?.querySelectorAll<HTMLInputElement>('form :is(input, textarea)') ?? [])];
    (inputs.find(({ value }) => value === '') ?? inputs.at(-1))?.focus();
  }, [open]);
  useLayoutEffect(() => {
    if (sent !== null) dialog.current?.querySelector<HTMLElement>('.done button')?.focus();
  }, [sent]);

  const close = (): void => dialog.current?.close();
  return (
    <dialog
      className="request-credits"
      ref={dialog}
      aria-labelledby={title}
      onClose={() => onClose(sent !== null)}
      // Keeps the details behind the dialog open.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header>
        <h2 id={title}>{t('free_credits.title')}</h2>
        <IconButton icon={X} iconSize={18} label={t('free_credits.close')} onClick={close} />
      </header>
      {sent === null ? (
        <form noValidate onSubmit={form.onSubmit}>
          <p className="soft">{t('free_credits.terms')}</p>
          <FormError text={form.refusal} />
          <Field label={t('form.email')} type="email" autoComplete="email" field={form.field('email')} />
          <Field
            label={t('free_credits.reason')}
            autoComplete="off"
            rows={4}
            hint={t('free_credits.reason_hint')}
            field={form.field('reason')}
          />
          <SubmitButton label={t('free_credits.submit')} busyLabel={t('free_credits.busy')} busy={form.busy} />
        </form>
      ) : (
        <div className="done">
          <p role="status">
            <CircleCheck size={20} className="good" aria-hidden="true" />
            <span>{sent}</span>
          </p>
          <p className="soft">{t('free_credits.terms')}</p>
          <Button onClick={close}>{t('free_credits.close')}</Button>
        </div>
      )}
    </dialog>
  );
}

function useRequestForm(onSent: (text: string) => void) {
  const t = usePublicText();
  const user = useSession()?.user ?? null;
  const missing = messageText(ACCOUNT_MESSAGES.both_missing);
  return useForm({
    initial: { email: user?.email ?? '', reason: '' },
    checks: {
      email: ({ email }) => (email.trim() === '' ? missing : problemText(checkEmail(asciiEmail(email)))),
      reason: ({ reason }) => (reason.trim() === '' ? missing : null),
    },
    failed: 'form.failed',
    retryAt: 'reason',
    async submit({ email, reason }) {
      try {
        const body = { email: email.trim(), reason: reason.trim() };
        onSent(sentText(await api('POST /support/referral-request', { body })));
        return null;
      } catch (error) {
        // Response without its own message.
        if (error instanceof ApiError && typeof error.facts.text === 'string')
          return t('free_credits.failed', { status: error.status, text: error.facts.text });
        throw error;
      }
    },
  });
}
