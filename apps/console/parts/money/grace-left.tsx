import { Wallet } from 'lucide-react';
import { useRunway } from '../../data/billing';
import { useServerNow } from '../../data/server-now';
import { useText } from '../../texts/console-i18n';
import { duration } from '../../ui/dates';
import './grace-left.css';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Remaining time below which seconds are shown. */
const SECONDS_FROM_MS = 2 * MINUTE_MS;

/** Returns the remaining grace period of an unpaid charge by the server's clock. `exact` includes seconds. */
function useGraceLeft(until: string, exact: boolean): string {
  const t = useText();
  const { data: runway, dataUpdatedAt } = useRunway();
  const now = useServerNow(runway?.now, dataUpdatedAt, SECOND_MS);
  if (now === 0) return '\u00a0';
  const left = Date.parse(until) - now;
  if (left <= 0) return t('billing.grace.over');
  const shown = exact || left < SECONDS_FROM_MS ? left : left - (left % MINUTE_MS);
  return t('billing.grace.left', { left: duration(shown) });
}

/**
 * Countdown for banners, which also state the time. Hidden from screen readers, so that it is not read out every
 * second.
 */
export function GraceLeft({ until }: { until: string }) {
  return (
    <b className="countdown" aria-hidden="true">
      {useGraceLeft(until, true)}
    </b>
  );
}

/** Chip next to a status that shows an unpaid charge and its remaining grace period. */
export function UnpaidChip({ until }: { until: string }) {
  const t = useText();
  return (
    <span className="st fail unpaid">
      <Wallet size={16} aria-hidden="true" />
      <span>{t('billing.grace.unpaid', { left: useGraceLeft(until, false) })}</span>
    </span>
  );
}

/** The same countdown in the app bar. */
export function UnpaidPill({ until, wide }: { until: string; wide: boolean }) {
  const t = useText();
  const left = useGraceLeft(until, false);
  return <span>{wide ? t('billing.grace.unpaid', { left }) : left}</span>;
}
