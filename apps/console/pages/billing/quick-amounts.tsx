import { addDays, dayOf } from '@moorage/domain';
import { useKeepUntil, useRunway } from '../../data/billing';
import { useConsoleSettings } from '../../data/brand';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { useAmount, useSetAmount } from './funds';

const QUICK = [25, 50];
const SOONER_DAYS = 7;
const LATER_DAYS = 30;

/** Buttons that extend the runway by a number of days, or plain amounts if nothing ends. */
export function QuickAmounts({ orderHourly }: { orderHourly: number | undefined }) {
  const t = useText();
  const { checkout_max: max } = useConsoleSettings();
  const more = [
    { days: SOONER_DAYS, price: useDaysMore(SOONER_DAYS, orderHourly) },
    { days: LATER_DAYS, price: useDaysMore(LATER_DAYS, orderHourly) },
  ];
  // Reserves its height, so that the content below does not jump.
  if (more.some(({ price }) => price === 'pending')) return <div className="row quick-days" aria-hidden="true" />;
  const affordable = more.flatMap(({ days, price }) =>
    typeof price === 'number' && price <= max ? [{ days, price }] : [],
  );
  if (affordable.length > 0)
    return (
      <div className="row quick-days">
        {affordable.map(({ days, price }) => (
          <Quick key={days} amount={price} label={t('billing.add.quick_days', { days, amount: price })} />
        ))}
      </div>
    );
  return (
    <div className="row">
      {QUICK.filter((price) => price <= max).map((price) => (
        <Quick key={price} amount={price} label={String(price)} name={t('billing.add.quick', { amount: price })} />
      ))}
    </div>
  );
}

function Quick({ amount, label, name }: { amount: number; label: string; /** Accessible name. */ name?: string }) {
  const entered = useAmount();
  const setAmount = useSetAmount();
  return (
    <Button className="quick" aria-label={name} aria-pressed={entered === amount} onClick={() => setAmount(amount)}>
      {label}
    </Button>
  );
}

/**
 * Returns the price of that many more days in whole currency units. Null if nothing ends or a single top-up is not
 * enough.
 */
function useDaysMore(days: number, orderHourly: number | undefined): number | 'pending' | null {
  const plain = useRunway().data;
  const ordered = useKeepUntil(
    orderHourly === undefined || plain === undefined ? null : dayOf(Date.parse(plain.now)),
    orderHourly,
  ).data;
  const runway = orderHourly === undefined ? plain : ordered;
  const ends = runway?.ends_at ?? null;
  // The last paid day, or today if a charge is already unpaid.
  const last =
    ends === null || runway === undefined ? null : dayOf(Math.max(Date.parse(ends) - 1, Date.parse(runway.now)));
  const question = useKeepUntil(last === null ? null : addDays(last, days), orderHourly);
  if (runway === undefined || (last !== null && question.isPending)) return 'pending';
  const kept = question.data?.keep_until;
  return kept == null || kept.amount === 0 ? null : Math.ceil(kept.amount);
}
