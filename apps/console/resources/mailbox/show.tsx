import { ShowBase, useRecordContext } from 'react-admin';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { exactInstant } from '../../ui/dates';
import { useTitle } from '../../ui/use-title';
import './show.css';
import { EmailText } from './email-text';
import type { StoredEmail } from './stored-email';

/** Email as text. */
export default function MailboxShow() {
  const t = useText();
  return (
    <main id="content" className="main" tabIndex={-1}>
      <p className="small">
        <Link to="/mailbox">{t('mailbox.back')}</Link>
      </p>
      <ShowBase resource="mailbox" disableAuthentication>
        <Email />
      </ShowBase>
    </main>
  );
}

function Email() {
  const t = useText();
  const email = useRecordContext<StoredEmail>();
  useTitle(email?.subject ?? t('mailbox.title'));
  if (email === undefined) return null;
  return (
    <article className="card pad stored-email">
      <h1>{email.subject}</h1>
      <p className="small muted">{t('mailbox.sent', { to: email.to, at: exactInstant(email.created_at) })}</p>
      <div className="stored-email-text">{email.text === undefined ? null : <EmailText text={email.text} />}</div>
    </article>
  );
}
