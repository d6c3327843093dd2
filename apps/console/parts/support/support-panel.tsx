import { MessageCircleOff, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useSession } from '../../data/session';
import { usePublicText } from '../../texts/locale';
import { Field, FormError, SubmitButton } from '../../ui/form/field';
import { Link } from '../../ui/link';
import { IconButton } from '../../ui/button';
import { Promised, useDesk } from './promised';
import { useContactForm } from './use-contact-form';
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
  const form = useContactForm({ mentioned, onSent });
  const desk = useDesk(open ? (user?.id ?? null) : null);

  // A menu that opened the panel returns its focus first.
  useEffect(() => {
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
