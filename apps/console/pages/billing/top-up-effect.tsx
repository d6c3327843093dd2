import type { RunwayAnswer } from '@moorage/contracts';
import { useBalance, useRunwayWith } from '../../data/billing';
import { useText } from '../../texts/console-i18n';
import { shortInstant } from '../../ui/dates';
import { useDebounced } from '../../ui/debounced';
import { money } from '../../ui/money';
import { amountText, useAmount } from './funds';

const SETTLE_MS = 250;

/** Effect of the entered amount on the runway, shown before anything is paid. */
export function TopUpEffect({ orderHourly }: { orderHourly: number | undefined }) {
  const amount = useAmount();
  const settled = useDebounced(amount, SETTLE_MS);
  const { data: runway, isPlaceholderData } = useRunwayWith(settled, orderHourly);
  const [lead, result] = useWords(runway, amount, orderHourly !== undefined);
  const isCurrent = settled === amount && !isPlaceholderData && runway !== undefined;
  // Magenta marks an end date. Without a date this is a plain note.
  const ends = runway?.ends_at != null && amount !== null;
  return (
    <p
      className={amount === null ? 'note effect unknown' : ends ? 'note effect' : 'note flat effect'}
      aria-live="polite"
      aria-busy={!isCurrent}
    >
      <span className="small">{lead}</span>
      <b className={isCurrent ? undefined : 'old'}>{result}</b>
    </p>
  );
}

/** Returns both lines, which are empty until there is a forecast. */
function useWords(runway: RunwayAnswer | undefined, amount: number | null, isForOrder: boolean): [string, string] {
  const t = useText();
  const { data: balance } = useBalance();
  if (runway === undefined || amount === null) return ['\u00a0', '\u00a0'];
  if (runway.running === 0) {
    // What is owed is paid first and does not add to the balance.
    const then = balance === undefined ? null : balance.total_balance + Math.max(0, amount - balance.owed);
    return [t('billing.add.nothing_runs'), then === null ? '\u00a0' : money(then, { rounding: 'balance' })];
  }
  const [first] = runway.grace_periods;
  const shown = { amount: amountText(amount) };
  if (first !== undefined)
    return [
      t('billing.add.not_enough', shown),
      t('billing.add.needed', { needed: money(first.needed, { rounding: 'needed' }) }),
    ];
  return [
    t(isForOrder ? 'billing.add.effect_order' : 'billing.add.effect', shown),
    runway.ends_at === null ? t('billing.runway.endless') : shortInstant(runway.ends_at),
  ];
}
