import { Alerts, isInstalledBefore } from '@moorage/database';
import { type AlertKind, type Day, dayOf, HOUR_MS, type Instant, iso, MINUTE_MS, startOfDay } from '@moorage/domain';
import { BREACH_ROWS_MAX, findBreaches, type Invariant } from '@moorage/ledger';
import { Clock, Db, type SqlValue, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BillingOptions } from '../billing-options';

export const WATCH_CHECK = 'watch';
export const AUDIT_CHECK = 'audit';
export const PROOF_CHECK = 'proof';
type DailyCheck = typeof AUDIT_CHECK | typeof PROOF_CHECK;

/** Checks that must complete every night, and the alert for each that did not. */
const DAILY: Readonly<Record<DailyCheck, AlertKind>> = {
  [AUDIT_CHECK]: 'audit_late',
  [PROOF_CHECK]: 'proof_late',
};

/** Invariants that must hold while the product runs, and the alert for each. */
const WATCHED: Readonly<Record<string, AlertKind>> = {
  I3d: 'grace_period_overdue',
  I10: 'event_unsent',
  I10b: 'delivery_unhandled',
  I10c: 'delivery_parked',
  I10d: 'event_missing',
  I14: 'deployment_stuck',
};

/** Age up to which the missing deliveries of a sent event are searched for. Keeps the cost of each check constant. */
const MISSING_SINCE_MS = HOUR_MS;
const RUN_LATE_MS = 30 * MINUTE_MS;
/** Longer than two attempts, so that a single failure raises no alert. */
const UNSETTLED_MS = 10 * MINUTE_MS;
const WORK_OVERDUE_MS = 10 * MINUTE_MS;
/** A nightly check is repeated after 26 hours, and is late if that has not helped within two more. */
const CHECK_DUE_MS = 26 * HOUR_MS;
const CATCH_UP_MS = 2 * HOUR_MS;
const CHECK_LATE_MS = CHECK_DUE_MS + CATCH_UP_MS;
const SHOWN = 5;

/** A type instead of an interface because it is passed on as an alert's facts. */
type Found = {
  readonly count: number;
  /** There may be more than were counted. */
  readonly at_least?: boolean;
  readonly first: readonly { readonly [column: string]: string | number | boolean | null }[];
};

const DAILY_CHECKS = Object.keys(DAILY) as DailyCheck[];

/** Finds what is stuck, parked, unsent or late, and opens and resolves the corresponding alerts. */
@Injectable()
export class Watch {
  /** Start of the process. After an outage, the first check runs before the work that would end the lateness. */
  private readonly startedAt: Instant;
  private readonly watched: readonly Invariant[];

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly alerts: Alerts,
    { invariants }: BillingOptions,
  ) {
    this.startedAt = clock.localNow();
    this.watched = invariants.filter(({ id }) => WATCHED[id] !== undefined);
  }

  /** Runs the scheduled check and records the run, so that other processes notice when it stops. */
  async run(): Promise<void> {
    await this.check();
    await this.db.tx('billing.watched', (tx) => this.alerts.checked(tx, WATCH_CHECK));
  }

  /** Returns whether this nightly check has not completed for a day. */
  isDue(check: DailyCheck): Promise<boolean> {
    return this.db.tx('billing.watch', async (tx) => {
      const ran = await this.alerts.lastRun(tx, check);
      return ran === null || ran < (await this.clock.now(tx)) - CHECK_DUE_MS;
    });
  }

  /** Reads in a single snapshot and reports in a separate transaction, so that neither waits for the other. */
  async check(): Promise<void> {
    const found = await this.db.tx('billing.watch', async (tx) => {
      await tx.execute('set transaction isolation level repeatable read, read only');
      const now = await this.clock.now(tx);
      const breaches = await findBreaches(
        (sql: string, params: readonly SqlValue[]): Promise<object[]> => tx.query(sql, params),
        this.watched,
        { now, since: now - MISSING_SINCE_MS, moment: 'quiet' },
      );
      return {
        breaches: new Map(breaches.map(({ id, rows }) => [WATCHED[id], rows])),
        unsettled: await unsettled(tx, now),
        overdue: await overdueWork(tx, now),
        lateRun: await lateRun(tx, now),
        late: await keep(DAILY_CHECKS, (check) => this.ranLongAgo(tx, check, now - CHECK_LATE_MS)),
      };
    });
    await this.db.tx('billing.watched', async (tx) => {
      for (const { id } of this.watched) {
        const kind = WATCHED[id];
        if (kind === undefined) continue;
        const rows = found.breaches.get(kind);
        await this.alerts.report(tx, kind, rows === undefined ? [] : [{ facts: shown(rows) }]);
      }
      await this.alerts.report(
        tx,
        'account_unsettled',
        found.unsettled.count === 0 ? [] : [{ facts: found.unsettled }],
      );
      await this.alerts.report(
        tx,
        'work_overdue',
        found.overdue.map(({ kind, count, oldest }) => ({ subject: kind, facts: { count, oldest: iso(oldest) } })),
      );
      await this.alerts.report(tx, 'daily_run_late', found.lateRun === null ? [] : [{ facts: { day: found.lateRun } }]);
      for (const check of DAILY_CHECKS) {
        if (!found.late.includes(check)) await this.alerts.report(tx, DAILY[check], []);
        else if (this.clock.localNow() - this.startedAt >= CATCH_UP_MS)
          await this.alerts.report(tx, DAILY[check], [{}]);
      }
    });
  }

  /** Returns whether a check last ran before `before`, or never. A newer installation counts as not late. */
  private async ranLongAgo(tx: Tx, check: string, before: Instant): Promise<boolean> {
    const ran = await this.alerts.lastRun(tx, check);
    if (ran !== null) return ran < before;
    return isInstalledBefore(tx, before);
  }
}

async function keep<T>(list: readonly T[], condition: (one: T) => Promise<boolean>): Promise<T[]> {
  const stored: T[] = [];
  for (const one of list) if (await condition(one)) stored.push(one);
  return stored;
}

/** Summarizes the offending rows for an alert. */
export function shown(rows: readonly object[]): Found {
  const first = rows.slice(0, SHOWN).map((row) => ({ ...row }));
  return { count: rows.length, ...(rows.length >= BREACH_ROWS_MAX ? { at_least: true } : {}), first };
}

async function unsettled(tx: Tx, now: Instant): Promise<Found> {
  const before = iso(now - UNSETTLED_MS);
  const [row] = await tx.query<{ count: number }>(
    'select count(*)::int as count from billing_failures where first_failed_at < $1',
    [before],
  );
  const first = await tx.query<{ user_id: number; day: Day; code: string; tries: number }>(
    'select user_id, day, code, tries from billing_failures where first_failed_at < $1 order by first_failed_at limit $2',
    [before, SHOWN],
  );
  return { count: row?.count ?? 0, first: first.map((failure) => ({ ...failure })) };
}

/** Queries each kind separately, because the index begins with it and most work is due in the future. */
function overdueWork(tx: Tx, now: Instant): Promise<{ kind: string; count: number; oldest: Instant }[]> {
  return tx.query(
    `with recursive kinds as (
       (select kind from work order by kind limit 1)
       union all
       select (select w.kind from work w where w.kind > k.kind order by w.kind limit 1) from kinds k where k.kind is not null
     )
     select k.kind, count(*)::int as count, min(w.due_at) as oldest
     from kinds k
     join work w on w.kind = k.kind and w.due_at < $1 and (w.leased_until is null or w.leased_until < $1)
     group by k.kind`,
    [iso(now - WORK_OVERDUE_MS)],
  );
}

/** Returns today if its run has not tried every account by half an hour after midnight. */
async function lateRun(tx: Tx, now: Instant): Promise<Day | null> {
  const today = dayOf(now);
  if (now < startOfDay(today) + RUN_LATE_MS) return null;
  if (!(await isInstalledBefore(tx, now - RUN_LATE_MS))) return null;
  const [run] = await tx.query('select 1 from billing_runs where day = $1 and passed_at is not null', [today]);
  return run === undefined ? today : null;
}
