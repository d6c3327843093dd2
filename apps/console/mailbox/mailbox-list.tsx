import { useState } from 'react';
import { useGetIdentity } from 'react-admin';
import { Link } from 'react-router-dom';
import { useText } from '../texts/console-i18n';
import { ago, exactInstant } from '../ui/dates';
import { type ListColumn, ListScreen } from '../ui/list-screen/list-screen';
import { errorText } from '../ui/problem-words';

interface Letter {
  readonly id: number;
  readonly subject: string;
  readonly to: string;
  readonly created_at: string;
}

/** Mailbox of an installation that sends no email. Users read their own emails here, administrators all of them. */
export default function MailboxList() {
  const t = useText();
  const { identity } = useGetIdentity();
  const to: ListColumn<Letter> = { label: t('mailbox.to'), render: ({ to }) => to };
  return (
    <ListScreen<Letter>
      resource="mailbox"
      sort={{ field: 'id', order: 'DESC' }}
      texts={{
        title: t('mailbox.title'),
        intro: t('mailbox.why'),
        failed: (error) => (error instanceof Error ? errorText(error) : t('mailbox.title')),
        empty: t('mailbox.empty'),
      }}
      columns={[
        { label: t('mailbox.subject'), render: (letter) => <Subject letter={letter} /> },
        ...(identity?.is_admin === true ? [to] : []),
        { label: t('mailbox.when'), render: (letter) => <When letter={letter} /> },
      ]}
    />
  );
}

function Subject({ letter: { id, subject } }: { letter: Letter }) {
  return (
    <Link className="name" to={`/mailbox/${id}/show`}>
      {subject}
    </Link>
  );
}

function When({ letter: { created_at: at } }: { letter: Letter }) {
  const [now] = useState(() => Date.now());
  return <span title={exactInstant(at)}>{ago(at, now)}</span>;
}
