import type { AdminCreditRequestAnswer } from '@moorage/contracts';
import { ClockAlert } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import { exactInstant, shortInstant } from '../../ui/dates';

/** Deadline of the decision. */
export function Due({ request: { due_at: at, is_overdue: isOverdue } }: { request: AdminCreditRequestAnswer }) {
  const t = useText();
  return isOverdue ? (
    <span className="who" title={exactInstant(at)}>
      <span className="tag port">
        <ClockAlert size={16} aria-hidden="true" />
        {t('admin_referrals.requests.overdue')}
      </span>
      <span className="small muted">{shortInstant(at)}</span>
    </span>
  ) : (
    <span title={exactInstant(at)}>{shortInstant(at)}</span>
  );
}
