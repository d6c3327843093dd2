-- Charges one day for the accounts of a chunk with locked wallets. This is the set-based equivalent of settle, for
-- accounts that can pay everything due and need no other handling. All other accounts are returned and left to settle.
-- Balances change by exactly what is inserted. A charge that already exists violates a unique index, in which case
-- nothing of the chunk is written and its accounts are settled individually.
--
-- The planner cannot know how many rows a step returns. If it expects only a few, it joins two steps row by row, and a
-- chunk of 10,000 charges takes seconds. Therefore no step is joined with another. Relations between an account's rows
-- are computed by window functions over their union, which costs a single sort whatever the estimate. Tables are
-- accessed only through an index, by the range of users or by ID, and none is read completely for each chunk.
--
-- $1 day  $2 first user  $3 last user  $4 now  $5 unlock  $6 users with locked wallets

with due as (
  select m.deployment_id, m.user_id, m.hourly_micros * 24 as amount,
         -- False instead of null, because bool_and below ignores nulls.
         (m.charged_through is not distinct from $1::date - 1
           and m.grace_period_day is null and d.billable_to is null and m.rate_from <= t.midnight) as plain
  from (select $1::date::timestamp at time zone 'UTC' as midnight) t
  cross join meters m
  -- Individually by ID, because a hash join would read all deployments for each chunk.
  cross join lateral (
    select billable_from, billable_to from deployments where id = m.deployment_id limit 1
  ) d
  where m.user_id between $2 and $3
    and not m.reckoned
    and (m.charged_through is null or m.charged_through < $1::date)
    -- A deployment that begins later today is charged from its beginning by settle.
    and d.billable_from < t.midnight
), facts as (
  -- Wallets, credits and due charges, as rows of their account.
  select user_id, regular_micros as regular, null::int as credit_id, null::timestamptz as expires_at,
         null::bigint as left_over, null::boolean as unlocked, null::int as deployment_id,
         null::bigint as amount, null::boolean as plain, ledger_hash
  from wallets
  where user_id between $2 and $3 and user_id = any($6::int[])
  union all
  select user_id, null, id, expires_at, remaining_micros, credit_type = 'signup', null, null,
         -- An expiry that is not posted yet must be settled first.
         expires_at > $1::date::timestamp at time zone 'UTC', null
  from credits
  where user_id between $2 and $3 and expired_at is null
  union all
  select user_id, null, null, null, null, null, deployment_id, amount, plain, null
  from due
), known as (
  select f.*, max(regular) over (partition by user_id) as balance
  from facts f
), usable as (
  -- Determined once per run, because the regular balance does not change while a credit is left.
  select k.*,
         case when left_over > 0 and plain and (unlocked or balance >= $5::bigint) then left_over end as usable
  from known k
  -- Excludes accounts with wallets that are not locked.
  where balance is not null
), judged as (
  select u.*,
         (bool_and(plain) over account
           and sum(amount) over account <= balance + coalesce(sum(usable) over account, 0)) as payable
  from usable u
  window account as (partition by user_id)
), charged as (
  select nextval('ledger_transactions_id_seq') as id, c.*
  from (
    select user_id, deployment_id, amount, 'Deployment ' || deployment_id || ': 24 hours on ' || $1::date as description
    from judged
    where deployment_id is not null and payable
    order by user_id, deployment_id
  ) c
), ends as (
  -- Places charges and credits along the line of the account's money, each identified by its end.
  select user_id, id as charge_id, null::int as credit_id,
         (sum(amount) over (partition by user_id order by deployment_id))::bigint as high
  from charged
  union all
  select user_id, null, credit_id, (sum(usable) over (partition by user_id order by expires_at, credit_id))::bigint
  from judged
  where usable is not null and payable
), spans as (
  -- Spans from the previous end to this end. A span's charge and credit are those that end next, including itself.
  -- Beyond the last credit, the regular balance pays.
  select user_id,
         (min(array[high, charge_id]) filter (where charge_id is not null) over downwards)[2] as charge_id,
         (min(array[high, credit_id]) filter (where credit_id is not null) over downwards)[2]::int as credit_id,
         high, high - coalesce(lead(high) over downwards, 0) as amount
  from ends
  window downwards as (partition by user_id order by high desc)
), taken as (
  select user_id, charge_id, credit_id, high, amount from spans where charge_id is not null and amount > 0
), lines as (
  select user_id, charge_id, (row_number() over (partition by charge_id order by high nulls last))::smallint as line_no,
         ledger_account, credit_id, amount
  from (
    select user_id, charge_id, high, case when credit_id is null then 'regular' else 'credit' end as ledger_account, credit_id, -amount as amount
    from taken
    union all
    -- The last line of every charge is revenue.
    select user_id, id, null, 'revenue', null, amount from charged
  ) of_charges
), written_lines as (
  insert into ledger_lines (transaction_id, line_no, ledger_account, credit_id, amount_micros)
  select charge_id, line_no, ledger_account, credit_id, amount from lines
), contents as (
  -- Content of an account's hash in order: the previous hash, then each charge with its lines.
  select user_id, 0::bigint as charge_id, 0::smallint as line_no, coalesce(ledger_hash, '') as content,
         null::int as deployment_id, null::bigint as amount, null::text as description, null::bigint as from_regular
  from judged
  where regular is not null and payable
  union all
  select user_id, id, 0::smallint,
         transaction_content(id, user_id, 'charge', -amount, description, deployment_id, $1::date, null,
           $1::date::timestamp at time zone 'UTC', $4::timestamptz, null, null, null),
         deployment_id, amount, description, null
  from charged
  union all
  select user_id, charge_id, line_no, line_content(line_no, ledger_account, credit_id, amount), null, null, null,
         case when ledger_account = 'regular' then -amount end
  from lines
), hashed as (
  select user_id, charge_id, line_no, deployment_id, amount, description,
         case when line_no = 0 then sha256(string_agg(content, '') over posting) end as hash,
         sum(from_regular) over posting as from_regular
  from contents
  window posting as (partition by user_id order by charge_id, line_no rows between unbounded preceding and unbounded following)
), spent_credits as (
  update credits c set remaining_micros = c.remaining_micros - t.amount
  from (select credit_id, sum(amount) as amount from taken where credit_id is not null group by credit_id) t
  where c.id = t.credit_id and c.user_id between $2 and $3 and c.expired_at is null
), written as (
  insert into ledger_transactions (id, user_id, type, amount_micros, description, deployment_id, charged_on, due_at, posted_at, hash)
  overriding system value
  select charge_id, user_id, 'charge', -amount, description, deployment_id, $1::date,
         $1::date::timestamp at time zone 'UTC', $4::timestamptz, hash
  from hashed
  where deployment_id is not null
), spent_regular as (
  update wallets w set regular_micros = w.regular_micros - coalesce(h.from_regular, 0)::bigint, ledger_hash = h.hash
  from hashed h
  where h.charge_id = 0 and w.user_id = h.user_id and w.user_id between $2 and $3
), metered as (
  update meters m set charged_through = $1::date from charged c
  where m.deployment_id = c.deployment_id and m.user_id between $2 and $3 and not m.reckoned
)
select (select count(*)::int from charged) as charged,
       (select coalesce(array_agg(distinct user_id order by user_id), '{}')
        from judged where deployment_id is not null and not payable) as others
