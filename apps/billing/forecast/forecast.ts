import { type Instant, LOW_BALANCE_DAYS, PRICE_LIST } from '@moorage/domain';
import type { Ledger } from '@moorage/ledger';
import type { Clock, Db, Log } from '@moorage/server';
import { lastUserId } from '../settling/sweep';

export interface Forecast {
  /** Warns every account whose money ends in 7, 3 or 1 days, and re-arms those that are past it again. */
  warnLow(options?: { at?: Instant | undefined }): Promise<{ warned: number }>;
}

/** User ids looked at by one statement. */
const STRETCH = 5_000;
/** Only these can be near their end: what they have does not last for the longest warning and a day, whatever expires. */
const NEAR_NIGHTS = Math.max(...LOW_BALANCE_DAYS) + 1;

const CANDIDATES = `
select w.user_id
from wallets w
join (
  select m.user_id, sum(m.hourly_micros) * ${PRICE_LIST.hoursPerDay * NEAR_NIGHTS} as nights
  from meters m
  cross join lateral (
    select billable_from, billable_to from deployments where id = m.deployment_id limit 1
  ) d
  where m.user_id between $1 and $2 and not m.reckoned and d.billable_from is not null and d.billable_to is null
  group by m.user_id
) n on n.user_id = w.user_id
where w.user_id between $1 and $2 and (w.low_warned_days is not null or w.regular_micros < n.nights)
order by w.user_id`;

export function createForecast({
  db,
  clock,
  log,
  ledger,
}: {
  db: Db;
  clock: Clock;
  log: Log;
  ledger: Ledger;
}): Forecast {
  return {
    async warnLow({ at } = {}) {
      let warned = 0;
      const last = await lastUserId(db);
      for (let first = 1; first <= last; first += STRETCH) {
        const users = await db.tx('billing.look', async (tx) => {
          const rows = await tx.query<{ user_id: number }>(CANDIDATES, [first, first + STRETCH - 1]);
          return rows.map(({ user_id }) => user_id);
        });
        for (const userId of users) {
          try {
            const { sent } = await db.tx('billing.forecast', async (tx) =>
              ledger.warnIfLow(tx, { userId, at: at ?? (await clock.now(tx)) }),
            );
            if (sent !== null) warned += 1;
          } catch (error) {
            log.error('an account could not be forecast', { user_id: userId, error });
          }
        }
      }
      return { warned };
    },
  };
}
