import type { RunwayAnswer } from '@moorage/contracts';
import { DAY_MS } from '@moorage/domain';
import { Hourglass, TriangleAlert } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import { shortInstant } from '../../ui/dates';
import { money } from '../../ui/money';
import { stoppedList } from './runway-words';
import { SavingButton } from './saving-button';
import './runway-warning.css';

/**
 * Warning about the end of the runway. Seven days or less: brass. Three or less: port, with the names of the
 * deployments that stop first. The last day is stated as such. The button offers the amount that helps, and credits
 * that would not help show the reason.
 */
export function RunwayWarning({
  runway,
  now,
  filled = runway.level === 'days',
  isOwn = true,
}: {
  runway: RunwayAnswer;
  now: number;
  filled?: boolean;
  /** False for administrators, who cannot pay for other accounts. */
  isOwn?: boolean;
}) {
  const t = useText();
  const { level, ends_at: endsAt, stops } = runway;
  // An unpaid charge already has its own banner.
  if (endsAt === null || (level !== 'week' && level !== 'days') || Date.parse(endsAt) <= now) return null;
  const Icon = level === 'days' ? TriangleAlert : Hourglass;
  return (
    <div className={`note flush ${level === 'days' ? 'port' : 'brass'}`}>
      <Icon size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          {Date.parse(endsAt) - now <= DAY_MS ? <b>{t('billing.runway.warn_day')} </b> : null}
          {level === 'days'
            ? t('billing.runway.warn_days', {
                smart_count: stops.length,
                date: shortInstant(endsAt),
                names: stoppedList(runway),
              })
            : t('billing.runway.warn_week', { date: shortInstant(endsAt) })}
        </p>
        {runway.locked_credits > 0 ? (
          <p className="small soft">
            {t('billing.runway.locked', {
              amount: money(runway.locked_credits, { rounding: 'balance' }),
              unlock: money(runway.unlock_balance, { rounding: 'needed' }),
            })}
          </p>
        ) : null}
      </div>
      {isOwn ? <SavingButton runway={runway} filled={filled} /> : null}
    </div>
  );
}
