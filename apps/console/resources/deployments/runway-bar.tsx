import type { RunwayAnswer } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';
import { duration, shortInstant } from '../../ui/dates';
import { dayLabel, firstName, stoppedList } from '../../parts/money/runway-words';
import './runway-bar.css';

const DAY_MS = 86_400_000;

/** Timeline with one box per paid UTC day, a tick for now, and a pin where the first deployment stops. */
export function RunwayBar({ runway, now }: { runway: RunwayAnswer; now: number }) {
  const t = useText();
  const { days, ends_at: endsAt } = runway;
  const end = days.findIndex((day) => !day.lasts);
  const passed = (now % DAY_MS) / DAY_MS / days.length;
  const place = `${((end / days.length) * 100).toFixed(2)}%`;
  // The label is on the side with more space and may use all of it.
  const before = end > days.length / 2;
  return (
    <div className="scale" role="img" aria-label={useRunwaySentence(runway, now)}>
      <ol aria-hidden="true">
        {days.map(({ date, lasts }, index) => (
          <li key={date} className={lasts ? 'p' : 'u'}>
            <span>{index === 0 ? t('billing.today') : dayLabel(date)}</span>
          </li>
        ))}
      </ol>
      <i className="now" style={{ left: `${(passed * 100).toFixed(2)}%` }} aria-hidden="true" />
      {end === -1 || endsAt === null ? null : (
        <i
          className={before ? 'pin before' : 'pin'}
          style={before ? { left: 0, width: place } : { left: place, right: 0 }}
          title={runway.stops.map(({ client_name: name }) => name).join(', ')}
          aria-hidden="true"
        >
          <span>{t('billing.runway.stop', { smart_count: runway.stops.length, name: firstName(runway) })}</span>
        </i>
      )}
    </div>
  );
}

/** Describes the bar in one sentence. */
function useRunwaySentence(runway: RunwayAnswer, now: number): string {
  const t = useText();
  if (runway.running === 0) return t('billing.runway.none');
  if (runway.ends_at === null) return t('billing.runway.endless');
  const date = shortInstant(runway.ends_at);
  if (runway.grace_periods.length > 0 || Date.parse(runway.ends_at) <= now)
    return t('billing.runway.sentence_overdue', { date });
  return t('billing.runway.sentence', {
    date,
    left: duration(Date.parse(runway.ends_at) - now),
    names: stoppedList(runway),
  });
}
