import type { RunwayAnswer } from '@moorage/contracts';
import { DAY_MS } from '@moorage/domain';
import { CircleAlert, Hourglass, TriangleAlert } from 'lucide-react';
import { useRunway } from '../../data/billing';
import { addFundsAddress } from '../../data/checkout';
import { useServerNow } from '../../data/server-now';
import { useText } from '../../texts/console-i18n';
import { duration, shortInstant } from '../../ui/dates';
import { money } from '../../ui/money';
import { GraceLeft } from './grace-left';
import { RunwayBar } from './runway-bar';
import { SavingButton } from './saving-button';
import { wordList } from '../../ui/list-format';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/button-link';

const DAYS_SHOWN = 14;

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
          <RunwaySkeleton />
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
      <ButtonLink to={addFundsAddress()}>{t('billing.add.title')}</ButtonLink>
    </div>
  );
}

/** End date, remaining time and daily cost. */
function RunwayWhen({ runway, now }: { runway: RunwayAnswer; now: number }) {
  const t = useText();
  const cost = money(runway.daily_cost, { rounding: 'half_up' });
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

/** Adds to a text that the forecast includes deployments still being created. */
export function withStarting(text: string, { starting }: RunwayAnswer, t: ReturnType<typeof useText>): string {
  return starting > 0 ? `${text}, ${t('billing.runway.starting', { smart_count: starting })}` : text;
}

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
  const names = wordList(stops.flatMap(({ client_name: name }) => (name === null ? [] : [name])));
  return (
    <div className={`note flush ${level === 'days' ? 'port' : 'brass'}`}>
      <Icon size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          {Date.parse(endsAt) - now <= DAY_MS ? <b>{t('billing.runway.warn_day')} </b> : null}
          {level === 'days'
            ? t('billing.runway.warn_days', { smart_count: stops.length, date: shortInstant(endsAt), names })
            : t('billing.runway.warn_week', { date: shortInstant(endsAt) })}
        </p>
        {runway.locked_credits > 0 ? (
          <p className="small soft">
            {t('billing.runway.locked', {
              amount: money(runway.locked_credits, { rounding: 'cut' }),
              unlock: money(runway.unlock_balance, { rounding: 'up' }),
            })}
          </p>
        ) : null}
      </div>
      {isOwn ? <SavingButton runway={runway} filled={filled} /> : null}
    </div>
  );
}

/**
 * Banner for unpaid charges. Shows what is unpaid, the amount needed and the deadline, with a top-up that covers all of
 * them as the only filled button. Hidden if everything is paid.
 */
export function GracePeriodBanner() {
  const t = useText();
  const { data: runway } = useRunway();
  const [first] = runway?.grace_periods ?? [];
  if (runway === undefined || first === undefined) return null;
  return (
    <div className="note port hold" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{t('billing.grace_period.title', { smart_count: runway.grace_periods.length })}</b>{' '}
          <GraceLeft until={first.grace_period_ends_at} />
        </p>
        {runway.grace_periods.map(
          ({ deployment_id: id, client_name: name, amount, needed, grace_period_ends_at: endsAt }) => (
            <p key={id}>
              {t('billing.grace_period.line', {
                name,
                amount: money(amount, { rounding: 'half_up' }),
                needed: money(needed, { rounding: 'up' }),
                date: shortInstant(endsAt),
              })}
            </p>
          ),
        )}
        <p className="small soft">{t('billing.grace_period.gone')}</p>
      </div>
      <SavingButton runway={runway} />
    </div>
  );
}

/** Placeholder in the card's final shape, shown if loading takes noticeably long. */
function RunwaySkeleton() {
  return (
    <div className="run late" aria-hidden="true">
      <div className="when">
        <small>
          <span className="skel" style={{ width: 130 }} />
        </small>
        <strong>
          <span className="skel" style={{ width: 210, height: 20 }} />
        </strong>
        <span className="then">
          <span className="skel" style={{ width: 180 }} />
        </span>
      </div>
      <div className="scale">
        <ol>
          {Array.from({ length: DAYS_SHOWN }, (_, day) => (
            <li key={day} className="u" />
          ))}
        </ol>
      </div>
      <div className="row cta">
        <span className="skel btnlike" />
      </div>
    </div>
  );
}
