import { BILLABLE } from '@moorage/domain';
import { Wallet } from 'lucide-react';
import { useRunway } from '../../../data/billing';
import type { Deployment } from '../../../data/deployments';
import { useServerNow } from '../../../data/server-now';
import { useSession } from '../../../data/session';
import { useText } from '../../../texts/console-i18n';
import { duration, durationAfterPreposition, shortInstant } from '../../../ui/dates';
import { hourlyPrice, money } from '../../../ui/money';
import { perDayAndMonth } from '../refund';
import { useIsOwner } from '../actions';
import { Section, useIsCard } from '../section';
import './cost-section.css';

/** Cost, start of billing and end date. */
export function CostSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const isCard = useIsCard();
  const { status, deleted_at, cancelling, hourly_cost, user_id } = deployment;
  const { daily, monthly } = perDayAndMonth(hourly_cost);
  const over =
    deleted_at !== null ||
    cancelling ||
    !(BILLABLE.includes(status) || status === 'CREATING' || status === 'PROVISIONING');
  if (over) {
    return isCard ? (
      <Section title={t('deployments.cost.title')}>
        <p>{t('deployments.cost.stopped')}</p>
        <Total deployment={deployment} />
      </Section>
    ) : (
      <div className="note flat">
        <Wallet size={16} aria-hidden="true" />
        <div>
          <p>{t('deployments.cost.stopped')}</p>
          <Total deployment={deployment} />
        </div>
      </div>
    );
  }
  const price = money(daily, { rounding: 'price' });
  return (
    <Section title={t('deployments.cost.title')}>
      {status === 'CREATING' || status === 'PROVISIONING' ? (
        <NotYet owner={user_id} daily={price} />
      ) : status === 'DNS_FAILED' || status === 'DNS_VALIDATION' ? (
        <div className="note flat">
          <Wallet size={16} aria-hidden="true" />
          <p>{t('deployments.cost.waiting', { daily: price })}</p>
        </div>
      ) : (
        <p className="cost-price">
          <b>{t('deployments.cost.runs', { daily: price })}</b>{' '}
        </p>
      )}
      <p className="hint">
        {t('deployments.cost.per', {
          hourly: hourlyPrice(hourly_cost),
          monthly: money(monthly, { rounding: 'price' }),
        })}
      </p>
      <Total deployment={deployment} />
      {BILLABLE.includes(status) ? <LastsUntil deployment={deployment} /> : null}
    </Section>
  );
}

/**
 * Cost before billing starts, and how long the owner's balance then lasts. This equals the date in the header, because
 * the forecast includes deployments being created.
 */
function NotYet({ owner, daily }: { owner: number; daily: string }) {
  const t = useText();
  const { data: then } = useRunway();
  const isOwn = useSession()?.user?.id === owner;
  return (
    <div className="note flat">
      <Wallet size={16} aria-hidden="true" />
      <p>
        <b>{t('deployments.cost.not_yet')}</b> {t('deployments.cost.from_then', { daily })}{' '}
        {!isOwn || then?.ends_at == null
          ? null
          : t('deployments.cost.lasts_then', { date: shortInstant(then.ends_at) })}
      </p>
    </div>
  );
}

/** End date as in the header. Shown to the owner only, because the header is about the viewer's own balance. */
function LastsUntil({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { data: runway } = useRunway();
  const isOwner = useIsOwner(deployment);
  if (!isOwner || runway?.ends_at == null || deployment.grace_period_ends_at !== null) return null;
  return <p className="hint">{t('deployments.cost.lasts', { date: shortInstant(runway.ends_at) })}</p>;
}

/** Running time and total cost so far. Each day is charged ahead, so the cost of today pays until midnight. */
function Total({ deployment: { ran, grace_period_ends_at: graceEndsAt } }: { deployment: Deployment }) {
  const t = useText();
  const { data: runway, dataUpdatedAt } = useRunway();
  const now = useServerNow(runway?.now, dataUpdatedAt);
  if (ran == null) return null;
  const cost = money(ran.cost, { rounding: 'price' });
  if (ran.to === null) {
    if (now === 0) return null;
    return (
      <p className="hint">
        {t(graceEndsAt === null ? 'deployments.cost.so_far_paid' : 'deployments.cost.so_far', {
          time: durationAfterPreposition(Math.max(0, now - Date.parse(ran.from))),
          cost,
        })}
      </p>
    );
  }
  const time = duration(Date.parse(ran.to) - Date.parse(ran.from));
  return <p className="small soft">{t('deployments.cost.in_all', { time, cost })}</p>;
}
