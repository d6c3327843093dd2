import {
  addDays,
  CONSTANTS,
  type CreditType,
  type Day,
  type Instant,
  iso,
  Money,
  ownMessage,
  startOfDay,
  type SupportLevel,
  TRANSACTION_GROUPS,
  type TransactionType,
} from '@moorage/domain';
import type { Reads } from '@moorage/server';
import { pagesOfDays } from './pages-of-days';
import type { TransactionDay, TransactionFacts, TransactionPage } from './types';

interface TransactionRow {
  readonly id: string;
  readonly day: Day;
  readonly type: TransactionType;
  readonly description: string;
  readonly amount_micros: string;
  readonly due_at: Instant;
  readonly deployment_id: number | null;
  readonly user_id: number;
  readonly client_name: string | null;
  readonly credit_type: CreditType | null;
  readonly hourly_micros: string | null;
  readonly lapsed_micros: string | null;
  readonly reopened: boolean;
  readonly restored: boolean;
  readonly level: SupportLevel | null;
  readonly level_before: SupportLevel | null;
}

/** Condition for a row `t` that charges the rest of a day after its deployment returned for this reason. */
function returnedBy(reason: 'server found again' | 'delete undone'): string {
  return `t.type = 'rerate' and exists (
    select 1 from interval_changes i where i.deployment_id = t.deployment_id and i.reason = '${reason}'
      and i.written_at = t.posted_at)`;
}

/** Facts about a row `t`, from its columns and the rows they reference. */
const FACTS = `d.client_name, c.credit_type,
  case when t.type = 'charge' then (
    select r.hourly_micros from deployment_rates r where r.deployment_id = t.deployment_id and r.effective_from <= t.due_at
    order by r.effective_from desc, r.id desc limit 1) end as hourly_micros,
  case when t.type = 'refund' then (
    select sum(l.amount_micros) from ledger_lines l where l.transaction_id = t.id and l.ledger_account = 'lapsed') end as lapsed_micros,
  ${returnedBy('server found again')} as reopened, ${returnedBy('delete undone')} as restored, l.level, l.level_before`;
const FACT_TABLES = `left join deployments d on d.id = t.deployment_id left join credits c on c.id = t.credit_id
  left join lateral (
    select r.support_level as level, (
      select b.support_level from deployment_rates b
      where b.deployment_id = r.deployment_id and (b.effective_from, b.id) < (r.effective_from, r.id)
      order by b.effective_from desc, b.id desc limit 1) as level_before
    from deployment_rates r
    where t.type = 'rerate' and r.deployment_id = t.deployment_id and r.written_at = t.posted_at
      and r.reason = 'level changed'
    order by r.id desc limit 1
  ) l on true`;

const DAY_OF = `(due_at at time zone 'UTC')::date`;

/**
 * Returns a page of at most `daysPerPage` UTC days that have postings, newest first. The transactions of a day are also
 * newest first. A page ends after `CONSTANTS.transactionsPerPageMax` transactions, and the next continues the same day.
 */
export async function transactionPage(
  reads: Reads,
  { userId, page, daysPerPage, group }: TransactionPage,
): Promise<{ days: TransactionDay[]; totalPages: number }> {
  const types = group === undefined ? null : TRANSACTION_GROUPS[group];
  const rowsMax = CONSTANTS.transactionsPerPageMax;
  const counted = await reads.query<{ day: Day; count: number; sum_micros: string }>(
    `select ${DAY_OF} as day, count(*)::int as count, sum(amount_micros)::text as sum_micros from ledger_transactions
     where user_id = $1 and ($2::text[] is null or type = any ($2)) group by 1 order by 1 desc`,
    [userId, types],
  );
  const pages = pagesOfDays(counted, { daysPerPage, rowsMax });
  const shown = pages[page - 1];
  const totalPages = Math.max(1, pages.length);
  if (shown === undefined) return { days: [], totalPages };
  const rows = await reads.query<TransactionRow>(
    `select t.id, ${DAY_OF} as day, t.type, t.description, t.amount_micros, t.due_at, t.deployment_id, t.user_id, ${FACTS}
     from (
       select * from ledger_transactions
       where user_id = $1 and due_at >= $2 and due_at < $3 and ($4::text[] is null or type = any ($4))
       order by due_at desc, id desc limit $5 offset $6
     ) t ${FACT_TABLES} order by t.due_at desc, t.id desc`,
    [userId, ...spanOf(shown).map(iso), types, shown.rows, shown.offset],
  );
  const sums = new Map(counted.map(({ day, sum_micros }) => [day, Money.fromMicrosText(sum_micros)]));
  return { days: byDay(rows).map((day) => ({ ...day, sum: sums.get(day.date) })), totalPages };
}

/** Returns the start of the oldest day and the end of the newest. */
function spanOf({ oldest, newest }: { oldest: Day; newest: Day }): [Instant, Instant] {
  return [startOfDay(oldest), startOfDay(addDays(newest, 1))];
}

/**
 * Steps from each day with postings to the next older day. It does as many index lookups on due_at as there are days.
 */
const DAYS_OF_ALL = `
with recursive days as (
  (select ${DAY_OF} as day from ledger_transactions order by due_at desc limit 1)
  union all
  select (select ${DAY_OF} from ledger_transactions
          where due_at < days.day::timestamp at time zone 'UTC' order by due_at desc limit 1)
  from days where days.day is not null
)
select day from days where day is not null`;

/** Returns the days of a page across all accounts, with at most `limit` rows, newest first. */
export async function transactionPageOfAll(
  reads: Reads,
  { page, daysPerPage, limit }: { page: number; daysPerPage: number; limit: number },
): Promise<{ days: TransactionDay[]; totalPages: number; span: readonly [Instant, Instant] | null }> {
  const all = await reads.query<{ day: Day }>(DAYS_OF_ALL);
  const totalPages = Math.max(1, Math.ceil(all.length / daysPerPage));
  const shown = all.slice((page - 1) * daysPerPage, page * daysPerPage);
  const [newest, oldest] = [shown[0], shown.at(-1)];
  if (newest === undefined || oldest === undefined) return { days: [], totalPages, span: null };
  const span = spanOf({ oldest: oldest.day, newest: newest.day });
  const rows = await reads.query<TransactionRow>(
    `select t.id, ${DAY_OF} as day, t.type, t.description, t.amount_micros, t.due_at, t.deployment_id, t.user_id, ${FACTS}
     from (select * from ledger_transactions where due_at >= $1 and due_at < $2 order by due_at desc, id desc limit $3) t
     ${FACT_TABLES} order by t.due_at desc, t.id desc`,
    [...span.map(iso), limit],
  );
  return { days: byDay(rows), totalPages, span };
}

/** Groups rows by day, keeping their order (newest first). */
function byDay(rows: readonly TransactionRow[]): TransactionDay[] {
  const days: { date: Day; transactions: TransactionDay['transactions'][number][] }[] = [];
  for (const row of rows) {
    if (days.at(-1)?.date !== row.day) days.push({ date: row.day, transactions: [] });
    days.at(-1)?.transactions.push({
      id: Number(row.id),
      type: row.type,
      description: row.description,
      amount: Money.fromMicrosText(row.amount_micros),
      at: row.due_at,
      deploymentId: row.deployment_id,
      userId: row.user_id,
      facts: factsOf(row),
    });
  }
  return days;
}

function factsOf(row: TransactionRow): TransactionFacts {
  return {
    clientName: row.client_name,
    hours: hoursOf(row),
    creditType: row.credit_type,
    lapsed: Money.fromMicrosText(row.lapsed_micros ?? '0'),
    reopened: row.reopened,
    restored: row.restored,
    level: row.level === null || row.level_before === null ? null : { before: row.level_before, after: row.level },
    note: ownMessage(row.type, row.description),
  };
}

const HOURS_OF_A_DAY = 24n;

/** Returns the number of hours a charge covers if all of them cost the same, otherwise null. */
function hoursOf({ amount_micros, hourly_micros }: TransactionRow): number | null {
  const hourly = BigInt(hourly_micros ?? '0');
  const charged = -BigInt(amount_micros);
  if (hourly <= 0n || charged <= 0n || charged % hourly !== 0n) return null;
  const hours = charged / hourly;
  return hours <= HOURS_OF_A_DAY ? Number(hours) : null;
}
