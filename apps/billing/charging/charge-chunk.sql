-- One day's charges of the accounts of one chunk, whose wallets are locked: the set-based twin of settle for accounts
-- where everything that is due can be paid and nothing else is in the way. All others are named and left to settle.
-- What moves is derived from the rows that were really inserted, never from the candidates: with two runners at once
-- the ledger would stay right while the balances moved twice.
--
-- The stretch of users is said to every table, so that none is read as a whole for each chunk.
--
-- $1 day  $2 first user  $3 last user  $4 now  $5 unlock  $6 users whose wallets are locked

with due as (
  select m.deployment_id, m.user_id, m.hourly_micros * 24 as amount, d.client_name,
         -- false, never null: bool_and below would pass a null by
         (m.charged_through is not distinct from $1::date - 1
           and m.held_on is null and d.billable_to is null and m.rate_from <= t.midnight) as plain
  from (select $1::date::timestamp at time zone 'UTC' as midnight) t
  cross join meters m
  join deployments d on d.id = m.deployment_id
  where m.user_id between $2 and $3
    and m.user_id = any($6::int[])
    and not m.reckoned
    and (m.charged_through is null or m.charged_through < $1::date)
    -- one that begins later today pays from its beginning, by settle
    and d.billable_from < t.midnight
), pots as (
  select c.user_id, c.id, c.remaining_micros as left_over,
         (sum(c.remaining_micros) over earlier)::bigint - c.remaining_micros as low,
         (sum(c.remaining_micros) over earlier)::bigint as high
  from credits c
  join wallets w on w.user_id = c.user_id and w.user_id between $2 and $3
  where c.user_id between $2 and $3
    and c.expired_at is null
    and c.expires_at > $1::date::timestamp at time zone 'UTC'
    and c.remaining_micros > 0
    -- judged once for the night: as long as a credit is left the regular balance has not moved
    and (c.credit_type = 'signup' or w.regular_micros >= $5::bigint)
  window earlier as (partition by c.user_id order by c.expires_at, c.id)
), credit_of as (
  select user_id, max(high) as credit from pots group by user_id
), accounts as (
  select a.user_id, coalesce(p.credit, 0) as credit,
         (a.plain
           and a.total <= w.regular_micros + coalesce(p.credit, 0)
           and not exists (
             select 1 from credits c
             where c.user_id = a.user_id and c.expired_at is null and c.expires_at <= $1::date::timestamp at time zone 'UTC'
           )) as payable
  from (select user_id, bool_and(plain) as plain, sum(amount)::bigint as total from due group by user_id) a
  join wallets w on w.user_id = a.user_id and w.user_id between $2 and $3
  left join credit_of p on p.user_id = a.user_id
), charged as (
  insert into ledger_transactions (user_id, type, amount_micros, description, deployment_id, charged_on, due_at, posted_at)
  select d.user_id, 'charge', -d.amount, d.client_name || ': 24 hours on ' || $1::date, d.deployment_id, $1::date,
         $1::date::timestamp at time zone 'UTC', $4::timestamptz
  from due d
  join accounts a on a.user_id = d.user_id and a.payable
  order by d.user_id, d.deployment_id
  on conflict (deployment_id, charged_on) where type = 'charge' do nothing
  returning id, user_id, deployment_id, -amount_micros as amount
), spans as (
  -- where each charge lies on the line of the account's money: credits in spending order first, then regular
  select c.id, c.user_id, c.amount, a.credit,
         (sum(c.amount) over earlier)::bigint - c.amount as low,
         (sum(c.amount) over earlier)::bigint as high
  from charged c
  join accounts a on a.user_id = c.user_id
  window earlier as (partition by c.user_id order by c.deployment_id)
), from_credits as (
  select s.id, p.id as credit_id, p.low, least(s.high, p.high) - greatest(s.low, p.low) as amount
  from spans s
  join pots p on p.user_id = s.user_id and p.low < s.high and p.high > s.low
  where s.credit > 0
), lines as (
  insert into ledger_lines (transaction_id, line_no, pot, credit_id, amount_micros)
  select id, row_number() over (partition by id order by low), 'credit', credit_id, -amount from from_credits
  union all
  -- the two last lines of every charge: what regular pays, and what we earn
  select s.id, coalesce(n.lines, 0) + 1, 'regular', null, greatest(s.low, s.credit) - s.high
  from spans s
  left join (select id, count(*) as lines from from_credits group by id) n on n.id = s.id
  where s.high > s.credit
  union all
  select s.id, coalesce(n.lines, 0) + case when s.high > s.credit then 2 else 1 end, 'revenue', null, s.amount
  from spans s
  left join (select id, count(*) as lines from from_credits group by id) n on n.id = s.id
), spent_credits as (
  update credits c set remaining_micros = c.remaining_micros - f.amount
  from (select credit_id, sum(amount) as amount from from_credits group by credit_id) f
  where c.id = f.credit_id and c.user_id between $2 and $3
), spent_regular as (
  update wallets w set regular_micros = w.regular_micros - s.amount
  from (
    select user_id, sum(high - greatest(low, credit)) as amount from spans where high > credit group by user_id
  ) s
  where w.user_id = s.user_id and w.user_id between $2 and $3
), metered as (
  update meters m set charged_through = $1::date from charged c
  where m.deployment_id = c.deployment_id and m.user_id between $2 and $3 and not m.reckoned
)
select (select count(*)::int from charged) as charged,
       (select coalesce(array_agg(user_id order by user_id), '{}') from accounts where not payable) as others
