import { HOUR_MS } from '@moorage/domain';
import { CircleDashed, Hourglass, TriangleAlert, Wallet } from 'lucide-react';
import { Link } from 'react-router-dom';
import { UnpaidPill } from '../../parts/money/grace-left';
import { useRunway } from '../../data/billing';
import { useServerNow } from '../../data/server-now';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { dayFrom, daysUntil, shortInstant } from '../../ui/dates';
import './until-pill.css';

/**
 * Shows on every page how long everything runs, instead of the balance. Without a running deployment it says so, except
 * to administrators, who rarely have one.
 */
export function UntilPill({ wide }: { wide: boolean }) {
  const t = useText();
  const { data: runway, dataUpdatedAt } = useRunway();
  const isAdmin = useSession()?.user?.is_admin === true;
  const now = useServerNow(runway?.now, dataUpdatedAt);
  if (runway === undefined) return null;
  if (runway.running === 0) {
    return wide && !isAdmin ? (
      <Link to="/billing" className="until none">
        <CircleDashed size={16} aria-hidden="true" />
        <span>{t('billing.runway.none')}</span>
      </Link>
    ) : null;
  }
  const [waiting] = runway.grace_periods;
  if (waiting !== undefined) {
    const date = shortInstant(waiting.grace_period_ends_at);
    return (
      <Link to="/billing" className="until days" title={t('layout.unpaid', { date })}>
        <Wallet size={16} aria-hidden="true" />
        <span className="vh">{t('layout.unpaid', { date })}</span>
        <span aria-hidden="true">
          <UnpaidPill until={waiting.grace_period_ends_at} wide={wide} />
        </span>
      </Link>
    );
  }
  if (runway.ends_at === null) return null;
  const date = shortInstant(runway.ends_at);
  const days = daysUntil(runway.ends_at, now);
  const short =
    days > 0
      ? t('layout.until_short', { days })
      : t('layout.until_hours', { hours: Math.max(0, Math.floor((Date.parse(runway.ends_at) - now) / HOUR_MS)) });
  const Icon = runway.level === 'days' ? TriangleAlert : Hourglass;
  return (
    <Link to="/billing" className={`until ${runway.level}`} title={t('layout.until', { date })}>
      <Icon size={16} aria-hidden="true" />
      <span className="vh">{t('layout.until', { date })}</span>
      <span aria-hidden="true">
        {!wide ? short : runway.level === 'calm' ? dayFrom(runway.now, runway.ends_at) : date}
      </span>
    </Link>
  );
}
