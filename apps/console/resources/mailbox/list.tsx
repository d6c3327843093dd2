import { useState } from 'react';
import { useGetIdentity } from 'react-admin';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { ago, exactInstant } from '../../ui/dates';
import { type ListColumn, ListScreen } from '../../ui/list/list-screen';
import { errorText } from '../../data/problem-message';

interface StoredEmail {
  readonly id: number;
  readonly subject: string;
  readonly to: string;
  readonly created_at: string;
}

/** Mailbox of an installation that sends no email. Users read their own emails here, administrators all of them. */
export default function MailboxList() {
  const t = useText();
  const { identity } = useGetIdentity();
  const to: ListColumn<StoredEmail> = { label: t('mailbox.to'), render: ({ to }) => to };
  return (
    <ListScreen<StoredEmail>
      resource="mailbox"
      sort={{ field: 'id', order: 'DESC' }}
      texts={{
        title: t('mailbox.title'),
        intro: t('mailbox.why'),
        failed: (error) => (error instanceof Error ? errorText(error) : t('mailbox.title')),
        empty: t('mailbox.empty'),
      }}
      columns={[
        { label: t('mailbox.subject'), render: (email) => <Subject email={email} /> },
        ...(identity?.is_admin === true ? [to] : []),
        { label: t('mailbox.when'), render: (email) => <When email={email} /> },
      ]}
    />
  );
}

function Subject({ email: { id, subject } }: { email: StoredEmail }) {
  return (
    <Link className="name" to={`/mailbox/${id}/show`}>
      {subject}
    </Link>
  );
}

function When({ email: { created_at: at } }: { email: StoredEmail }) {
  const [now] = useState(() => Date.now());
  return <span title={exactInstant(at)}>{ago(at, now)}</span>;
}
