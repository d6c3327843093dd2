import type { SupportDesk } from '@moorage/contracts';
import { asciiEmail, checkEmail } from '@moorage/domain';
import { MessageCircleOff, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { api } from '../../data/api';
import { ApiError } from '../../data/errors';
import { useSession } from '../../data/session';
import { usePublicText } from '../../texts/locale';
import { Field, FormError, SubmitButton } from '../../ui/form/field';
import { Link } from '../../ui/link';
import { problemText } from '../../data/problem-message';
import { showToast } from '../../ui/toasts';
import { useForm } from '../../ui/form/use-form';
import { Phone, SuccessManager, useResponseTime } from './response-time';
import { IconButton } from '../../ui/button';
import './support.css';

export interface PanelProps {
  readonly open: boolean;
  /** Deployment that the user is viewing. */
  readonly about: number | null;
  readonly onClose: () => void;
  readonly onSent: () => void;
}

/** Form to contact support, next to the current page. The page stays usable for reading and copying. */
export function SupportPanel({ open, about, onClose, onSent }: PanelProps) {
  const t = usePublicText();
  const title = useId();
  const user = useSession()?.user ?? null;
  const panel = useRef<HTMLDivElement>(null);
  /** Deployment that the user chose not to mention. */
  const [unmentioned, setUnmentioned] = useState<number | null>(null);
  const mentionable = user === null ? null : about;
  const mentions = mentionable !== unmentioned;
  const mentioned = mentions ? mentionable : null;
  const needed = (value: string, key: 'name' | 'subject' | 'message'): string | null =>
    value.trim() === '' ? t(`support.missing.${key}`) : null;
  const form = useForm({
    initial: { name: user?.username ?? '', email: user?.email ?? '', subject: '', message: '' },
    checks: {
      name: ({ name }) => needed(name, 'name'),
      email: ({ email }) => problemText(checkEmail(asciiEmail(email))),
      subject: ({ subject }) => needed(subject, 'subject'),
      message: ({ message }) => needed(message, 'message'),
    },
    failed: 'support.failed',
    retryAt: 'message',
    async submit({ name, email, subject, message }) {
      const body = {
        name: name.trim(),
        email: email.trim(),
        subject: subject.trim(),
        message: message.trim(),
        ...(mentioned === null ? {} : { deployment_id: mentioned }),
      };
      try {
        const { conversation_id: id } = await api('POST /support/contact', { body });
        const link =
          id === null ? undefined : { href: `/support?conversation=${id}`, label: t('support.open_conversation') };
        showToast(t('support.sent'), 'success', { link });
        onSent();
        return null;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'NOT_FOUND' && mentioned !== null) return t('support.deployment_unknown', { id: mentioned });
        // Response without its own message.
        if (error.code === 'UNKNOWN') return t('support.failed');
        throw error;
      }
    },
  });
  useKnownSender(form, user);
  const desk = useDesk(open ? (user?.id ?? null) : null);

  useLayoutEffect(() => {
    if (!open) return;
    const inputs = [...(panel.current?.querySelectorAll<HTMLInputElement>('form :is(input, textarea)') ?? [])];
    (inputs.find(({ value }) => value === '') ?? inputs.at(-1))?.focus();
  }, [open, about]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // Keeps the details behind the panel open.
    event.stopPropagation();
    onClose();
  };
  return (
    <div
      className="support-panel"
      role="dialog"
      aria-labelledby={title}
      aria-describedby={`${title}-offline`}
      ref={panel}
      hidden={!open}
      onKeyDown={onKeyDown}
    >
      <header>
        <h2 id={title}>{t('support.title')}</h2>
        <IconButton icon={X} iconSize={18} label={t('support.close')} onClick={onClose} />
      </header>
      <form noValidate onSubmit={form.onSubmit}>
        <div className="note flat" id={`${title}-offline`}>
          <MessageCircleOff size={16} aria-hidden="true" />
          <p>{t('support.offline')}</p>
        </div>
        <div className="pair">
          <Field label={t('support.name')} autoComplete="name" field={form.field('name')} />
          <Field label={t('support.email')} type="email" autoComplete="email" field={form.field('email')} />
        </div>
        <Field label={t('support.subject')} autoComplete="off" field={form.field('subject')} />
        <Field label={t('support.message')} autoComplete="off" rows={5} field={form.field('message')} />
        {mentionable === null ? null : (
          <label className="mention">
            <input type="checkbox" checked={mentions} onChange={() => setUnmentioned(mentions ? mentionable : null)} />
            {t('support.mention', { id: mentionable })}
          </label>
        )}
        {desk === null ? null : <Promised {...desk} />}
        <FormError text={form.refusal} />
        <SubmitButton label={t('support.send')} busyLabel={t('support.sending')} busy={form.busy} />
        {user === null ? null : (
          <Link className="small" href="/support" onClick={onClose}>
            {t('support.conversations')}
          </Link>
        )}
      </form>
    </div>
  );
}

/** Fills in name and email when the user logs in while the panel is open. Keeps what they typed. */
function useKnownSender(
  { values, field }: Pick<ReturnType<typeof useForm<'name' | 'email' | 'subject' | 'message'>>, 'values' | 'field'>,
  user: { id: number; username: string; email: string } | null,
): void {
  const known = useRef(user?.id);
  useEffect(() => {
    if (user === null || known.current === user.id) return;
    // One field per render, because each change starts from the values of its own render.
    if (values.name === '') {
      field('name').onChange(user.username);
      return;
    }
    known.current = user.id;
    if (values.email === '') field('email').onChange(user.email);
  });
}

/** Loads the support level of this user, or null for visitors and while unknown. */
function useDesk(userId: number | null): SupportDesk | null {
  const [known, setKnown] = useState<{ of: number; desk: SupportDesk } | null>(null);
  useEffect(() => {
    if (userId === null) return;
    const gone = new AbortController();
    api('GET /support/desk', { signal: gone.signal }).then(
      (desk) => setKnown({ of: userId, desk }),
      () => undefined,
    );
    return () => gone.abort();
  }, [userId]);
  return known !== null && known.of === userId ? known.desk : null;
}

function Promised(desk: SupportDesk) {
  const t = usePublicText();
  const promise = useResponseTime()(desk);
  const { phone, success_manager: manager } = desk;
  if (promise === null) return null;
  return (
    <div className="promised">
      <p>{promise}</p>
      {phone === null ? null : (
        <p>
          {t('support.phone')}: <Phone number={phone} />
        </p>
      )}
      {manager === null ? null : (
        <p>
          {t('support.manager')}: <SuccessManager {...manager} />
        </p>
      )}
    </div>
  );
}
