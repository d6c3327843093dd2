import Link from '@mui/material/Link';
import { Hourglass } from 'lucide-react';
import { Link as RouterLink } from 'react-router-dom';
import { useRunway } from '../../data/calls';
import { useText } from '../../texts/console-i18n';
import { daysUntil, shortInstant } from '../../ui/dates';

/** The date, not the balance: until when everything runs. Nothing running: no invented date. */
export function UntilPill({ wide }: { wide: boolean }) {
  const t = useText();
  const { data: runway, dataUpdatedAt } = useRunway();
  if (runway?.ends_at == null) return null;
  const date = shortInstant(runway.ends_at);
  const short = t('layout.until_short', { days: daysUntil(runway.ends_at, dataUpdatedAt) });
  return (
    <Link
      component={RouterLink}
      to="/billing"
      className="until"
      title={t('layout.until', { date })}
      aria-label={t('layout.until', { date })}
    >
      <Hourglass size={16} aria-hidden="true" />
      <span>{wide ? date : short}</span>
    </Link>
  );
}
