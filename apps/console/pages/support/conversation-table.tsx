import type { ConversationBrief } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { usePublicText } from '../../texts/locale';
import { DataTable } from '../../ui/data-table';
import { exactInstant, shortInstant } from '../../ui/dates';
import { Instant } from '../../ui/instant';
import { StateTag } from './state-tag';
import { useSubject } from './use-subject';
import './conversation-table.css';

const Column = DataTable.Col<ConversationBrief>;

/** Conversations with their state and, while the user waits for support, the deadline of the reply. */
export function ConversationTable({ rows }: { rows: readonly ConversationBrief[] }) {
  const t = useText();
  const subject = useSubject();
  return (
    <DataTable<ConversationBrief> label={t('support.list.title')} rows={rows}>
      <Column
        label={t('support.list.subject')}
        render={(conversation) => (
          <Link className="name" to={`/support?conversation=${conversation.id}`}>
            {subject(conversation)}
          </Link>
        )}
      />
      <Column
        label={t('support.list.about')}
        render={({ deployment }) =>
          deployment?.client_name ?? <span className="muted">{t('support.list.nothing')}</span>
        }
      />
      <Column label={t('support.list.state')} render={(conversation) => <StateAndDeadline {...conversation} />} />
      <Column label={t('support.list.last')} render={({ last_at: at }) => <Instant iso={at} />} />
    </DataTable>
  );
}

function StateAndDeadline({ state, due_at: dueAt }: ConversationBrief) {
  const p = usePublicText();
  return (
    <span className="conversation-state">
      <StateTag state={state} />
      {state === 'open' && dueAt !== null ? (
        <span className="small muted" title={exactInstant(dueAt)}>
          {p('conversation.due', { at: shortInstant(dueAt) })}
        </span>
      ) : null}
    </span>
  );
}
