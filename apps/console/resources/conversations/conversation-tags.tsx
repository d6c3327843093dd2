import type { InboxRow } from '@moorage/contracts';
import { useState } from 'react';
import { useServerNow } from '../../data/server-now';
import { useText } from '../../texts/console-i18n';
import { durationAfterPreposition } from '../../ui/dates';
import { Instant } from '../../ui/instant';

/** State, kind, level and reply deadline. */
export function ConversationTags({ conversation }: { conversation: InboxRow }) {
  const t = useText();
  const { state, kind, level, due_at: due, is_overdue: isOverdue, is_due_soon: isDueSoon } = conversation;
  const [opened] = useState(() => Date.now());
  const now = useServerNow(new Date(opened).toISOString(), opened);
  const left = due === null ? 0 : Date.parse(due) - now;
  return (
    <p className="row wrap small">
      <span className={`tag ${state === 'open' ? 'sea' : 'off'}`}>{t(`support_inbox.states.${state}`)}</span>
      {kind === 'package' ? <span className="tag">{t('support_inbox.package')}</span> : null}
      <span className="tag">{t('support_inbox.levels.one', { level })}</span>
      {due === null ? null : (
        <>
          <span className={`tag${isOverdue ? ' port' : isDueSoon ? ' brass' : ''}`}>
            {isOverdue
              ? t('support_inbox.overdue_by', { time: durationAfterPreposition(-left) })
              : t('support_inbox.due_in', { time: durationAfterPreposition(left) })}
          </span>
          <span className="muted">
            <Instant iso={due} />
          </span>
        </>
      )}
    </p>
  );
}
