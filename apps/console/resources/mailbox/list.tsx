import { useState } from 'react';
import { useGetIdentity } from 'react-admin';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { ago, exactInstant } from '../../ui/dates';
import { DataTable } from '../../ui/data-table';
import { List } from '../../ui/list/list';
import { errorText } from '../../data/problem-message';
import type { StoredEmail } from './stored-email';

const Column = DataTable.Col<StoredEmail>;

/** Mailbox of an installation that sends no email. Users read their own emails here, administrators all of them. */
export default function MailboxList() {
  const t = useText();
  const { identity } = useGetIdentity();
  return (
    <List
      resource="mailbox"
      sort={{ field: 'id', order: 'DESC' }}
      title={t('mailbox.title')}
      intro={t('mailbox.why')}
      failed={errorText}
      empty={t('mailbox.empty')}
    >
      <DataTable<StoredEmail>>
        <Column label={t('mailbox.subject')} render={(email) => <Subject email={email} />} />
        {identity?.is_admin === true ? <Column label={t('mailbox.to')} render={({ to }) => to} /> : null}
        <Column label={t('mailbox.when')} render={(email) => <When email={email} />} />
      </DataTable>
    </List>
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
