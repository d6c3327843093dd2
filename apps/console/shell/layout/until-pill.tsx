import { CircleDashed, Hourglass, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useRunway } from '../../data/billing';
import { useServerNow } from '../../data/server-now';
import { useText } from '../../texts/console-i18n';
import { daysUntil, shortInstant } from '../../ui/dates';

/** The date, not the balance: until when everything runs, on every page. Nothing running: no invented date. */
export function UntilPill({ wide }: { wide: boolean }) {
  const t = useText();
  const { data: runway, dataUpdatedAt } = useRunway();
  const now = useServerNow(runway?.now, dataUpdatedAt);
  if (runway === undefined) return null;
  if (runway.running === 0) {
    return wide ? (
      <Link to="/billing" className="until none">
        <CircleDashed size={16} aria-hidden="true" />
        <span>{t('billing.runway.none')}</span>
      </Link>
    ) : null;
  }
  if (runway.ends_at === null) return null;
  const date = shortInstant(runway.ends_at);
  const short = t('layout.until_short', { days: daysUntil(runway.ends_at, now) });
  const Icon = runway.level === 'days' ? TriangleAlert : Hourglass;
  return (
    <Link to="/billing" className={`until ${runway.level}`} title={t('layout.until', { date })}>
      <Icon size={16} aria-hidden="true" />
      <span className="vh">{t('layout.until', { date })}</span>
      <span aria-hidden="true">{wide ? date : short}</span>
    </Link>
  );
}
