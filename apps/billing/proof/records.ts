import { type Day, type Instant, iso, LEVEL_PRICES_EVER, MINUTE_MS } from '@moorage/domain';
import type { Tx } from '@moorage/server';

export interface WrongRecord {
  readonly user_id: number;
  readonly fault: string;
}

/** Age up to which causes are searched for in tables that are cleaned. */
const CAUSE_DAYS = 30;
/** Maximum amount by which a machine's clock may be set back at once. */
const SET_BACK_MS_MAX = MINUTE_MS;

/**
 * Checks the price copies and recorded causes that the replay relies on. Parameters: $1 accounts, $2 first sealed ID,
 * $3 now plus the amount by which a clock may have been set back, $4 start of the required causes, $5 prices of support
 * levels.
 */
const WRONG_RECORDS = `
with newest as (
  select distinct on (r.deployment_id) r.* from deployment_rates r join deployments d on d.id = r.deployment_id
  where d.user_id = any($1::int[]) order by r.deployment_id, r.effective_from desc, r.id desc
), sizes as (
  select r.*, lead(r.base_before_micros) over (partition by r.deployment_id order by r.effective_from, r.id) as next_before
  from deployment_rates r join deployments d on d.id = r.deployment_id
  where d.user_id = any($1::int[]) and r.reason = 'resized'
)
select d.user_id, 'deployment ' || d.id || ' shows level ' || d.support_level || ', its price is of level ' || n.support_level as fault
from deployments d join newest n on n.deployment_id = d.id where d.support_level <> n.support_level
union all
select d.user_id, 'the meter of deployment ' || d.id || ' has another price or owner than its facts'
from meters m join newest n on n.deployment_id = m.deployment_id join deployments d on d.id = m.deployment_id
where m.hourly_micros <> n.hourly_micros or m.rate_from <> n.effective_from or m.user_id <> d.user_id
union all
select d.user_id, 'deployment ' || d.id || ' changed its level without a price, or its price without the change'
from deployments d join newest n on n.deployment_id = d.id
where n.reason = 'level changed' and d.level_changed_at is distinct from n.effective_from
union all
select d.user_id, 'the base price of deployment ' || d.id || ' is not that of its size'
from meters m join deployments d on d.id = m.deployment_id
where d.user_id = any($1::int[]) and d.server_type = 'new' and m.base_hourly_micros <> d.instance_hourly_micros
union all
select d.user_id, 'the size of deployment ' || d.id || ' changed from another price than that before: from ' || s.effective_from
from sizes s join deployments d on d.id = s.deployment_id join meters m on m.deployment_id = d.id
where s.base_hourly_micros <> coalesce(s.next_before, m.base_hourly_micros)
union all
select d.user_id, 'the price of a size of deployment ' || d.id || ' was not asked for: from ' || s.effective_from
from sizes s join deployments d on d.id = s.deployment_id
where s.id > $2 and s.written_at > $4
  and not exists (
    select from audit_records a
    where a.subject = 'deployment:' || d.id and a.action = 'deployment.resized' and a.actor_user_id = s.actor_user_id
      and a.at <= s.written_at and a.facts ->> 'hourly_micros' = s.base_hourly_micros::text)
union all
select d.user_id, 'a price of deployment ' || d.id || ' is not on record: from ' || r.effective_from
from deployment_rates r join deployments d on d.id = r.deployment_id join meters m on m.deployment_id = d.id
where d.user_id = any($1::int[])
  and ((r.effective_from > $3 and not (r.reason is not distinct from 'resized'
      -- The balance did not cover the rest of the day.
      and r.effective_from = date_trunc('day', r.effective_from, 'UTC') and r.effective_from - r.written_at <= interval '1 day'))
    or (r.id > $2 and (r.actor is null or r.actor_user_id is null or r.reason is null or r.written_at is null
      or (r.reason = 'server found again' and not exists (
        select from interval_changes i where i.deployment_id = d.id and i.billable_to is null and i.written_at = r.written_at))
      or (r.reason not in ('server found again', 'resized') and r.written_at <> r.effective_from)))
    or not (r.reason is not distinct from 'server found again' and r.hourly_micros = 0) and not exists (
      select from jsonb_to_recordset($5::jsonb) as p (level int, micros bigint)
      where p.level = r.support_level and p.micros = r.hourly_micros - coalesce(
        (select s.base_hourly_micros from sizes s where s.deployment_id = r.deployment_id
           and (s.effective_from, s.id) <= (r.effective_from, r.id) order by s.effective_from desc, s.id desc limit 1),
        (select s.base_before_micros from sizes s where s.deployment_id = r.deployment_id order by s.effective_from, s.id limit 1),
        m.base_hourly_micros)))
union all
select d.user_id, 'the first price of deployment ' || d.id || ' was not asked for by its owner'
from deployment_rates r join deployments d on d.id = r.deployment_id
where d.user_id = any($1::int[]) and r.id > $2 and r.reason = 'created' and r.actor_user_id <> d.user_id
union all
select i.user_id, 'the interval of deployment ' || i.deployment_id || ' was opened for later or for somebody else'
from interval_changes i join deployments d on d.id = i.deployment_id
where d.user_id = any($1::int[]) and i.id > $2
  and (i.user_id <> d.user_id or i.billable_from > i.written_at or i.billable_to > i.written_at or i.billable_to < i.billable_from)
union all
select t.user_id, 'the adjustment ' || t.id || ' is in no audit record'
from ledger_transactions t
where t.user_id = any($1::int[]) and t.type = 'adjustment' and t.id > $2 and t.posted_at > $4
  and not exists (
    select from audit_records a
    where a.subject = 'user:' || t.user_id and a.action = 'balance.adjusted' and a.actor_user_id = t.actor_user_id
      and a.at = t.posted_at and a.facts ->> 'amount_micros' = t.amount_micros::text)
union all
select t.user_id, 'the payment ' || t.id || ' is not of the instant at which its session was paid'
from ledger_transactions t join checkout_sessions s on s.id = t.cause
where t.user_id = any($1::int[]) and t.type = 'payment' and t.id > $2 and (s.paid_at is distinct from t.due_at or s.user_id <> t.user_id)
union all
select t.user_id, 'the ' || t.type || ' ' || t.id || ' is of nothing that the payment provider moved'
from ledger_transactions t
where t.user_id = any($1::int[]) and t.type in ('payment_refund', 'refund_failed', 'dispute', 'dispute_won') and t.id > $2 and t.posted_at > $4
  and not exists (
    select from payment_movements m
    where m.id = t.cause and m.kind = case t.type when 'payment_refund' then 'refund' else t.type end and m.posted_at = t.posted_at)
  and not exists (select from stripe_events e where e.id = t.cause and e.type like case t.type when 'payment_refund' then 'charge.refund%' else 'charge.dispute.%' end)
union all
select user_id, 'withdrawals (' || kind || ') are noted as ' || sum(noted) || ' under payments of the account, and posted as ' || sum(posted)
from (
  select s.user_id, w.kind, w.noted, 0::bigint as posted
  from (
    select distinct user_id, payment_intent from checkout_sessions where user_id = any($1::int[]) and payment_intent is not null
  ) s join (
    select payment_intent, kind, withdrawn_micros as noted from payment_withdrawals
    union all
    select payment_intent, case when kind in ('refund', 'refund_failed') then 'refund' else 'dispute' end,
      case when kind in ('refund', 'dispute') then posted_micros else -posted_micros end
    from payment_movements
  ) w on w.payment_intent = s.payment_intent
  union all
  select t.user_id, case when t.type in ('payment_refund', 'refund_failed') then 'refund' else 'dispute' end, 0, l.amount_micros
  from ledger_transactions t join ledger_lines l on l.transaction_id = t.id and l.ledger_account = 'payments'
  where t.user_id = any($1::int[]) and t.type in ('payment_refund', 'refund_failed', 'dispute', 'dispute_won')
) withdrawn
group by user_id, kind
having sum(noted) <> sum(posted)`;

export async function wrongRecords(
  tx: Tx,
  { userIds, sealedFrom, at }: { userIds: readonly number[]; sealedFrom: number; at: Instant },
): Promise<readonly WrongRecord[]> {
  const prices = LEVEL_PRICES_EVER.flatMap((list) =>
    Object.entries(list).map(([level, price]) => ({ level: Number(level), micros: price.micros.toString() })),
  );
  const since = iso(at - CAUSE_DAYS * 86_400_000);
  const latest = iso(at + SET_BACK_MS_MAX);
  return tx.query<WrongRecord>(WRONG_RECORDS, [[...userIds], sealedFrom, latest, since, JSON.stringify(prices)]);
}

/** Number of nights for which the daily run's checkpoints are always kept. */
const DAYS = 14;

/** Returns days marked finished that cannot be: not yet begun, or not all accounts processed. */
export async function wrongDays(tx: Tx, today: Day): Promise<string[]> {
  const rows = await tx.query<{ day: Day; fault: string }>(
    `with chunks as (
       select day, first_user_id, last_user_id, lag(last_user_id, 1, 0) over (partition by day order by first_user_id) as before
       from billing_run_chunks where day between $1::date - ${DAYS} and $1::date
     )
     -- An operator may run days ahead outside production. Such a run starts at the given instant.
     select day, 'lies ahead' as fault from billing_runs where day > $1 and started_at < day::timestamp at time zone 'UTC'
     union all
     select day, 'ended before it began' from billing_runs where finished_at < started_at - $2::int * interval '1 millisecond'
     union all
     select r.day, 'left accounts out' from billing_runs r
     where r.finished_at is not null and r.day between $1::date - ${DAYS} and $1::date
       and (exists (select from chunks c where c.day = r.day and c.first_user_id > c.before + 1)
         or coalesce((select max(last_user_id) from chunks c where c.day = r.day), 0)
           < coalesce((select max(user_id) from wallets where created_at < r.started_at), 0))
     order by day`,
    [today, SET_BACK_MS_MAX],
  );
  return rows.map(({ day, fault }) => `the daily run of ${day} ${fault}`);
}
