import { Alerts } from '@moorage/database';
import { type Day, DAY_MS, dayOf, HOUR_MS, type Instant, iso, startOfDay } from '@moorage/domain';
import { type Breach, findBreaches, type Invariant } from '@moorage/ledger';
import { Clock, Db, Log, type Reads, type SqlValue, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BillingOptions } from '../billing-options';
import { settledId } from '../proof/seals';
import { AUDIT_CHECK, shown } from '../watch/watch.service';
import {
  type ClosedMonth,
  closeMonths,
  differenceOfTotals,
  endOf,
  isMonthDue,
  isSettledThrough,
  type Month,
  monthsToClose,
  readContent,
  readMonths,
} from './months';

export interface AuditResult {
  readonly breaches: readonly Breach[];
  readonly covered: Covered;
}

/** Coverage of an audit, stored in `audits`. A type instead of an interface because it is written as JSON. */
export type Covered = {
  /** Start of the postings that were read, or null for all. */
  readonly from: string | null;
  readonly to: string;
  /** Instant up to which everything due must be settled, or null if no daily run has ended yet. */
  readonly settled_to: string | null;
  /** Months before `from` that were taken from the record: first, last and number. */
  readonly from_record: { readonly first: Month; readonly last: Month; readonly months: number } | null;
  /** Month among them that was read again. */
  readonly verified_again: { readonly month: Month; readonly fits: boolean } | null;
  /** Months closed by this audit. The next audit starts after them. */
  readonly closed: readonly Month[];
  /** Reason why everything was read. */
  readonly whole: 'asked for' | 'no month is closed' | 'the guards are off' | 'the record does not fit' | null;
};

/** Breaches of the record itself, in addition to the invariants. */
const MONTH = { id: 'A1', title: 'A closed month has not changed since it was verified' } as const;
const TOTALS = {
  id: 'A2',
  title: 'The balances at the end of the newest closed month equal the sum of the closed months',
} as const;
/** Invariant that protects closed months from changes. */
const GUARDS = 'I15';

/** Age after which a daily run no longer counts as in progress. Accounts it has not charged will not be charged. */
const UNDER_WAY_MS = HOUR_MS;

/**
 * Nightly audit that verifies the ledger. Invariants that hold after every transaction are checked as of now. Those
 * that hold once everything due is settled are checked as of the latest midnight with a run that has tried every
 * account, because a new deployment is legitimately not charged yet. Accounts that could not be settled are recorded in
 * `billing_failures`, and the queries check only these as of an earlier midnight.
 *
 * Postings are append-only. Once nothing can be added to a month, what was verified stays true. An audit without a
 * breach therefore closes the months that have ended, and the next one starts after them (docs/adr/0020).
 */
@Injectable()
export class Audit {
  private readonly always: readonly Invariant[];
  private readonly settled: readonly Invariant[];
  private readonly guards: readonly Invariant[];

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly alerts: Alerts,
    { invariants }: BillingOptions,
  ) {
    const books = invariants.filter(({ reads }) => reads === 'books');
    this.always = books.filter(({ when }) => when === 'always');
    this.settled = books.filter(({ when }) => when === 'settled');
    this.guards = this.always.filter(({ id }) => id === GUARDS);
  }

  /** Verifies a closed month per night in rotation. A month that does not match is repeated until it does. */
  private async verifyAgain(
    months: readonly ClosedMonth[],
    now: Instant,
  ): Promise<{ again: NonNullable<Covered['verified_again']>; breaches: Breach[] } | null> {
    if (months.length === 0) return null;
    const last = await this.db.read('billing.audit', newestAudit);
    const failed = last?.covered.verified_again?.fits === false ? last.covered.verified_again.month : null;
    const chosen = months.find(({ month }) => month === failed) ?? months[Math.floor(now / DAY_MS) % months.length];
    if (chosen === undefined) return null;
    const found = await readContent(this.db, chosen);
    const fits = JSON.stringify(found) === JSON.stringify(ordered(chosen.content));
    const month = { month: chosen.month, recorded: ordered(chosen.content), found };
    // Another process may close a month in the meantime, and its totals replace the earlier totals.
    const totals = await this.db.tx('billing.audit', async (tx) => {
      await tx.execute('set transaction isolation level repeatable read');
      return differenceOfTotals(tx, await readMonths(tx));
    });
    return {
      again: { month: chosen.month, fits },
      breaches: [
        ...(fits ? [] : [{ ...MONTH, rows: [month] }]),
        ...(totals === null ? [] : [{ ...TOTALS, rows: [totals] }]),
      ],
    };
  }

  /** Returns months to close if all invariants hold. Their contents are read first, so that all of it is verified. */
  private async candidates(months: readonly ClosedMonth[], now: Instant): Promise<ClosedMonth[]> {
    if (!(await this.db.read('billing.audit', (tx) => isMonthDue(tx, months, now)))) return [];
    const through = await settledId(this.db, this.clock);
    if (through === null) return [];
    const due = await this.db.read('billing.audit', (tx) => monthsToClose(tx, { months, settledId: through, now }));
    const found: ClosedMonth[] = [];
    for (const one of due) found.push({ ...one, content: await readContent(this.db, one) });
    return found;
  }

  /**
   * Checks all ledger invariants over the postings since the newest closed month, starting from that month's totals,
   * and verifies a closed month again. `whole` checks everything. Breaches are logged and stored in `audit_findings`,
   * and their alerts stay open until an audit no longer finds them.
   */
  async run({ at, whole = false }: { at?: Instant | undefined; whole?: boolean } = {}): Promise<AuditResult> {
    const began = at ?? (await this.db.read('billing.audit', (tx) => this.clock.now(tx)));
    const before = await this.db.read('billing.audit', (tx) => readMonths(tx));
    const record = await this.verifyAgain(before, began);
    const candidatesToClose = await this.candidates(before, began);
    const { breaches, covered } = await this.db.tx('billing.audit', async (tx) => {
      // All queries share a snapshot, otherwise a posting between two of them would look like a breach.
      await tx.execute('set transaction isolation level repeatable read');
      const now = at ?? (await this.clock.now(tx));
      const query = (sql: string, params: readonly SqlValue[]): Promise<object[]> => tx.query(sql, params);
      // Another process may have closed some of them in the meantime.
      const months = await readMonths(tx);
      const toClose = candidatesToClose.filter(({ month }) => months.every((closed) => closed.month < month));
      const why = await this.whyWhole(tx, { whole, months, record, began });
      const after = why === null ? (months.at(-1)?.throughId ?? 0) : 0;
      const breaches = [
        ...(record?.breaches ?? []),
        ...(await findBreaches(query, this.always, { now, after, moment: 'always' })),
      ];
      const [run] = await tx.query<{ day: Day }>(
        `select day from billing_runs
           where day <= $1 and (passed_at is not null or started_at <= $2) order by day desc limit 1`,
        [dayOf(now), iso(now - UNDER_WAY_MS)],
      );
      if (run !== undefined) {
        const scope = { now: startOfDay(run.day), present: now, after, moment: 'settled' } as const;
        breaches.push(...(await findBreaches(query, this.settled, scope)));
      }
      for (const { id, title, rows } of breaches) {
        this.log.error('the ledger does not balance', { invariant: id, title, rows: rows.length });
        await tx.execute(NOTE_FINDINGS, [id, JSON.stringify(rows), iso(now)]);
      }
      const closed: ClosedMonth[] = [];
      if (breaches.length === 0 && run !== undefined)
        for (const one of toClose) {
          if (startOfDay(run.day) < endOf(one.month) || !(await isSettledThrough(tx, one.month))) break;
          closed.push(one);
        }
      await closeMonths(tx, closed, now);
      const known = why === null ? months : [];
      const [first, last] = [known.at(0), known.at(-1)];
      const covered: Covered = {
        from: last === undefined ? null : iso(endOf(last.month)),
        to: iso(now),
        settled_to: run === undefined ? null : iso(startOfDay(run.day)),
        from_record:
          first === undefined || last === undefined
            ? null
            : { first: first.month, last: last.month, months: known.length },
        verified_again: record?.again ?? null,
        closed: closed.map(({ month }) => month),
        whole: why,
      };
      await tx.execute('insert into audits (at, breaches, covered) values ($1, $2, $3)', [
        iso(now),
        breaches.length,
        JSON.stringify(covered),
      ]);
      return { breaches, covered };
    });
    this.log.info('ledger audited', {
      invariants: this.always.length + this.settled.length,
      breaches: breaches.length,
      covered: describeCovered(covered),
    });
    await this.db.tx('billing.audited', async (tx) => {
      const found = breaches.map(({ id, title, rows }) => ({ subject: id, facts: { title, ...shown(rows) } }));
      await this.alerts.report(tx, 'books_breached', found);
      await this.alerts.checked(tx, AUDIT_CHECK);
    });
    return { breaches, covered };
  }

  private async whyWhole(
    tx: Tx,
    requested: {
      whole: boolean;
      months: readonly ClosedMonth[];
      record: { breaches: readonly Breach[] } | null;
      began: Instant;
    },
  ): Promise<Covered['whole']> {
    if (requested.whole) return 'asked for';
    if (requested.months.length === 0) return 'no month is closed';
    if ((requested.record?.breaches.length ?? 0) > 0) return 'the record does not fit';
    const off = await findBreaches((sql, params) => tx.query(sql, params), this.guards, {
      now: requested.began,
      moment: 'always',
    });
    return off.length > 0 ? 'the guards are off' : null;
  }
}

/** Restores the order in which the content was written, because JSON in the database is unordered. */
function ordered({ transactions, lines, ledger_accounts, digest }: ClosedMonth['content']): ClosedMonth['content'] {
  const sorted = Object.entries(ledger_accounts).sort(([a], [b]) => (a < b ? -1 : 1));
  return { transactions, lines, ledger_accounts: Object.fromEntries(sorted), digest };
}

export async function newestAudit(tx: Reads): Promise<{ at: Instant; covered: Covered } | undefined> {
  const [row] = await tx.query<{ at: Instant; covered: Covered }>(
    'select at, covered from audits order by at desc, id desc limit 1',
  );
  return row;
}

/** Describes the coverage in a single line for operators. */
export function describeCovered({ from, from_record, verified_again, closed, whole, settled_to }: Covered): string {
  const parts = [from === null ? `every posting (${whole ?? 'no month is closed'})` : `every posting since ${from}`];
  if (settled_to !== null) parts.push(`everything due by ${settled_to}`);
  if (from_record !== null)
    parts.push(`${from_record.first} to ${from_record.last} from record (${from_record.months} months)`);
  if (verified_again !== null)
    parts.push(`${verified_again.month} verified again${verified_again.fits ? '' : ' and found changed'}`);
  if (closed.length > 0) parts.push(`closed ${closed.join(', ')}`);
  return parts.join('; ');
}

/** A finding that already exists is counted again instead of inserted. */
const NOTE_FINDINGS = `
with found as (
  select distinct row as facts from jsonb_array_elements($2::jsonb) row
), again as (
  update audit_findings a set times = a.times + 1, last_found_at = $3
  from found f
  where a.invariant = $1 and md5(a.facts::text) = md5(f.facts::text) and a.facts = f.facts
  returning f.facts
)
insert into audit_findings (invariant, facts, found_at, last_found_at)
select $1, facts, $3, $3 from found where facts not in (select facts from again)`;
