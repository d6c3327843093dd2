import type { RunwayAnswer } from '@moorage/contracts';
import { useEffect, useState } from 'react';
import { useServerNow } from '../../data/server-now';
import { isImpersonating } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { duration, shortInstant } from '../../ui/dates';
import { money } from '../../ui/money';
import { RunwayWarning } from '../../parts/money/runway-warning';
import { withStarting } from '../../parts/money/runway-words';
import { RunwayChart } from './runway-chart';
import { RunwayTable } from './runway-table';
import { localReading } from '../../ui/list-format';
import './runway-panel.css';

/** Forecast of the coming days: end date, chart, and the same numbers as a table. */
export function RunwayPanel({
  runway,
  arrivedAt,
  failed,
  isOwn = true,
}: {
  runway: RunwayAnswer | undefined;
  arrivedAt: number;
  failed: boolean;
  /** False for another account's forecast, which is read-only. */
  isOwn?: boolean;
}) {
  const t = useText();
  const now = useServerNow(runway?.now, arrivedAt);
  const nothingRan = useNothingRan(runway, isOwn);
  return (
    <section className="card" aria-label={t('billing.runway.title')} aria-busy={runway === undefined && !failed}>
      <header>
        <h2>{t('billing.runway.title')}</h2>
        {runway === undefined || runway.running === 0 ? null : (
          <span className="small soft">
            {withStarting(
              t(runs(runway) === 0 ? 'billing.runway.cost_plain' : 'billing.runway.cost_of', {
                smart_count: runs(runway),
                cost: money(runway.daily_cost, { rounding: 'price' }),
              }),
              runway,
              t,
            )}
          </span>
        )}
      </header>
      <div className="pad runway-body">
        {runway === undefined ? (
          failed ? (
            <p className="muted">{t('layout.not_available')}</p>
          ) : (
            <div className={nothingRan ? 'late at-rest' : 'late'} aria-hidden="true">
              <span className="skel" style={{ width: 260, height: 20 }} />
              {nothingRan ? null : <div className="skel chart-space" />}
            </div>
          )
        ) : runway.running === 0 ? (
          <div className="at-rest">
            <h3>{t('billing.runway.none')}</h3>
            <p className="soft">{t('billing.runway.none_long')}</p>
          </div>
        ) : (
          <>
            <Until runway={runway} now={now} />
            <RunwayChart runway={runway} />
            <RunwayTable days={runway.days} />
          </>
        )}
      </div>
      {runway === undefined ? null : <RunwayWarning runway={runway} now={now} filled={false} isOwn={isOwn} />}
    </section>
  );
}

/** Number of running deployments, without those still being created. */
const runs = ({ running, starting }: RunwayAnswer): number => running - starting;

function Until({ runway, now }: { runway: RunwayAnswer; now: number }) {
  const t = useText();
  if (runway.ends_at === null) {
    return (
      <p className="until-line">
        <span className="soft">{t('billing.runway.until')}</span> <strong>{t('billing.runway.endless')}</strong>
      </p>
    );
  }
  const left = Date.parse(runway.ends_at) - now;
  const local = localReading(runway.ends_at);
  const more = [
    local === null ? null : t('billing.runway.local', { time: local.time, place: local.place }),
    left > 0 ? t('billing.runway.left_short', { left: duration(left) }) : null,
  ].filter((part) => part !== null);
  return (
    <p className="until-line">
      <span className="soft">{left > 0 ? t('billing.runway.until') : t('billing.runway.ended')}</span>{' '}
      <strong className={runway.level}>{shortInstant(runway.ends_at)}</strong>{' '}
      <span className="muted small">{more.join(', ')}</span>
    </p>
  );
}

const LAST_SEEN = 'runway.nothing';

/** Returns whether nothing was running when this tab last loaded the page, in which case the placeholder is short. */
function useNothingRan(runway: RunwayAnswer | undefined, isOwn: boolean): boolean {
  const [before] = useState(() => {
    try {
      return sessionStorage.getItem(LAST_SEEN) === 'true';
    } catch {
      return false;
    }
  });
  const nothing = runway === undefined ? null : runway.running === 0;
  useEffect(() => {
    try {
      // Another account's forecast does not predict the user's own.
      if (nothing !== null && isOwn && !isImpersonating()) sessionStorage.setItem(LAST_SEEN, String(nothing));
    } catch {
      // If storage is disabled, the placeholder has the height of the chart.
    }
  }, [nothing, isOwn]);
  return before;
}
