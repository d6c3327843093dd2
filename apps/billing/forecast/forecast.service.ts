import { type Instant, LOW_BALANCE_DAYS, PRICE_LIST } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db, Log } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { lastUserId } from '../settling/settlement-sweep.service';

/** Number of user IDs per statement. */
const STRETCH = 5_000;
/**
 * Number of daily charges below which an account is a candidate: the longest warning plus a day. Compared with the
 * regular balance only, because credits may expire.
 */
const NEAR_DAYS = Math.max(...LOW_BALANCE_DAYS) + 1;

const CANDIDATES = `
select w.user_id
from wallets w
join (
  select m.user_id, sum(m.hourly_micros) * ${PRICE_LIST.hoursPerDay * NEAR_DAYS} as charge
  from meters m
  cross join lateral (
    select billable_from, billable_to from deployments where id = m.deployment_id limit 1
  ) d
  where m.user_id between $1 and $2 and not m.reckoned and d.billable_from is not null and d.billable_to is null
  group by m.user_id
) n on n.user_id = w.user_id
where w.user_id between $1 and $2 and (w.low_warned_days is not null or w.regular_micros < n.charge)
order by w.user_id`;

@Injectable()
export class Forecast {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly ledger: Ledger,
  ) {}

  /**
   * Warns every account that has a balance for only 7, 3 or 1 days, and re-arms the warning once the balance lasts
   * longer.
   */
  async warnLow({ at }: { at?: Instant | undefined } = {}): Promise<{ warned: number }> {
    let warned = 0;
    const last = await lastUserId(this.db);
    for (let first = 1; first <= last; first += STRETCH) {
      const users = await this.db.tx('billing.read', async (tx) => {
        const rows = await tx.query<{ user_id: number }>(CANDIDATES, [first, first + STRETCH - 1]);
        return rows.map(({ user_id }) => user_id);
      });
      for (const userId of users) if (await this.warn(userId, at)) warned += 1;
    }
    return { warned };
  }

  private async warn(userId: number, at: Instant | undefined): Promise<boolean> {
    try {
      const { sent } = await this.db.tx('billing.forecast', async (tx) =>
        this.ledger.warnIfLow(tx, { userId, at: at ?? (await this.clock.now(tx)) }),
      );
      return sent !== null;
    } catch (error) {
      this.log.error('account could not be forecast', { user_id: userId, error });
      return false;
    }
  }
}
