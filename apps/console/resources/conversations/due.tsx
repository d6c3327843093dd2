import type { InboxRow } from '@moorage/contracts';
import { ClockAlert, Timer } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import { Instant } from '../../ui/instant';

/** Deadline of the reply. */
export function Due({ row }: { row: InboxRow }) {
  const t = useText();
  if (row.due_at === null) return <span className="muted">{t('support_inbox.no_due')}</span>;
  return (
    <span className="who">
      <DueMark row={row} />
      <span className="small">
        <Instant iso={row.due_at} />
      </span>
    </span>
  );
}

/** Marks a reply that is overdue or due soon. */
function DueMark({ row: { is_overdue: isOverdue, is_due_soon: isDueSoon } }: { row: InboxRow }) {
  const t = useText();
  if (isOverdue)
    return (
      <span className="tag port">
        <ClockAlert size={16} aria-hidden="true" />
        {t('support_inbox.overdue')}
      </span>
    );
  return isDueSoon ? (
    <span className="tag brass">
      <Timer size={16} aria-hidden="true" />
      {t('support_inbox.due_soon')}
    </span>
  ) : null;
}
