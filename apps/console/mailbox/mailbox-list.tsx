import useMediaQuery from '@mui/material/useMediaQuery';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { DataTable, ListBase, useGetIdentity, useListContext } from 'react-admin';
import { Link } from 'react-router-dom';
import { useText } from '../texts/console-i18n';
import { ago, exactInstant } from '../ui/dates';
import { useTitle } from '../ui/use-title';
import { errorText } from '../ui/problem-words';

interface Letter {
  readonly id: number;
  readonly subject: string;
  readonly to: string;
  readonly created_at: string;
}

const PHONE = '(max-width: 767px)';
const quiet = (): void => undefined;

/** Where an installation sends no mail, people read here what was written to them; administrators everything. */
export default function MailboxList() {
  const t = useText();
  useTitle(t('mailbox.title'));
  return (
    <main id="content" className="main" tabIndex={-1}>
      <div className="title">
        <div className="grow">
          <h1>{t('mailbox.title')}</h1>
          <p>{t('mailbox.why')}</p>
        </div>
      </div>
      <ListBase resource="mailbox" sort={{ field: 'id', order: 'DESC' }} queryOptions={{ onError: quiet }}>
        <Letters />
      </ListBase>
    </main>
  );
}

function Letters() {
  const t = useText();
  const phone = useMediaQuery(PHONE, { noSsr: true });
  const { identity } = useGetIdentity();
  const isAdmin = identity?.is_admin === true;
  const { data, ...list } = useListContext<Letter>();
  const failure = list.error as unknown;
  if (failure && data === undefined) {
    return (
      <div className="note port" role="alert">
        <CircleAlert size={16} aria-hidden="true" />
        <p>
          <b>{failure instanceof Error ? errorText(failure) : t('mailbox.title')}</b>
        </p>
      </div>
    );
  }
  if (data === undefined) return <div className="card late" aria-busy="true" />;
  if (data.length === 0) return <p className="card empty soft">{t('mailbox.empty')}</p>;
  return (
    <div className="card tablebox admin-list">
      {phone ? (
        <ul className="admin-cards">
          {data.map((letter) => (
            <li key={letter.id}>
              <Subject letter={letter} />
              {isAdmin ? <span className="small soft anywhere">{letter.to}</span> : null}
              <span className="small muted">
                <When letter={letter} />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <DataTable bulkActionButtons={false} rowClick={false}>
          <DataTable.Col
            label={t('mailbox.subject')}
            disableSort
            render={(letter: Letter) => <Subject letter={letter} />}
          />
          {isAdmin ? <DataTable.Col source="to" label={t('mailbox.to')} disableSort /> : null}
          <DataTable.Col label={t('mailbox.when')} disableSort render={(letter: Letter) => <When letter={letter} />} />
        </DataTable>
      )}
    </div>
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
