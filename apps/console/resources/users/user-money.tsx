import type { AdminUserAnswer, AdminUserDetailsAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { exactInstant, shortInstant } from '../../ui/dates';
import { money } from '../../ui/money';
import { useUserRunway } from './user-records';

/** End date and daily cost of an account's balance. */
export function UserRunway({ id }: { id: number }) {
  const t = useText();
  const { data: runway, isError } = useUserRunway(id);
  if (runway === undefined)
    return isError ? (
      <span className="muted">{t('person.unknown')}</span>
    ) : (
      <span className="skel late" style={{ width: 140 }} />
    );
  const cost = t('billing.runway.cost', { cost: money(runway.daily_cost, { rounding: 'price' }) });
  if (runway.running === 0) return <span className="muted">{t('billing.runway.nothing')}</span>;
  return (
    <>
      {runway.ends_at === null ? (
        t('billing.runway.endless')
      ) : (
        <time
          className={runway.level === 'days' ? 'bad' : undefined}
          dateTime={runway.ends_at}
          title={exactInstant(runway.ends_at)}
        >
          {shortInstant(runway.ends_at)}
        </time>
      )}{' '}
      <span className="muted">{cost}</span>
    </>
  );
}

/** An account as it is known. Until the page has loaded, that is the row of the list. */
export type KnownUser = AdminUserAnswer & Partial<Pick<AdminUserDetailsAnswer, 'payments'>>;

/** Sum of the card payments of an account since its creation. */
export function UserPayments({ user: { username, payments } }: { user: KnownUser }) {
  const t = useText();
  if (payments === undefined) return <span className="skel late" style={{ width: 140 }} />;
  const { count, paid, taken_back: back } = payments;
  if (count === 0) return <span className="muted">{t('layout.none')}</span>;
  return (
    <>
      <b>{money(paid, { rounding: 'price' })}</b>{' '}
      <Link to={`/payments?filter=${encodeURIComponent(JSON.stringify({ q: username }))}`}>
        {t('person.payments.count', { smart_count: count })}
      </Link>
      {back === 0 ? null : (
        <span className="muted">
          , {t('person.payments.taken_back', { amount: money(back, { rounding: 'price' }) })}
        </span>
      )}
    </>
  );
}
