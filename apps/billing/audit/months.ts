import { DAY_MS, type Instant, iso } from '@moorage/domain';
import type { Db, Reads, Tx } from '@moorage/server';
import { createHash } from 'node:crypto';

/** Month such as `2026-11`. */
export type Month = string;

/** Postings of a month. Verified when all invariants held, and never changed again. */
export interface ClosedMonth {
  readonly month: Month;
  readonly afterId: number;
  readonly throughId: number;
  readonly content: MonthContent;
}

/** Summary of a month's postings. Any other row changes the digest. */
export interface MonthContent {
  readonly transactions: number;
  readonly lines: number;
  readonly ledger_accounts: Readonly<Record<string, string>>;
  readonly digest: string;
}

/** Number of IDs per statement. */
const BLOCK = 20_000;
/** Delay before a month is closed, so that everything of its last day can be posted. */
const CLOSED_AFTER_MS = DAY_MS;

export const endOf = (month: Month): Instant => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number, 1);
};
const monthOf = (at: Instant): Month => iso(at).slice(0, 7);
const nextMonth = (month: Month): Month => monthOf(endOf(month));

/** Returns the closed months in order. */
export async function readMonths(tx: Reads): Promise<ClosedMonth[]> {
  const rows = await tx.query<{
    month: string;
    after_id: string;
    through_id: string;
    transactions: string;
    lines: string;
    ledger_accounts: Record<string, string>;
    digest: string;
  }>(
    `select to_char(month, 'YYYY-MM') as month, after_id, through_id, transactions, lines, ledger_accounts, encode(digest, 'hex') as digest
     from audit_months order by month`,
  );
  return rows.map(({ month, after_id, through_id, transactions, lines, ledger_accounts, digest }) => ({
    month,
    afterId: Number(after_id),
    throughId: Number(through_id),
    content: { transactions: Number(transactions), lines: Number(lines), ledger_accounts, digest },
  }));
}

/** Returns the months that ended long enough ago and are not recorded, with the last ID posted in each. */
export async function monthsToClose(
  tx: Reads,
  { months, settledId, now }: { months: readonly ClosedMonth[]; settledId: number; now: Instant },
): Promise<{ month: Month; afterId: number; throughId: number }[]> {
  let afterId = months.at(-1)?.throughId ?? 0;
  const found = [];
  for (let month = await firstOpen(tx, months); month !== null;) {
    const end = endOf(month);
    if (end + CLOSED_AFTER_MS > now) break;
    const [row] = await tx.query<{ last: string }>(LAST_OF_MONTH, [afterId, iso(end), settledId]);
    const throughId = Number(row?.last ?? afterId);
    found.push({ month, afterId, throughId });
    afterId = throughId;
    month = nextMonth(month);
  }
  return found;
}

/** Returns whether a month can be closed by the calendar. */
export async function isMonthDue(tx: Reads, months: readonly ClosedMonth[], now: Instant): Promise<boolean> {
  const month = await firstOpen(tx, months);
  return month !== null && endOf(month) + CLOSED_AFTER_MS <= now;
}

/**
 * Returns whether everything of the month is settled. While an account cannot be settled or a daily run has not
 * finished, the month stays open and is verified every night. Otherwise unsettled charges would count as settled.
 */
export async function isSettledThrough(tx: Reads, month: Month): Promise<boolean> {
  const [open] = await tx.query(
    `select 1 from billing_failures where day <= $1
     union all select 1 from billing_runs where day <= $1 and finished_at is null limit 1`,
    [iso(endOf(month)).slice(0, 10)],
  );
  return open === undefined;
}

/** Returns the month after the recorded ones, or that of the first posting. */
async function firstOpen(tx: Reads, months: readonly ClosedMonth[]): Promise<Month | null> {
  const newest = months.at(-1);
  if (newest !== undefined) return nextMonth(newest.month);
  const [row] = await tx.query<{ posted_at: Instant }>('select posted_at from ledger_transactions order by id limit 1');
  return row === undefined ? null : monthOf(row.posted_at);
}

/** IDs increase as postings are created, but not strictly. A month ends with the last posting before its end. */
const LAST_OF_MONTH = `
select id as last from ledger_transactions
where id > $1 and id <= $3 and posted_at < $2 order by id desc limit 1`;

/** Summarizes a range of IDs block by block. Each statement is short, and the rows never change. */
export async function readContent(db: Db, range: { afterId: number; throughId: number }): Promise<MonthContent> {
  const digest = createHash('sha256');
  const totals = new Map<string, bigint>();
  let transactions = 0;
  let lines = 0;
  for (let after = range.afterId; after < range.throughId; after += BLOCK) {
    const through = Math.min(after + BLOCK, range.throughId);
    const [block, sums] = await db.read('billing.audit', async (tx) => [
      (await tx.query<{ transactions: number; lines: number; hash: string }>(BLOCK_HASH, [after, through]))[0],
      await tx.query<{ ledger_account: string; micros: string }>(BLOCK_SUMS, [after, through]),
    ]);
    if (block === undefined) throw new Error('aggregate query returned no row');
    transactions += block.transactions;
    lines += block.lines;
    digest.update(`${after} ${block.hash}\n`);
    for (const { ledger_account: name, micros } of sums) totals.set(name, (totals.get(name) ?? 0n) + BigInt(micros));
  }
  const sorted = [...totals].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    transactions,
    lines,
    ledger_accounts: Object.fromEntries(sorted.map(([name, micros]) => [name, micros.toString()])),
    digest: digest.digest('hex'),
  };
}

const BLOCK_HASH = `
select count(*) filter (where line_no = 0)::int as transactions, count(*) filter (where line_no > 0)::int as lines,
  encode(sha256(coalesce(string_agg(int8send(id) || content, ''::bytea order by id, line_no), ''::bytea)), 'hex') as hash
from (
  select id, 0 as line_no, transaction_content(id, user_id, type, amount_micros, description, deployment_id, charged_on,
    credit_id, due_at, posted_at, corrects_id, cause, actor_user_id) || coalesce(hash, ''::bytea) as content
  from ledger_transactions where id > $1 and id <= $2
  union all
  select transaction_id, line_no, line_content(line_no, ledger_account, credit_id, amount_micros)
  from ledger_lines where transaction_id > $1 and transaction_id <= $2
) rows`;

const BLOCK_SUMS = `
select ledger_account, sum(amount_micros)::text as micros from ledger_lines
where transaction_id > $1 and transaction_id <= $2 group by ledger_account`;

/**
 * Records months and every account's totals at the end of the last month, in the transaction that has just verified
 * them.
 */
export async function closeMonths(tx: Tx, months: readonly ClosedMonth[], at: Instant): Promise<void> {
  const [first, last] = [months.at(0), months.at(-1)];
  if (first === undefined || last === undefined) return;
  for (const { month, afterId, throughId, content } of months)
    await tx.execute(
      `insert into audit_months (month, after_id, through_id, transactions, lines, ledger_accounts, digest, closed_at)
       values ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8)
       -- In a snapshot, a process that loses the race gets a serialization failure and is retried.
       on conflict (month) do nothing`,
      [
        `${month}-01`,
        afterId,
        throughId,
        content.transactions,
        content.lines,
        JSON.stringify(content.ledger_accounts),
        content.digest,
        iso(at),
      ],
    );
  if (last.throughId === first.afterId) return;
  for (const sql of CARRY_FORWARD) await tx.execute(sql, [first.afterId, last.throughId]);
  await tx.execute('delete from audit_accounts where through_id <> $1', [last.throughId]);
  await tx.execute('delete from audit_credits where through_id <> $1', [last.throughId]);
  await tx.execute('delete from audit_deployments where through_id <> $1', [last.throughId]);
}

const CARRY_FORWARD = [
  `insert into audit_accounts (through_id, user_id, regular_micros, owed_micros, amounts_micros)
   select $2::bigint, user_id, sum(regular), sum(owed), sum(amounts) from (
     select user_id, regular_micros as regular, owed_micros as owed, amounts_micros as amounts
     from audit_accounts where through_id = $1
     union all
     select t.user_id, case l.ledger_account when 'regular' then l.amount_micros else 0 end,
       case l.ledger_account when 'owed' then l.amount_micros else 0 end, 0
     from ledger_lines l join ledger_transactions t on t.id = l.transaction_id
     where l.ledger_account in ('regular', 'owed') and l.transaction_id > $1 and l.transaction_id <= $2 and t.id > $1 and t.id <= $2
     union all
     select user_id, 0, 0, amount_micros from ledger_transactions where id > $1 and id <= $2
   ) moved group by user_id`,
  `insert into audit_credits (through_id, credit_id, remaining_micros, granted_micros)
   select $2::bigint, credit_id, sum(remaining), sum(granted) from (
     select credit_id, remaining_micros as remaining, granted_micros as granted from audit_credits where through_id = $1
     union all
     select l.credit_id, l.amount_micros, case when t.type in ('credit_granted', 'credit_adjusted') then l.amount_micros else 0 end
     from ledger_lines l join ledger_transactions t on t.id = l.transaction_id
     where l.ledger_account = 'credit' and l.transaction_id > $1 and l.transaction_id <= $2 and t.id > $1 and t.id <= $2
   ) moved group by credit_id`,
  `insert into audit_deployments (through_id, deployment_id, charges, charged_through)
   select $2::bigint, deployment_id, sum(charges), max(charged_on) from (
     select deployment_id, charges, charged_through as charged_on from audit_deployments where through_id = $1
     union all
     select deployment_id, 1, charged_on from ledger_transactions where type = 'charge' and id > $1 and id <= $2
   ) charged group by deployment_id`,
];

/** Compares the accounts' totals at the end of the newest closed month with the sum of all closed months. */
export async function differenceOfTotals(
  tx: Reads,
  months: readonly ClosedMonth[],
): Promise<Record<string, string> | null> {
  const throughId = months.at(-1)?.throughId;
  if (throughId === undefined) return null;
  const totalOf = (name: string): bigint =>
    months.reduce((sum, { content }) => sum + BigInt(content.ledger_accounts[name] ?? '0'), 0n);
  const [row] = await tx.query<{ regular: string; owed: string; credits: string; amounts: string }>(TOTALS, [
    throughId,
  ]);
  const found = { regular: row?.regular, owed: row?.owed, credit: row?.credits };
  for (const ledger_account of ['regular', 'owed', 'credit'] as const)
    if (BigInt(found[ledger_account] ?? '0') !== totalOf(ledger_account))
      return {
        ledger_account,
        accounts_micros: found[ledger_account] ?? '0',
        months_micros: totalOf(ledger_account).toString(),
      };
  const amounts = totalOf('regular') + totalOf('credit');
  if (BigInt(row?.amounts ?? '0') !== amounts)
    return { ledger_account: 'amounts', accounts_micros: row?.amounts ?? '0', months_micros: amounts.toString() };
  return null;
}

const TOTALS = `
select
  (select coalesce(sum(regular_micros), 0)::text from audit_accounts where through_id = $1) as regular,
  (select coalesce(sum(owed_micros), 0)::text from audit_accounts where through_id = $1) as owed,
  (select coalesce(sum(amounts_micros), 0)::text from audit_accounts where through_id = $1) as amounts,
  (select coalesce(sum(remaining_micros), 0)::text from audit_credits where through_id = $1) as credits`;
