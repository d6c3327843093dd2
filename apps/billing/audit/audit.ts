import { type Alerts, type Breach, findBreaches, type Invariant } from '@moorage/database';
import { type Day, dayOf, HOUR_MS, type Instant, iso, startOfDay } from '@moorage/domain';
import type { Clock, Db, Log, SqlValue } from '@moorage/server';
import { AUDIT_CHECK, shown } from '../watch/watch';

export interface Audit {
  /** Runs every invariant of the books; breaches are logged, kept in `audit_findings`, and alerts until an audit finds them no more. */
  audit(options?: { at?: Instant | undefined }): Promise<readonly Breach[]>;
}

/** A run of this age is no longer under way: whom it has not charged, nobody charges. */
const UNDER_WAY_MS = HOUR_MS;

/**
 * The nightly proof that the books are right. What holds after every transaction is asked of now; what holds once
 * everything due is settled is asked of the last midnight whose run has tried every account (a deployment that has just
 * begun is not charged yet by right). Accounts that could not be settled are recorded, and only they are asked of an
 * earlier midnight: the queries themselves look at `billing_failures`.
 */
export function createAudit({
  db,
  clock,
  log,
  alerts,
  invariants,
}: {
  db: Db;
  clock: Clock;
  log: Log;
  alerts: Alerts;
  invariants: readonly Invariant[];
}): Audit {
  const books = invariants.filter(({ reads }) => reads === 'books');
  const always = books.filter(({ when }) => when === 'always');
  const settled = books.filter(({ when }) => when === 'settled');
  return {
    async audit({ at } = {}) {
      const breaches = await db.tx('billing.audit', async (tx) => {
        // one snapshot for all queries: a posting between two of them would look like a breach
        await tx.execute('set transaction isolation level repeatable read');
        const now = at ?? (await clock.now(tx));
        const query = (sql: string, params: readonly SqlValue[]): Promise<object[]> => tx.query(sql, params);
        const breaches = await findBreaches(query, always, { now, moment: 'always' });
        const [run] = await tx.query<{ day: Day }>(
          `select day from billing_runs
           where day <= $1 and (passed_at is not null or started_at <= $2) order by day desc limit 1`,
          [dayOf(now), iso(now - UNDER_WAY_MS)],
        );
        if (run !== undefined) {
          const look = { now: startOfDay(run.day), present: now, moment: 'settled' } as const;
          breaches.push(...(await findBreaches(query, settled, look)));
        }
        for (const { id, title, rows } of breaches) {
          log.error('the books do not balance', { invariant: id, title, rows: rows.length });
          await tx.execute(NOTE_FINDINGS, [id, JSON.stringify(rows), iso(now)]);
        }
        log.info('books audited', { invariants: always.length + settled.length, breaches: breaches.length });
        return breaches;
      });
      await db.tx('billing.audited', async (tx) => {
        const found = breaches.map(({ id, title, rows }) => ({ subject: id, facts: { title, ...shown(rows) } }));
        await alerts.report(tx, 'books_breached', found);
        await alerts.checked(tx, AUDIT_CHECK);
      });
      return breaches;
    },
  };
}

/** What was found before is the same finding, found once more. */
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
