import { DataTable, List, useGetIdentity } from 'react-admin';
import { useText } from '../texts/console-i18n';
import { ago, exactInstant } from '../ui/dates';
import { Link } from 'react-router-dom';

interface Letter {
  readonly id: number;
  readonly subject: string;
  readonly to: string;
  readonly created_at: string;
}

/** Where an installation sends no mail, people read here what was written to them; administrators everything. */
export default function MailboxList() {
  const t = useText();
  const { identity } = useGetIdentity();
  const isAdmin = identity?.is_admin === true;
  return (
    <main id="content" className="main">
      <div className="title">
        <div className="grow">
          <h1>{t('mailbox.title')}</h1>
          <p>{t('mailbox.why')}</p>
        </div>
      </div>
      <List
        resource="mailbox"
        pagination={false}
        actions={false}
        exporter={false}
        title=" "
        empty={<Nothing />}
        component="div"
        className="card plain-list"
      >
        <DataTable bulkActionButtons={false} rowClick={false} sort={{ field: 'id', order: 'DESC' }}>
          <DataTable.Col
            source="subject"
            label={t('mailbox.subject')}
            disableSort
            render={({ id, subject }: Letter) => (
              <Link className="name" to={`/mailbox/${id}/show`}>
                {subject}
              </Link>
            )}
          />
          {isAdmin ? <DataTable.Col source="to" label={t('mailbox.to')} disableSort /> : null}
          <DataTable.Col
            source="created_at"
            label={t('mailbox.when')}
            disableSort
            render={({ created_at }: Letter) => (
              <span title={exactInstant(created_at)}>{ago(created_at, Date.now())}</span>
            )}
          />
        </DataTable>
      </List>
    </main>
  );
}

function Nothing() {
  const t = useText();
  return <p className="empty soft">{t('mailbox.empty')}</p>;
}
