import type { AutomaticTopUpSettings, RunwayAnswer } from '@moorage/contracts';
import { Money, topUpOutlook } from '@moorage/domain';
import { useText } from '../../texts/console-i18n';
import { dayFrom } from '../../ui/dates';

const WEEK_DAYS = 7;

/** Expected frequency of automatic charges, the next one, and the effect of the monthly limit. Hidden if nothing runs. */
export function TopUpOutlook({
  settings: { threshold, amount_cents: amountCents, month_cap_cents: monthCapCents },
  usedCents,
  runway,
}: {
  settings: Pick<AutomaticTopUpSettings, 'threshold' | 'amount_cents' | 'month_cap_cents'>;
  usedCents: number;
  runway: RunwayAnswer;
}) {
  const t = useText();
  const { daily_cost, ends_at: endsAt, days, now } = runway;
  const outlook = topUpOutlook(
    {
      threshold: threshold.kind === 'days' ? threshold : { kind: 'amount', amount: Money.of(threshold.amount) },
      amountCents,
      monthCapCents,
    },
    {
      daily: Money.of(daily_cost),
      endsAt: endsAt === null ? null : Date.parse(endsAt),
      days: days.map(({ date, total }) => ({ date, total: Money.of(total) })),
      usedCents,
      at: Date.parse(now),
    },
  );
  if (outlook === null) return null;
  const { daysPerTopUp, nextAt, isCapped, capDays } = outlook;
  const date = nextAt === null ? null : dayFrom(now, new Date(nextAt).toISOString());
  const sentences = [
    daysPerTopUp < WEEK_DAYS
      ? t('automatic.outlook.week', { smart_count: Math.round(WEEK_DAYS / daysPerTopUp) })
      : t('automatic.outlook.days', { smart_count: Math.floor(daysPerTopUp) }),
    date === null ? null : t(isCapped ? 'automatic.outlook.capped' : 'automatic.outlook.next', { date }),
    capDays === null ? null : t('automatic.outlook.cap', { smart_count: capDays }),
  ];
  return <p className="small soft">{sentences.filter((sentence) => sentence !== null).join(' ')}</p>;
}
