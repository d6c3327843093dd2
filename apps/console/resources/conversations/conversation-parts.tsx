import type { InboxRow } from '@moorage/contracts';
import { ClockAlert, Timer } from 'lucide-react';
import { Instant } from '../../ui/instant';
import { UserReference } from '../../parts/user-reference';
import { useText } from '../../texts/console-i18n';

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

/** Account, or the name a visitor entered. */
export function Writer({ row: { account, name, email } }: { row: InboxRow }) {
  const t = useText();
  return account === null ? (
    <span className="who">
      <span className="anywhere">{name}</span>
      <span className="tag">{t('support_inbox.visitor')}</span>
      <span className="small muted anywhere">{email}</span>
    </span>
  ) : (
    <UserReference {...account} email={email} />
  );
}
