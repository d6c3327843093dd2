import type { AdminUserAnswer } from '@moorage/contracts';
import { Ban, CircleCheck } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { dayWithYear, exactInstant } from '../../ui/dates';

/** Notes that an impersonation has ended and that the account is deactivated. */
export function UserNotes({ user: { deactivated_at: deactivatedAt } }: { user: AdminUserAnswer }) {
  const t = useText();
  const [query] = useSearchParams();
  return (
    <>
      {query.get('view') === 'ended' ? (
        <p className="note flat" role="status">
          <CircleCheck size={16} aria-hidden="true" />
          {t('person.view.ended')}
        </p>
      ) : null}
      {deactivatedAt === null ? null : (
        <div className="note brass">
          <Ban size={16} aria-hidden="true" />
          <div>
            <p>
              <b title={exactInstant(deactivatedAt)}>
                {t('person.deactivated_since', { date: dayWithYear(deactivatedAt) })}
              </b>
            </p>
            <p>{t('person.deactivated_hint')}</p>
          </div>
        </div>
      )}
    </>
  );
}
