import type { InboxRow } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { useListContext } from 'react-admin';
import { Link } from 'react-router-dom';
import { useRead } from '../../data/use-read';
import { AdminOnly } from '../../parts/admin-only';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { Instant } from '../../ui/instant';
import { List } from '../../ui/list/list';
import { Author } from './author';
import { Due } from './due';
import { Filters, StateTabs, useConversationState } from './filters';
import './list.css';
import { SubjectLink } from './subject-link';

/** Due and overdue states change with time alone. */
const REFRESH_MS = 60_000;

const Column = DataTable.Col<InboxRow>;

/** Inbox: conversations in the order in which they should be answered. */
export default function ConversationList() {
  return (
    <AdminOnly>
      <Inbox />
    </AdminOnly>
  );
}

function Inbox() {
  const t = useText();
  const { requests = 0 } = useRead('referrals', 'GET /referrals/admin/waiting', {}).data ?? {};
  return (
    <List
      resource="conversations"
      sort={{ field: 'id', order: 'DESC' }}
      perPage={CONSTANTS.conversationsPerPage}
      refreshMs={REFRESH_MS}
      title={t('support_inbox.title')}
      intro={
        requests === 0 ? undefined : (
          <Link to="/admin-referrals/credit-requests">{t('support_inbox.requests', { smart_count: requests })}</Link>
        )
      }
      above={<StateTabs />}
      filters={<Filters />}
      failed={t('support_inbox.failed')}
      empty={<NoConversations />}
    >
      <Conversations />
    </List>
  );
}

function NoConversations() {
  const t = useText();
  const state = useConversationState();
  const { state: _state, ...others } = useListContext().filterValues as Record<string, unknown>;
  return t(Object.keys(others).length > 0 ? 'support_inbox.none_found' : `support_inbox.none.${state}`);
}

function Conversations() {
  const t = useText();
  const isOpen = useConversationState() === 'open';
  return (
    <DataTable<InboxRow> label={t('support_inbox.title')} className="inbox">
      <Column label={t('support_inbox.subject')} render={(row) => <Subject row={row} />} />
      {isOpen ? <Column label={t('support_inbox.due')} render={(row) => <Due row={row} />} /> : null}
      <Column label={t('support_inbox.level')} render={({ level }) => t('support_inbox.levels.one', { level })} />
      <Column label={t('support_inbox.from')} render={(row) => <Author row={row} />} />
      <Column
        label={t('support_inbox.assigned')}
        render={({ assignee }) => assignee?.username ?? <span className="muted">{t('support_inbox.nobody')}</span>}
      />
      <Column
        label={t(isOpen ? 'support_inbox.waiting_since' : 'support_inbox.last')}
        render={({ waiting_since: since, last_at: last }) => <Instant iso={since ?? last} />}
      />
    </DataTable>
  );
}

function Subject({ row: { id, kind, subject, deployment } }: { row: InboxRow }) {
  const t = useText();
  return (
    <span className="who">
      <SubjectLink id={id} subject={subject} />
      {kind === 'package' ? <span className="tag">{t('support_inbox.package')}</span> : null}
      {deployment === null ? null : <span className="small muted anywhere">{deployment.client_name}</span>}
    </span>
  );
}
