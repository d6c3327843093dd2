-- Invariants of every database of this product. Each query returns the rows that violate it, and no row if it holds.
-- Used by the simulation, by the crash tests, and by the nightly audit in production.
--
--   -- name: <id> <statement that holds>
--   -- when: always    after every committed transaction
--            settled   once everything due by $now has been settled (after the daily run, all grace periods judged)
--            quiet     once nothing is left to do (faults have stopped, events are drained, runs have ended)
--   -- reads: books    only tables that the billing role may read, so part of the nightly audit
--            all       other tables as well, for tests and operators
--
-- Queries with "settled" check an account that could not be settled (billing_failures) only up to the last midnight at
-- which it was settled. $present is the time of the check, while $now is a midnight.
--
-- $after is the last ledger id of the closed months for which recorded totals are used (apps/billing/audit). Of append-only
-- tables only the rows after it are read, and added to the totals in audit_accounts, audit_credits and audit_deployments.
-- With 0 everything is read. Where a new row can invalidate an older one (an interval, a price), the older row is read too.
--
-- invariants.ts fills in $now, $present, $since, $after, $edges, $subscriptions, $unlock_micros, $code_ms and $canaries, from the rules.


-- ledger -----------------------------------------------------------------------------------------------------

-- name: I1 Every ledger transaction sums to zero
-- when: always
-- reads: books
select t.id as transaction_id, t.type, coalesce(sum(l.amount_micros), 0) as sum_micros
from ledger_transactions t
left join ledger_lines l on l.transaction_id = t.id and l.transaction_id > $after::bigint
where t.id > $after::bigint
group by t.id, t.type
having coalesce(sum(l.amount_micros), 0) <> 0
    or (t.type = 'charge' and count(l.transaction_id) = 0)

-- name: I1b The wallet's regular balance and debt are the sums of their lines
-- when: always
-- reads: books
select w.user_id, w.regular_micros, coalesce(a.regular_micros, 0) + coalesce(s.regular, 0) as lines_regular,
       w.owed_micros, coalesce(a.owed_micros, 0) + coalesce(s.owed, 0) as lines_owed
from wallets w
left join audit_accounts a on a.through_id = $after::bigint and a.user_id = w.user_id
left join (
  select t.user_id,
         sum(l.amount_micros) filter (where l.ledger_account = 'regular') as regular,
         sum(l.amount_micros) filter (where l.ledger_account = 'owed') as owed
  from ledger_lines l
  join ledger_transactions t on t.id = l.transaction_id
  where l.ledger_account in ('regular', 'owed') and l.transaction_id > $after::bigint and t.id > $after::bigint
  group by t.user_id
) s on s.user_id = w.user_id
where w.regular_micros <> coalesce(a.regular_micros, 0) + coalesce(s.regular, 0)
   or w.owed_micros <> coalesce(a.owed_micros, 0) + coalesce(s.owed, 0)

-- name: I1c The remainder of a credit is the sum of its lines, its amount is the sum granted and adjusted, and its lines belong to its owner
-- when: always
-- reads: books
select c.id as credit_id, c.user_id, c.amount_micros, coalesce(a.granted_micros, 0) + coalesce(s.granted, 0) as granted,
       c.remaining_micros, coalesce(a.remaining_micros, 0) + coalesce(s.remaining, 0) as remaining, s.strangers
from credits c
left join audit_credits a on a.through_id = $after::bigint and a.credit_id = c.id
left join (
  select l.credit_id,
         sum(l.amount_micros) as remaining,
         coalesce(sum(l.amount_micros) filter (where t.type in ('credit_granted', 'credit_adjusted')), 0) as granted,
         count(*) filter (where t.user_id <> o.user_id) as strangers
  from ledger_lines l
  join ledger_transactions t on t.id = l.transaction_id
  join credits o on o.id = l.credit_id
  where l.ledger_account = 'credit' and l.transaction_id > $after::bigint and t.id > $after::bigint
  group by l.credit_id
) s on s.credit_id = c.id
where c.remaining_micros <> coalesce(a.remaining_micros, 0) + coalesce(s.remaining, 0)
   or c.amount_micros <> coalesce(a.granted_micros, 0) + coalesce(s.granted, 0)
   or s.strangers > 0

-- name: I1d Every line belongs to a transaction, and every transaction to a wallet
-- when: always
-- reads: books
select 'line' as what, l.transaction_id as transaction_id, null::integer as user_id
from ledger_lines l
where l.transaction_id > $after::bigint
  and not exists (select 1 from ledger_transactions t where t.id = l.transaction_id and t.id > $after::bigint)
union all
select 'transaction', t.id, t.user_id
from ledger_transactions t
where t.id > $after::bigint and not exists (select 1 from wallets w where w.user_id = t.user_id)

-- name: I2 At most one charge per deployment and day
-- when: always
-- reads: books
select deployment_id, charged_on, charges
from (
  select distinct t.deployment_id, t.charged_on, (
    select count(*) from ledger_transactions o
    where o.type = 'charge' and o.deployment_id = t.deployment_id and o.charged_on = t.charged_on
  ) as charges
  from ledger_transactions t
  where t.type = 'charge' and t.id > $after::bigint
) days
where charges > 1

-- name: I2b A transaction's amount is its effect on the customer's regular balance and credits
-- when: always
-- reads: books
select t.id as transaction_id, t.type, t.amount_micros, coalesce(s.moved, 0) as moved_micros
from ledger_transactions t
left join (
  select transaction_id, sum(amount_micros) as moved
  from ledger_lines
  where ledger_account in ('regular', 'credit') and transaction_id > $after::bigint
  group by transaction_id
) s on s.transaction_id = t.id
where t.id > $after::bigint and t.amount_micros <> coalesce(s.moved, 0)

-- name: I2c All amounts of an account add up to its regular balance and credits
-- when: always
-- reads: books
select w.user_id, w.regular_micros, coalesce(c.remaining, 0) as credits_micros,
       coalesce(a.amounts_micros, 0) + coalesce(t.amounts, 0) as amounts_micros
from wallets w
left join audit_accounts a on a.through_id = $after::bigint and a.user_id = w.user_id
left join (select user_id, sum(remaining_micros) as remaining from credits group by user_id) c on c.user_id = w.user_id
left join (
  select user_id, sum(amount_micros) as amounts from ledger_transactions where id > $after::bigint group by user_id
) t on t.user_id = w.user_id
where w.regular_micros + coalesce(c.remaining, 0) <> coalesce(a.amounts_micros, 0) + coalesce(t.amounts, 0)

-- name: I3 Every day due by now is charged exactly once, unless a grace period is open for it or an earlier day
-- when: settled
-- reads: books
with asked as (
  select d.id, d.user_id, d.billable_from, d.billable_to,
         least($now::timestamptz, (f.day - 1)::timestamp at time zone 'UTC') as until
  from deployments d
  left join billing_failures f on f.user_id = d.user_id
), due as (
  select d.id, d.user_id, d.billable_from, d.billable_to, m.grace_period_day,
         (d.billable_from at time zone 'UTC')::date as first_day,
         -- the last day that is due by now, before the end, and not in a grace period
         least(
           (d.until at time zone 'UTC')::date,
           ((d.billable_to - interval '1 millisecond') at time zone 'UTC')::date,
           m.grace_period_day - 1
         ) as last_day
  from asked d
  left join meters m on m.deployment_id = d.id
  where d.billable_from <= d.until and (d.billable_to is null or d.billable_to > d.billable_from)
)
select due.id as deployment_id, due.first_day, due.last_day, greatest(due.last_day - due.first_day + 1, 0) as days_due,
       coalesce(a.charges, 0) + c.charges as days_charged
from due
-- recorded totals beyond the last day are not used, and the deployment is then counted from its beginning
left join audit_deployments a
  on a.through_id = $after::bigint and a.deployment_id = due.id and a.charged_through <= due.last_day
cross join lateral (
  select count(*) as charges from ledger_transactions t
  where t.type = 'charge' and t.deployment_id = due.id
    and t.charged_on between greatest(due.first_day, a.charged_through + 1) and due.last_day
) c
where coalesce(a.charges, 0) + c.charges <> greatest(due.last_day - due.first_day + 1, 0)

-- name: I3b A charge is due at the beginning of its day (the first at the beginning of the interval), belongs to the deployment's owner, and is never posted earlier
-- when: always
-- reads: books
with asked as (
  select id, deployment_id, user_id, charged_on, due_at, posted_at from ledger_transactions
  where type = 'charge' and id > $after::bigint
  union all
  select t.id, t.deployment_id, t.user_id, t.charged_on, t.due_at, t.posted_at
  from (select distinct deployment_id from interval_changes where id > $after::bigint and $after::bigint > 0) changed
  cross join lateral (
    select * from ledger_transactions t where t.type = 'charge' and t.deployment_id = changed.deployment_id
  ) t
  where t.id <= $after::bigint
)
select t.id as transaction_id, t.deployment_id, t.charged_on, t.due_at, t.posted_at
from asked t
left join deployments d on d.id = t.deployment_id
where (d.billable_from is null
    or d.user_id <> t.user_id
    or t.due_at <> greatest(d.billable_from, t.charged_on::timestamp at time zone 'UTC')
    or t.due_at > t.posted_at)

-- name: I3c The meter agrees with the ledger and the rates (charged through the last charge, never for a day in a grace period, at the newest rate)
-- when: always
-- reads: books
select m.deployment_id, m.charged_through, c.last_charge, m.grace_period_day, m.reckoned, m.hourly_micros, r.hourly_micros as newest_rate
from meters m
join deployments d on d.id = m.deployment_id
cross join lateral (
  select max(charged_on) as last_charge from ledger_transactions where type = 'charge' and deployment_id = m.deployment_id
) c
left join lateral (
  select effective_from, hourly_micros from deployment_rates where deployment_id = m.deployment_id
  order by effective_from desc, id desc limit 1
) r on true
where m.user_id <> d.user_id
   or m.charged_through is distinct from c.last_charge
   or c.last_charge >= m.grace_period_day
   or (m.reckoned and (d.billable_to is null or m.grace_period_day is not null))
   or m.hourly_micros is distinct from r.hourly_micros
   or m.rate_from is distinct from r.effective_from

-- name: I3d No grace period is open more than 15 minutes after its end
-- when: settled
-- reads: books
select deployment_id, user_id, grace_period_day, grace_period_started_at, grace_period_ends_at
from meters
where grace_period_ends_at < $present::timestamptz - interval '15 minutes'

-- name: I3e A grace period ends at the announced time, and is shorter than a day
-- when: always
-- reads: books
-- The setting may have changed since, so the end is compared with the event that was written with the grace period and
-- is stored for longer. Grace periods that are over are checked by I3d.
select m.deployment_id, m.user_id, m.grace_period_day, m.grace_period_started_at, m.grace_period_ends_at
from meters m
where m.grace_period_day is not null and m.grace_period_ends_at > $now::timestamptz
  and (m.grace_period_ends_at >= m.grace_period_started_at + interval '1 day'
    or not exists (
      select 1 from outbox o
      where o.stream = 'balance' and o.aggregate_id = m.user_id::text
        and o.event_name = 'balance.grace_period_started'
        and (o.data ->> 'deployment_id')::integer = m.deployment_id and o.data ->> 'day' = m.grace_period_day::text
        and (o.data ->> 'ends_at')::timestamptz = m.grace_period_ends_at))

-- name: I4 The regular balance is never below zero, debt is never above zero, and 0 <= remaining <= amount
-- when: always
-- reads: books
select 'wallet' as what, user_id as id, regular_micros, owed_micros from wallets where regular_micros < 0 or owed_micros > 0
union all
select 'credit', id, amount_micros, remaining_micros from credits where remaining_micros < 0 or remaining_micros > amount_micros

-- name: I4b No posting ever left a ledger account below zero (debt: above)
-- when: always
-- reads: books
select user_id, ledger_account, credit_id, transaction_id, after_micros
from (
  select s.user_id, s.ledger_account, s.credit_id, s.transaction_id,
         case s.ledger_account when 'regular' then coalesce(a.regular_micros, 0) when 'owed' then coalesce(a.owed_micros, 0)
           else coalesce(c.remaining_micros, 0) end
         + sum(s.amount) over (partition by s.user_id, s.ledger_account, s.credit_id order by s.transaction_id) as after_micros
  from (
    select t.user_id, l.ledger_account, l.credit_id, l.transaction_id, sum(l.amount_micros) as amount
    from ledger_lines l
    join ledger_transactions t on t.id = l.transaction_id
    where l.ledger_account in ('regular', 'credit', 'owed') and l.transaction_id > $after::bigint and t.id > $after::bigint
    group by t.user_id, l.ledger_account, l.credit_id, l.transaction_id
  ) s
  left join audit_accounts a on a.through_id = $after::bigint and a.user_id = s.user_id
  left join audit_credits c on c.through_id = $after::bigint and c.credit_id = s.credit_id
) r
where (ledger_account = 'owed' and after_micros > 0) or (ledger_account <> 'owed' and after_micros < 0)

-- name: I5 No credit pays at or after its expiry, receives a refund after it, or has a remainder once its expiry is posted
-- when: always
-- reads: books
select 'line' as what, l.transaction_id as id, l.credit_id, l.amount_micros, t.due_at, c.expires_at
from ledger_lines l
join ledger_transactions t on t.id = l.transaction_id
join credits c on c.id = l.credit_id
where l.ledger_account = 'credit' and l.transaction_id > $after::bigint and t.id > $after::bigint
  and t.type in ('charge', 'rerate', 'refund') and t.due_at >= c.expires_at
union all
select 'expired', null, id, remaining_micros, expired_at, expires_at
from credits
where expired_at is not null and (remaining_micros <> 0 or expires_at > $now::timestamptz)

-- name: I5b Referral credits pay only while the regular balance is at least the unlock threshold
-- when: always
-- reads: books
with regular as (
  select t.id, t.user_id, t.type,
         coalesce(a.regular_micros, 0)
         + sum(coalesce(s.amount, 0)) over (partition by t.user_id order by t.id) - coalesce(s.amount, 0) as before_micros
  from ledger_transactions t
  left join (
    select transaction_id, sum(amount_micros) as amount from ledger_lines
    where ledger_account = 'regular' and transaction_id > $after::bigint group by transaction_id
  ) s on s.transaction_id = t.id
  left join audit_accounts a on a.through_id = $after::bigint and a.user_id = t.user_id
  where t.id > $after::bigint
)
select r.id as transaction_id, l.credit_id, l.amount_micros, r.before_micros as regular_before_micros
from regular r
join ledger_lines l
  on l.transaction_id = r.id and l.transaction_id > $after::bigint and l.ledger_account = 'credit' and l.amount_micros < 0
join credits c on c.id = l.credit_id
where r.type in ('charge', 'rerate') and c.credit_type <> 'signup' and r.before_micros < $unlock_micros::bigint

-- name: I5c No bucket pays while a usable credit with an earlier expiry has a remainder
-- when: always
-- reads: books
with turns as (
  select id, user_id, credit_type, expires_at, row_number() over (partition by user_id order by expires_at, id) as turn
  from credits
), history as (
  select credit_id, transaction_id, after_micros, lead(transaction_id) over (partition by credit_id order by transaction_id) as next_id
  from (
    select credit_id, transaction_id, sum(sum(amount_micros)) over (partition by credit_id order by transaction_id) as after_micros
    from (
      select credit_id, transaction_id, amount_micros from ledger_lines
      where ledger_account = 'credit' and transaction_id > $after::bigint
      union all
      select credit_id, through_id, remaining_micros from audit_credits where through_id = $after::bigint
    ) moved
    group by credit_id, transaction_id
  ) lines
), postings as (
  select t.id, t.user_id, t.type, t.due_at,
         coalesce(a.regular_micros, 0)
         + sum(coalesce(s.amount, 0)) over (partition by t.user_id order by t.id) - coalesce(s.amount, 0) as regular_before
  from ledger_transactions t
  left join (
    select transaction_id, sum(amount_micros) as amount from ledger_lines
    where ledger_account = 'regular' and transaction_id > $after::bigint group by transaction_id
  ) s on s.transaction_id = t.id
  left join audit_accounts a on a.through_id = $after::bigint and a.user_id = t.user_id
  where t.id > $after::bigint
), paying as (
  -- the last payment; the regular balance comes after every credit
  select p.id, p.user_id, p.due_at, p.regular_before, bool_or(l.ledger_account = 'regular') as took_regular, max(c.turn) as last_turn
  from postings p
  join ledger_lines l
    on l.transaction_id = p.id and l.transaction_id > $after::bigint and l.ledger_account in ('regular', 'credit') and l.amount_micros < 0
  left join turns c on c.id = l.credit_id
  where p.type in ('charge', 'rerate')
  group by p.id, p.user_id, p.due_at, p.regular_before
)
select p.id as transaction_id, c.id as skipped_credit_id, c.expires_at, h.after_micros as left_over_micros
from paying p
join turns c on c.user_id = p.user_id
  and c.expires_at > p.due_at
  and (c.credit_type = 'signup' or p.regular_before >= $unlock_micros::bigint)
  and (p.took_regular or c.turn < p.last_turn)
join history h on h.credit_id = c.id and h.transaction_id <= p.id and (h.next_id is null or h.next_id > p.id)
where h.after_micros > 0

-- name: I12 A paid checkout session is exactly one payment of that amount to the user who opened it, and every payment has its session
-- when: always
-- reads: books
select s.id as checkout_session_id, s.user_id, s.status, s.amount_cents, t.payments, t.paid_micros
from checkout_sessions s
cross join lateral (
  select count(*) as payments, coalesce(sum(amount_micros), 0) as paid_micros, min(amount_micros) as least, min(user_id) as payer
  from ledger_transactions where type = 'payment' and cause = s.id
) t
where t.payments <> (case when s.status = 'paid' then 1 else 0 end)
   or (s.status = 'paid' and (t.least <> s.amount_cents * 10000::bigint or t.payer <> s.user_id))
union all
select t.cause, t.user_id, 'no session', null, 1, t.amount_micros
from ledger_transactions t
where t.type = 'payment' and t.id > $after::bigint and not exists (select 1 from checkout_sessions s where s.id = t.cause)

-- name: I12b Money from outside equals the payments less the withdrawals
-- when: always
-- reads: books
select p.came_in, p.expected
from (
  select
    (select coalesce(-sum(amount_micros), 0) from ledger_lines where ledger_account = 'payments' and transaction_id > $after::bigint)
      - (select coalesce(sum((ledger_accounts ->> 'payments')::bigint), 0) from audit_months where through_id <= $after::bigint) as came_in,
    (select coalesce(sum(amount_cents * 10000::bigint), 0) from checkout_sessions where status = 'paid')
      - (select coalesce(sum(withdrawn_micros), 0) from payment_withdrawals)
      - (select coalesce(sum(case when kind in ('refund', 'dispute') then posted_micros else -posted_micros end), 0)
         from payment_movements) as expected
) p
where p.came_in <> p.expected

-- name: I12c Every movement of the payment provider is posted by its kind (refunds as refunds, disputes as disputes)
-- when: always
-- reads: books
select m.id as movement_id, m.kind, m.posted_micros, r.kind as reversal_kind
from payment_movements m
left join payment_reversals r on r.id = m.reversal_id
where (m.posted_micros > 0 and not exists (
    select from ledger_transactions t
    where t.type = case m.kind when 'refund' then 'payment_refund' else m.kind end and t.cause = m.id))
  or r.kind <> case when m.kind in ('refund', 'refund_failed') then 'refund' else 'dispute' end

-- name: I15 The ledger is append-only (no service may change or delete its rows, and the safeguards are on)
-- when: always
-- reads: books
select r.rolname as who, t.name as table_name, p.word as may
from (values ('ledger_transactions'), ('ledger_lines'), ('deployment_steps'), ('audit_records'), ('deployment_rates'),
  ('interval_changes'), ('credit_terms'), ('ledger_seals'), ('ledger_checkpoints'), ('audit_months'), ('billing_documents')) t(name)
cross join (values ('UPDATE'), ('DELETE'), ('TRUNCATE')) p(word)
join pg_roles r on r.rolname in ('moorage_api', 'moorage_provisioner', 'moorage_billing')
where has_table_privilege(r.oid, t.name, p.word)
union all
select 'everybody', t.name, 'no guard'
from (values ('ledger_transactions'), ('ledger_lines'), ('deployment_steps'), ('audit_records'), ('deployment_rates'),
  ('interval_changes'), ('credit_terms'), ('ledger_seals'), ('ledger_checkpoints'), ('audit_months'), ('billing_documents')) t(name)
where not exists (
  select 1 from pg_trigger g
  where g.tgrelid = t.name::regclass and not g.tgisinternal and g.tgenabled in ('O', 'A') and g.tgname = t.name || '_append_only'
)

-- name: I16 Every amount is a whole number of micro-units
-- when: always
-- reads: books
select table_name::text, column_name::text, data_type::text
from information_schema.columns
where table_schema = 'public' and column_name like '%\_micros' and data_type <> 'bigint'

-- name: I18 The amount posted for a deployment and day is the amount owed by its interval and prices, at the latest 15 minutes after the interval was closed
-- when: settled
-- reads: books
with days as (
  select deployment_id, charged_on from ledger_transactions where deployment_id is not null and id > $after::bigint
  union
  -- all days of deployments with a changed interval or price
  select t.deployment_id, t.charged_on
  from (
    select deployment_id from interval_changes where id > $after::bigint and $after::bigint > 0
    union
    select deployment_id from deployment_rates where id > $after::bigint and $after::bigint > 0
  ) changed
  cross join lateral (
    select * from ledger_transactions t where t.type = 'charge' and t.deployment_id = changed.deployment_id
  ) t
), posted as (
  select x.deployment_id, x.charged_on, sum(l.amount_micros) as micros
  from days x
  cross join lateral (
    select t.id from ledger_transactions t
    where t.type = 'charge' and t.deployment_id = x.deployment_id and t.charged_on = x.charged_on
    union all
    select t.id from ledger_transactions t
    where t.type in ('rerate', 'refund') and t.deployment_id = x.deployment_id and t.charged_on = x.charged_on
  ) t
  join ledger_lines l on l.transaction_id = t.id and l.ledger_account = 'revenue'
  group by x.deployment_id, x.charged_on
), just_closed as (
  -- Billing settles a closed interval when it handles the event, and the end may be before the last midnight (a server
  -- that was declared lost), so the time of writing counts. Closed months are older.
  select d.id
  from interval_changes i
  join deployments d on d.id = i.deployment_id and d.billable_to = i.billable_to
  join meters m on m.deployment_id = d.id and not m.reckoned
  where i.id > $after::bigint and i.written_at >= $present::timestamptz - interval '15 minutes'
), spans as (
  select p.deployment_id, p.charged_on, p.micros,
         greatest(d.billable_from, p.charged_on::timestamp at time zone 'UTC') as first,
         least(d.billable_to, (p.charged_on + 1)::timestamp at time zone 'UTC') as last
  from posted p
  join deployments d on d.id = p.deployment_id
  left join billing_failures f on f.user_id = d.user_id
  where (d.billable_to is null or d.billable_to <= least($now::timestamptz, (f.day - 1)::timestamp at time zone 'UTC'))
    and d.id not in (select id from just_closed)
), priced as (
  select s.deployment_id, s.charged_on, r.hourly_micros,
         greatest(s.first, r.effective_from) as piece_first, s.first,
         least(s.last, r.next_from) as piece_last
  from spans s
  join (
    select deployment_id, effective_from, hourly_micros,
           lead(effective_from) over (partition by deployment_id order by effective_from, id) as next_from
    from deployment_rates
  ) r on r.deployment_id = s.deployment_id
), owed as (
  -- hours are counted by their first billable moment, which is hh:00 or the beginning of the interval
  select deployment_id, charged_on,
         sum(hourly_micros * (
           ceil(extract(epoch from piece_last) / 3600)
           - case when piece_first = first then floor(extract(epoch from piece_first) / 3600) else ceil(extract(epoch from piece_first) / 3600) end
         )) as micros
  from priced
  where piece_last > piece_first
  group by deployment_id, charged_on
)
select s.deployment_id, s.charged_on, s.micros as posted_micros, coalesce(o.micros, 0)::bigint as owed_micros
from spans s
left join owed o on o.deployment_id = s.deployment_id and o.charged_on = s.charged_on
where s.micros <> coalesce(o.micros, 0)

-- name: I18b The interval of a deployment that is destroyed, failed or marked for destruction is closed, and never ends before it begins
-- when: always
-- reads: books
select id as deployment_id, status, desired, billable_from, billable_to
from deployments
where (billable_from is not null and billable_to is null
       and (desired = 'destroyed' or status in ('DESTROYING', 'DESTROYED', 'DELETED', 'FAILED')))
   or billable_to < billable_from
   or (status in ('ACTIVE', 'DNS_VALIDATION', 'READY', 'DNS_FAILED', 'RESTARTING') and billable_from is null)

-- name: I18c Corrections name the charge they correct, and never refund more than a bucket paid for that day
-- when: always
-- reads: books
select t.id as transaction_id, t.deployment_id, t.charged_on, t.type, t.corrects_id, null::text as ledger_account, null::bigint as left_micros
from ledger_transactions t
left join ledger_transactions c on c.id = t.corrects_id and c.type = 'charge'
where t.id > $after::bigint and t.type in ('rerate', 'refund')
  and (c.id is null or c.deployment_id <> t.deployment_id or c.charged_on <> t.charged_on or c.user_id <> t.user_id)
union all
select null, x.deployment_id, x.charged_on, 'ledger_account', null, l.ledger_account || coalesce('#' || l.credit_id, ''), sum(l.amount_micros)
from (
  select distinct deployment_id, charged_on from ledger_transactions where deployment_id is not null and id > $after::bigint
) x
cross join lateral (
  select t.id from ledger_transactions t
  where t.type = 'charge' and t.deployment_id = x.deployment_id and t.charged_on = x.charged_on
  union all
  select t.id from ledger_transactions t
  where t.type in ('rerate', 'refund') and t.deployment_id = x.deployment_id and t.charged_on = x.charged_on
) t
join ledger_lines l on l.transaction_id = t.id and l.ledger_account in ('regular', 'credit')
group by x.deployment_id, x.charged_on, l.ledger_account, l.credit_id
having sum(l.amount_micros) > 0

-- name: I19 There is one credit pair per referred user, its owner is the referrer, and no user refers themselves
-- when: always
-- reads: books
select 'self' as what, id as user_id, null::bigint as count from users where referred_by_user_id = id
union all
select 'referred twice', user_id, count(*) from credits where credit_type = 'referred' group by user_id having count(*) > 1
union all
select 'referrer twice', referral_user_id, count(*) from credits where credit_type = 'referrer' group by referral_user_id having count(*) > 1
union all
select 'stranger', c.user_id, c.id
from credits c
left join users u on u.id = c.referral_user_id
where c.credit_type = 'referrer' and u.referred_by_user_id is distinct from c.user_id
union all
select 'not referred', c.user_id, c.id
from credits c
join users u on u.id = c.user_id
where c.credit_type = 'referred' and u.referred_by_user_id is null

-- name: I20 An active administrator exists
-- when: always
-- reads: books
select count(*) as users
from users
having count(*) > 0 and count(*) filter (where is_admin and deactivated_at is null) = 0


-- documents --------------------------------------------------------------------------------------------------------
-- A document is issued when the event of its movement is handled, at the latest an hour after the posting, or after an
-- outage once the event arrives, which is checked separately (I10 to I10d). Postings before the first document are from a
-- version without documents.

-- name: I21 Every movement between a card and a balance has its document an hour later unless its event is still to be handled, and no document is missing
-- when: always
-- reads: books
select t.id as transaction_id, t.type as what, 0::bigint as issued, 1::bigint as expected
from ledger_transactions t
where t.type in ('payment', 'payment_refund', 'refund_failed', 'dispute', 'dispute_won') and t.id > $after::bigint
  and t.posted_at > (select min(issued_at) from billing_documents) and t.posted_at < $now::timestamptz - interval '1 hour'
  and not exists (select from billing_documents d where d.transaction_id = t.id)
  and not exists (
    select from outbox o
    left join inbox_positions p on p.consumer = 'api' and p.stream = o.stream and p.aggregate_id = o.aggregate_id
    where o.event_name like 'payment.%' and o.data ->> 'user_id' = t.user_id::text and o.sequence > coalesce(p.last_sequence, 0))
  and not exists (
    select from inbox i where i.consumer = 'api' and i.handled_at is null and i.event_name like 'payment.%'
      and i.envelope -> 'data' ->> 'user_id' = t.user_id::text)
union all
select null, kind || ' ' || year, coalesce(d.documents, 0), coalesce(c.last, 0)
from billing_document_counters c
full join (
  select kind, extract(year from issued_at at time zone 'UTC')::smallint as year, count(*) as documents
  from billing_documents group by 1, 2
) d using (kind, year)
where coalesce(d.documents, 0) <> coalesce(c.last, 0)

-- name: I21b A receipt or credit note is unchanged, and matches what was posted
-- when: always
-- reads: books
select d.id as document_id, d.number, d.amount_micros, l.amount_micros as posted_micros
from billing_documents d
left join ledger_transactions t on t.id = d.transaction_id
left join ledger_lines l on l.transaction_id = t.id and l.ledger_account = 'payments'
where d.kind <> 'statement'
  and (d.facts_hash <> sha256(convert_to(d.facts::text, 'UTF8'))
    or d.kind is distinct from (case when t.type in ('payment_refund', 'dispute') then 'credit_note' when t.id is not null then 'receipt' end)
    or d.facts ->> 'kind' is distinct from d.kind
    or d.facts ->> 'movement' is distinct from t.type
    or d.facts ->> 'reference' is distinct from t.cause
    or (d.facts ->> 'moved_at')::timestamptz is distinct from t.due_at
    or (d.facts ->> 'issued_at')::timestamptz is distinct from d.issued_at
    or d.facts ->> 'amount_micros' is distinct from d.amount_micros::text
    or d.amount_micros is distinct from abs(l.amount_micros))

-- name: I21c A document and the receipt that it names belong to the account of the movement
-- when: always
-- reads: books
select d.id as document_id, d.number, d.user_id, t.user_id as moved_of, d.facts ->> 'receipt' as receipt
from billing_documents d
left join ledger_transactions t on t.id = d.transaction_id
where d.facts #>> '{customer,account_id}' is distinct from d.user_id::text
   or t.user_id <> d.user_id
   or (d.facts ->> 'receipt' is not null and not exists (
     select from billing_documents r where r.number = d.facts ->> 'receipt' and r.kind = 'receipt' and r.user_id = d.user_id))

-- name: I21d Each kind of document is numbered consecutively within a year, and no number is used twice
-- when: always
-- reads: books
select id as document_id, number, said, previous
from (
  select id, number, kind, year, facts ->> 'number' as said, (form)[1] as letter, (form)[2] as in_year, (form)[3]::bigint as no,
    lag((form)[3]::bigint) over (partition by kind, year order by id) as previous
  from (
    select d.*, to_char(d.issued_at at time zone 'UTC', 'YYYY') as year, regexp_match(d.number, '^([A-Z])-(\d{4})-(\d{6,9})$') as form
    from billing_documents d
  ) documents
) numbered
where said is distinct from number
   or letter is distinct from (case kind when 'receipt' then 'R' when 'credit_note' then 'C' else 'S' end)
   or in_year is distinct from year
   or no <= previous
   or no > (select c.last from billing_document_counters c where c.kind = numbered.kind and c.year = numbered.year::int)

-- name: I21e A statement is unchanged, and its balances follow from the ledger
-- when: always
-- reads: books
with statements as (
  select d.id, d.user_id, d.number, d.facts, d.facts_hash <> sha256(convert_to(d.facts::text, 'UTF8')) as is_altered,
    d.month::timestamp at time zone 'UTC' as begins, (d.month + interval '1 month')::timestamp at time zone 'UTC' as ends,
    -- statements issued before the newest closed month was closed were compared then
    $after::bigint = 0 or d.issued_at >= (
      select (max(m.month) + interval '1 month')::timestamp at time zone 'UTC' from audit_months m where m.through_id <= $after::bigint
    ) as is_new
  from billing_documents d where d.kind = 'statement'
), lines as (
  select s.id, t.id as transaction_id, t.type, t.posted_at >= s.begins as is_within,
    to_char(t.posted_at at time zone 'UTC', 'YYYY-MM-DD') as day, l.ledger_account, l.amount_micros
  from statements s
  join ledger_transactions t on t.user_id = s.user_id and t.posted_at < s.ends
  join ledger_lines l on l.transaction_id = t.id
  where s.is_new
), sums as (
  select id, is_within, case when is_within then day end as day, case when is_within then type end as type,
    min(transaction_id) as first_id, count(distinct transaction_id) as count,
    coalesce(sum(amount_micros) filter (where ledger_account = 'regular'), 0) as regular,
    coalesce(sum(amount_micros) filter (where ledger_account = 'credit'), 0) as credit,
    coalesce(sum(amount_micros) filter (where ledger_account = 'owed'), 0) as owed
  from lines group by 1, 2, 3, 4
), expected as (
  select s.id,
    jsonb_build_object('regular_micros', coalesce(sum(regular) filter (where not is_within), 0)::text,
      'credit_micros', coalesce(sum(credit) filter (where not is_within), 0)::text,
      'owed_micros', coalesce(sum(owed) filter (where not is_within), 0)::text) as opening,
    jsonb_build_object('regular_micros', coalesce(sum(regular), 0)::text, 'credit_micros', coalesce(sum(credit), 0)::text,
      'owed_micros', coalesce(sum(owed), 0)::text) as closing,
    coalesce(jsonb_agg(jsonb_build_object('day', day, 'type', type, 'count', count, 'regular_micros', regular::text,
      'credit_micros', credit::text, 'owed_micros', owed::text) order by day, first_id) filter (where is_within), '[]') as rows
  from statements s left join sums u on u.id = s.id
  where s.is_new group by s.id
)
select s.id as document_id, s.number, s.facts -> 'opening' as opening, e.opening as ledger_opening,
  s.facts -> 'closing' as closing, e.closing as ledger_closing
from statements s
left join expected e on e.id = s.id
where s.is_altered
   or (s.is_new and (s.facts -> 'opening' is distinct from e.opening or s.facts -> 'closing' is distinct from e.closing
     or s.facts -> 'rows' is distinct from e.rows))

-- name: I22 A code for free credits is used once, and not after its expiry
-- when: always
-- reads: books
select r.id as request_id, r.credit_id, t.credit_id as paid_as, r.code_expires_at
from credit_requests r
left join ledger_transactions t on t.type = 'credit_granted' and t.cause = 'credit_request:' || r.id
where (t.id is not null and r.credit_id is distinct from t.credit_id)
   or r.code_expires_at > r.decided_at + $code_ms::bigint * interval '1 millisecond'

-- deployments and servers ---------------------------------------------------------------------------------------

-- name: I6 A deployment has at most one existing server, and none once it is gone
-- when: always
-- reads: all
select d.id as deployment_id, d.status, count(*) as living
from sandbox_servers s
join deployments d on d.ref = s.labels ->> 'deployment'
where s.state <> 'gone'
group by d.id, d.status, d.lost_from
-- a server that was declared lost may come back, and an operator decides about it
having count(*) > 1 or (d.status in ('DESTROYED', 'DELETED') and d.lost_from is null)

-- name: I6b Every running deployment on our servers has exactly one server
-- when: quiet
-- reads: all
select d.id as deployment_id, d.status, v.provider_server_id, v.state, count(s.id) as living
from deployments d
left join servers v on v.deployment_id = d.id
left join sandbox_servers s on s.labels ->> 'deployment' = d.ref and s.state <> 'gone'
where d.server_type = 'new' and d.status in ('ACTIVE', 'READY', 'DNS_VALIDATION', 'DNS_FAILED', 'RESTARTING')
group by d.id, d.status, v.provider_server_id, v.state
having count(s.id) <> 1 or v.state is distinct from 'exists' or v.provider_server_id is distinct from min(s.id)::text

-- name: I6d Every running deployment on our servers has a server in our own rows
-- when: always
-- reads: books
select d.id as deployment_id, d.status, v.state, v.provider_server_id
from deployments d
join servers v on v.deployment_id = d.id
where d.server_type = 'new' and d.status in ('ACTIVE', 'READY', 'DNS_VALIDATION', 'DNS_FAILED', 'RESTARTING')
  and (v.state <> 'exists' or v.provider_server_id is null)

-- name: I6c A deployment that is gone has no server in our own rows
-- when: always
-- reads: books
select d.id as deployment_id, d.status, d.server_exists, v.state
from deployments d
left join servers v on v.deployment_id = d.id
where d.status in ('DESTROYED', 'DELETED') and (d.server_exists or (d.server_type = 'new' and v.state <> 'gone'))

-- name: I7 Every existing server belongs to a deployment that knows it may have a server
-- when: always
-- reads: all
select s.id as server_id, s.provider, s.name, d.id as deployment_id, d.status, d.server_exists
from sandbox_servers s
left join deployments d on d.ref = s.labels ->> 'deployment'
-- a simulated own server belongs to its owner
where s.state <> 'gone' and s.provider <> 'own' and (d.id is null or not (d.server_exists or d.lost_from is not null) or d.server_type <> 'new')

-- name: I8 A status changes only along the edges, each from the result of the last, and the row has the same status
-- when: always
-- reads: books
with moves as (
  select aggregate_id::integer as deployment_id, sequence, data ->> 'from' as from_status, data ->> 'to' as to_status,
         (data ->> 'version')::integer as version,
         lag(data ->> 'to') over history as came_to,
         lag((data ->> 'version')::integer) over history as version_before,
         row_number() over (partition by aggregate_id order by sequence desc) = 1 as newest
  from outbox
  where stream = 'deployment' and event_name = 'deployment.status_changed'
  window history as (partition by aggregate_id order by sequence)
)
select m.deployment_id, m.sequence, m.from_status, m.to_status, m.came_to, m.version, d.status as row_status
from moves m
left join deployments d on d.id = m.deployment_id
where not exists (
        select 1 from jsonb_to_recordset($edges::jsonb) as e("from" text, "to" text)
        where e."from" is not distinct from m.from_status and e."to" = m.to_status)
   or (m.came_to is not null and m.from_status is distinct from m.came_to)
   or m.version <= m.version_before
   or (m.newest and (d.id is null or d.status <> m.to_status or d.version < m.version))

-- name: I9 A deployment that is gone stays gone
-- when: always
-- reads: books
select d.id as deployment_id, d.status, d.deleted_at, e.sequence
from deployments d
join outbox e on e.stream = 'deployment' and e.aggregate_id = d.id::text and e.event_name = 'deployment.status_changed'
where (e.data ->> 'to' in ('DESTROYED', 'DELETED') and d.status not in ('DESTROYED', 'DELETED'))
   or (e.data ->> 'to' = 'DELETED' and d.status <> 'DELETED')
   or (e.data ->> 'from' = 'DELETED')
union all
select d.id, d.status, d.deleted_at, null
from deployments d
where (d.deleted_at is not null and d.status not in ('DESTROYED', 'DELETED'))
   or (d.deleted_at is null and d.status = 'DESTROYED' and d.destroy_reason = 'deleted')

-- name: I13 Every stored response names a deployment of that account, and no draft was ordered twice
-- when: always
-- reads: all
select k.user_id, k.key, k.answer ->> 'id' as answered_id, null::integer as first_id
from idempotency_keys k
left join deployments d on d.id = (k.answer ->> 'id')::integer and d.user_id = k.user_id
where k.status = 201 and k.answer ? 'client_id' and d.id is null
union all
select a.user_id, a.client_id, b.id::text, a.id
from deployments a
join deployments b on b.user_id = a.user_id and b.client_id = a.client_id and b.id > a.id
  and b.created_at < a.created_at + interval '60 seconds'

-- name: I14 No deployment in progress, or failed with a server, is stuck for more than 26 hours
-- when: quiet
-- reads: books
-- each part uses a separate index, because this runs every few minutes
select id as deployment_id, status, desired, server_exists, updated_at
from deployments
where status in ('CREATING', 'PROVISIONING', 'DNS_VALIDATION', 'RESTARTING', 'DESTROYING')
  and updated_at < $now::timestamptz - interval '26 hours'
  -- its server is kept so that the delete can be undone
  and (undo_until is null or undo_until < $now::timestamptz - interval '26 hours')
union
select id, status, desired, server_exists, updated_at
from deployments
-- on an owner's server the data is kept until the owner deletes the deployment
where status in ('DNS_FAILED', 'FAILED') and status = 'FAILED' and server_exists and server_type = 'new'
  and lost_from is null
  and updated_at < $now::timestamptz - interval '26 hours'
union
select id, status, desired, server_exists, updated_at
from deployments
where desired = 'destroyed' and status not in ('FAILED', 'DESTROYED', 'DELETED')
  and updated_at < $now::timestamptz - interval '26 hours'
  and (undo_until is null or undo_until < $now::timestamptz - interval '26 hours')


-- events --------------------------------------------------------------------------------------------------------

-- name: I10 Every event is sent
-- when: quiet
-- reads: books
select stream, aggregate_id, sequence, event_name, occurred_at
from outbox
where sent_at is null and occurred_at < $now::timestamptz - interval '10 minutes'

-- name: I10b Every delivery is handled
-- when: quiet
-- reads: books
select consumer, stream, aggregate_id, sequence, event_name, attempts, last_error
from inbox
where handled_at is null and parked_at is null and arrived_at < $now::timestamptz - interval '10 minutes'

-- name: I10c No delivery is parked
-- when: quiet
-- reads: books
select consumer, stream, aggregate_id, sequence, event_name, parked_at, last_error
from inbox
where handled_at is null and parked_at is not null and arrived_at < $now::timestamptz - interval '10 minutes'

-- name: I10d Every event that was sent arrives
-- when: quiet
-- reads: books
select s.consumer, o.stream, o.aggregate_id, o.sequence, o.event_name
from outbox o
join jsonb_to_recordset($subscriptions::jsonb) as s(consumer text, stream text) on s.stream = o.stream
where o.sent_at < $now::timestamptz - interval '10 minutes' and o.sent_at >= $since::timestamptz
  and not exists (select 1 from inbox i where i.consumer = s.consumer and i.event_id = o.event_id)
  and not exists (
    select 1 from inbox_positions p
    where p.consumer = s.consumer and p.stream = o.stream and p.aggregate_id = o.aggregate_id and p.last_sequence >= o.sequence)

-- name: I11 Each consumer handles an aggregate's events in order, each once, without a gap
-- when: always
-- reads: books
select 'position' as what, i.consumer, i.stream, i.aggregate_id, i.sequence, p.last_sequence
from inbox i
left join inbox_positions p on p.consumer = i.consumer and p.stream = i.stream and p.aggregate_id = i.aggregate_id
where (i.handled_at is not null) <> (i.sequence <= coalesce(p.last_sequence, 0))
union all
select case when g.handled_at < g.before_at then 'order' else 'gap' end, g.consumer, g.stream, g.aggregate_id, g.sequence, g.before
from (
  select consumer, stream, aggregate_id, sequence, handled_at,
         lag(sequence) over history as before, lag(handled_at) over history as before_at
  from inbox
  where handled_at is not null
  window history as (partition by consumer, stream, aggregate_id order by sequence)
) g
where g.sequence <> g.before + 1 or g.handled_at < g.before_at

-- name: I11b An aggregate's events are numbered without gaps
-- when: always
-- reads: books
select o.stream, o.aggregate_id, o.sequence, o.before, s.last_sequence
from (
  select stream, aggregate_id, sequence,
         lag(sequence) over history as before,
         row_number() over (partition by stream, aggregate_id order by sequence desc) = 1 as newest
  from outbox
  window history as (partition by stream, aggregate_id order by sequence)
) o
left join event_sequences s on s.stream = o.stream and s.aggregate_id = o.aggregate_id
where o.sequence <> o.before + 1 or (o.newest and o.sequence is distinct from s.last_sequence)

-- name: I17 No secret in an event, a delivery, the timeline, a job or a reason
-- when: always
-- reads: all
select w.what, w.id
from (
  select 'outbox' as what, id::text as id, data::text as text from outbox
  union all select 'inbox', event_id::text, envelope::text || coalesce(last_error, '') from inbox
  union all select 'step', id::text, coalesce(message, '') from deployment_steps
  union all select 'work', kind || ':' || key, key || coalesce(last_error, '') from work
  union all select 'run', id::text, coalesce(failure_reason, '') || memory::text from runs
  union all select 'deployment', id::text, coalesce(failure_reason, '') || config::text from deployments
  union all select 'answer', user_id || ':' || key, answer::text from idempotency_keys
  union all select 'audit', id::text, facts::text from audit_records
) w
where exists (select 1 from unnest($canaries::text[]) as c(secret) where position(c.secret in w.text) > 0)
