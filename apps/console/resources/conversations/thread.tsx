import type { InboxConversation, InboxEntry } from '@moorage/contracts';
import { Lock } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import { Instant } from '../../ui/instant';
import './thread.css';

/** Messages, notes and changes of a conversation, oldest first. */
export function Thread({ conversation }: { conversation: InboxConversation }) {
  const t = useText();
  const { entries, account, name } = conversation;
  return (
    <ol className="inbox-thread" aria-label={t('support_inbox.entries.label')}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} person={account?.username ?? name} />
      ))}
    </ol>
  );
}

function Entry({ entry: { by, what, author, message, at }, person }: { entry: InboxEntry; person: string }) {
  const t = useText();
  const name = by === 'person' ? person : (author?.username ?? t('support_inbox.entries.support'));
  if (what === 'closed')
    return (
      <li className="small muted">
        {t('support_inbox.entries.closed', { name })}, <Instant iso={at} />
      </li>
    );
  return (
    <li className={`card inbox-entry ${what === 'note' ? 'note-entry' : by === 'support' ? 'ours' : ''}`}>
      <div className="row wrap">
        <b className="anywhere">{name}</b>
        {what === 'note' ? (
          <span className="tag brass">
            <Lock size={14} aria-hidden="true" />
            {t('support_inbox.entries.note')}
          </span>
        ) : null}
        <span className="small muted">
          <Instant iso={at} />
        </span>
      </div>
      <p>{message}</p>
    </li>
  );
}
