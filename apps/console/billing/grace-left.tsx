import { Wallet } from 'lucide-react';
import { useRunway } from '../data/billing';
import { useServerNow } from '../data/server-now';
import { useText } from '../texts/console-i18n';
import { duration } from '../ui/dates';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** From here on every second counts. */
const SECONDS_FROM_MS = 2 * MINUTE_MS;

/** How long a charge still waits for money, counted down by the server's clock. `exact`: to the second. */
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

/** For banners, which say the instant too: nothing is announced each second. */
export function GraceLeft({ until }: { until: string }) {
  return (
    <b className="countdown" aria-hidden="true">
      {useGraceLeft(until, true)}
    </b>
  );
}

/** Beside a status, which stays what it is: a charge waits for money, and for how long. */
export function UnpaidChip({ until }: { until: string }) {
  const t = useText();
  return (
    <span className="st fail unpaid">
      <Wallet size={16} aria-hidden="true" />
      <span>{t('billing.grace.unpaid', { left: useGraceLeft(until, false) })}</span>
    </span>
  );
}

/** The same in the bar of every page. */
export function UnpaidPill({ until, wide }: { until: string; wide: boolean }) {
  const t = useText();
  const left = useGraceLeft(until, false);
  return <span>{wide ? t('billing.grace.unpaid', { left }) : left}</span>;
}
