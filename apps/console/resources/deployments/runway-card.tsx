import type { RunwayAnswer } from '@moorage/contracts';
import { useRunway } from '../../data/billing';
import { addFundsAddress } from '../../data/checkout';
import { useServerNow } from '../../data/server-now';
import { useText } from '../../texts/console-i18n';
import { duration, shortInstant } from '../../ui/dates';
import { money } from '../../ui/money';
import { RunwayBar } from './runway-bar';
import { RunwaySkeleton } from './runway-skeleton';
import { RunwayWarning } from '../../parts/money/runway-warning';
import { withStarting } from '../../parts/money/runway-words';
import { Button } from '../../ui/button';
import { LockableLink } from '../../parts/lockable-link';
import './runway-card.css';

/** Shows how long everything runs, what stops first, and a link to top up. */
export function RunwayCard() {
  const t = useText();
  const { data: runway, dataUpdatedAt, isError, refetch } = useRunway();
  const now = useServerNow(runway?.now, dataUpdatedAt);
  return (
    <section className="card runbox" aria-label={t('billing.runway.title')} aria-busy={runway === undefined}>
      {runway === undefined ? (
        isError ? (
          <div className="run failed">
            <p role="alert" className="grow">
              {t('billing.failed')}
            </p>
            <Button onClick={() => void refetch()}>{t('layout.try_again')}</Button>
          </div>
        ) : (
          // Visible only if loading takes noticeably long.
          <RunwaySkeleton className="late" />
        )
      ) : (
        <>
          <div className="run">
            <RunwayWhen runway={runway} now={now} />
            {runway.days.length > 0 ? <RunwayBar runway={runway} now={now} /> : <div className="grow" />}
            <AddFundsLink />
          </div>
          <RunwayWarning runway={runway} now={now} />
        </>
      )}
    </section>
  );
}

function AddFundsLink() {
  const t = useText();
  return (
    <div className="row cta">
      <LockableLink to={addFundsAddress()}>{t('billing.add.title')}</LockableLink>
    </div>
  );
}

/** End date, remaining time and daily cost. */
function RunwayWhen({ runway, now }: { runway: RunwayAnswer; now: number }) {
  const t = useText();
  const cost = money(runway.daily_cost, { rounding: 'price' });
  if (runway.running === 0) {
    return (
      <div className="when">
        <small>{t('billing.runway.nothing')}</small>
        <strong className="none">{t('billing.runway.none')}</strong>
        <span className="then">{t('billing.runway.none_hint')}</span>
      </div>
    );
  }
  if (runway.ends_at === null) {
    return (
      <div className="when">
        <small>{t('billing.runway.until')}</small>
        <strong>{t('billing.runway.endless')}</strong>
        <span className="then">{withStarting(t('billing.runway.cost', { cost }), runway, t)}</span>
      </div>
    );
  }
  const left = Date.parse(runway.ends_at) - now;
  return (
    <div className="when">
      <small>{left > 0 ? t('billing.runway.until') : t('billing.runway.ended')}</small>
      <strong className={runway.level}>{shortInstant(runway.ends_at)}</strong>
      <span className="then">
        {withStarting(
          left > 0 ? t('billing.runway.left', { left: duration(left), cost }) : t('billing.runway.cost', { cost }),
          runway,
          t,
        )}
      </span>
    </div>
  );
}
