import { asciiEmail, checkEmail } from '@moorage/domain';
import { useEffect, useRef } from 'react';
import { api } from '../../data/api';
import { ApiError } from '../../data/errors';
import { problemText } from '../../data/problem-message';
import { useSession } from '../../data/session';
import { usePublicText } from '../../texts/locale';
import { useForm } from '../../ui/form/use-form';
import { showToast } from '../../ui/toasts';

/** Form that contacts support, filled in for a known sender. `mentioned` is the deployment it is about, or null. */
export function useContactForm({ mentioned, onSent }: { mentioned: number | null; onSent: () => void }) {
  const t = usePublicText();
  const user = useSession()?.user ?? null;
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
  return form;
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
