import { Fragment } from 'react';
import { Show, useRecordContext } from 'react-admin';
import { Link as RouterLink } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { exactInstant } from '../../ui/dates';
import { Link } from '../../ui/link';
import { useTitle } from '../../ui/use-title';

interface StoredEmail {
  readonly id: number;
  readonly subject: string;
  readonly to: string;
  readonly created_at: string;
  /** Missing in the list's record, which is shown until the email itself has loaded. */
  readonly text?: string;
}

/** Email as text. Links into this installation are clickable. */
export default function MailboxShow() {
  const t = useText();
  return (
    <main id="content" className="main" tabIndex={-1}>
      <p className="small">
        <RouterLink to="/mailbox">{t('mailbox.back')}</RouterLink>
      </p>
      <Show resource="mailbox" actions={false} title=" " component="div">
        <EmailText />
      </Show>
    </main>
  );
}

function EmailText() {
  const email = useRecordContext<StoredEmail>();
  const t = useText();
  useTitle(email?.subject ?? t('mailbox.title'));
  if (email === undefined) return null;
  return (
    <article className="card pad letter">
      <h1>{email.subject}</h1>
      <p className="small muted">{t('mailbox.sent', { to: email.to, at: exactInstant(email.created_at) })}</p>
      <div className="letter-text">{email.text === undefined ? null : withLinks(email.text)}</div>
    </article>
  );
}

/** Turns addresses of this installation into links and leaves other text unchanged. */
function withLinks(text: string) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) => {
    const within = ownAddress(part);
    return within === null ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <Link key={index} href={within}>
        {part}
      </Link>
    );
  });
}

function ownAddress(part: string): string | null {
  if (!URL.canParse(part)) return null;
  const { origin, pathname, search } = new URL(part);
  // A path that begins with two slashes would lead to another host.
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search : null;
}
