import {
  type Account,
  accountWith,
  type Actor,
  availableMoney,
  confirmedRate,
  dailyPrice,
  dayOf,
  deferredRate,
  DomainError,
  HOUR_MS,
  hourlyPrice,
  type Instant,
  iso,
  leastTopUp,
  type Message,
  Money,
  planRateChange,
  RATE_LIMIT_MESSAGES,
  rateChangeInstant,
  type RateChangePlan,
  refusalToRaise,
  refuse,
  rerateAccount,
  runwayOf,
  SECOND_MS,
  startOfHour,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { creatingDeployments, creatingHourly, rateFacts } from './account-facts';
import { type LoadedAccount, loadAccount } from './account-store';
import type { Postings } from './postings';
import type {
  ConfirmedSize,
  CreditOnlyLimit,
  LevelChange,
  RateChange,
  RateEffect,
  RateQuote,
  SizeChange,
} from './types';

/** Quotes and applies other prices of deployments, after a change of the support level or the size. */
export class RateChanges {
  constructor(
    private readonly postings: Postings,
    private readonly actor: Actor,
    private readonly limit: CreditOnlyLimit,
  ) {}

  async quoteRate(tx: Tx, requested: RateChange): Promise<RateEffect> {
    const { loaded, change } = await this.loadForRate(tx, requested);
    // Settled in memory only, because a quote changes nothing.
    const account = this.postings.settledInMemory(loaded.account, change.at);
    const { plan, isRaise } = await this.planRate(tx, { ...loaded, account }, change);
    const coming = await creatingDeployments(tx, change.userId);
    const endOf = (one: Account): Instant | null =>
      runwayOf(accountWith(one, { add: Money.ZERO, orders: coming }, change.at), change.at).endsAt;
    const isPaid = !isRaise || !plan.available.isLessThan(plan.needed);
    const add = isPaid ? Money.ZERO : leastTopUp(plan.needed.minus(plan.available));
    const paid = accountWith(account, { add, orders: [] }, change.at);
    // What the account owes is paid first, so the top-up may still not be enough.
    const isEnough = isPaid || availableMoney(paid, change.at).isAtLeast(plan.needed);
    const then = isEnough ? endOf(rerateAccount(paid, { ...change, rate: plan.rate }).after) : null;
    return { ...quoteOf(plan), runsUntil: { now: endOf(account), then } };
  }

  async changeLevel(tx: Tx, requested: LevelChange): Promise<RateQuote & { readonly at: Instant }> {
    const { loaded, change } = await this.loadForRate(tx, requested);
    const { at, deploymentId, supportLevel } = change;
    const { now } = await this.postings.settleLoaded(tx, loaded, at);
    const { plan, isRaise } = await this.planRate(tx, now, change);
    this.refuseUnpaid(now, plan, isRaise);
    await tx.execute(
      `with rate as (
         insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros, actor, actor_user_id, reason, written_at)
         values ($1, $2, $3, $4, $5, $6, 'level changed', $2))
       update meters set hourly_micros = $4, rate_from = $2 where deployment_id = $1`,
      [deploymentId, iso(at), supportLevel, plan.rate.hourly.micros, this.actor, change.actorUserId ?? change.userId],
    );
    await this.postings.post(tx, now, rerateAccount(now.account, { deploymentId, rate: plan.rate }), {
      at,
      cause: change.cause,
    });
    return { ...quoteOf(plan), at };
  }

  async admitSize(tx: Tx, requested: SizeChange): Promise<RateQuote> {
    const { loaded, change } = await this.loadForRate(tx, requested);
    const { now } = await this.postings.settleLoaded(tx, loaded, change.at);
    await refuseSecondSize(tx, requested);
    const { plan, isRaise } = await this.planRate(tx, now, change);
    this.refuseUnpaid(now, plan, isRaise);
    return quoteOf(plan);
  }

  async changeSize(
    tx: Tx,
    { userId, deploymentId, changeId, baseHourly, confirmedAt, at, actorUserId }: ConfirmedSize,
  ): Promise<{ readonly from: Instant | null }> {
    const correcting = { deploymentId, from: dayOf(confirmedAt) };
    const { now } = await this.postings.settleLoaded(tx, await loadAccount(tx, userId, { correcting }), at);
    const [written] = await tx.query('select 1 from deployment_rates where change_id = $1', [changeId]);
    if (written !== undefined) return { from: null };
    const { baseHourly: before, supportLevel } = await rateFacts(tx, { userId, deploymentId });
    const hourly = hourlyPrice({ baseHourly, supportLevel });
    const rate = confirmedRate(now.account, { deploymentId, hourly, confirmedAt, at });
    if (rate === null) return { from: null };
    await tx.execute(
      `with rate as (
         insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros, actor, actor_user_id,
           reason, written_at, change_id, base_hourly_micros, base_before_micros)
         values ($1, $2, $3, $4, $5, $6, 'resized', $7, $8, $9, $10)
       ), size as (
         update deployments set instance_hourly_micros = $9, updated_at = $7, version = version + 1 where id = $1
       )
       update meters set hourly_micros = $4, rate_from = $2, base_hourly_micros = $9 where deployment_id = $1`,
      [
        deploymentId,
        iso(rate.from),
        supportLevel,
        hourly.micros,
        this.actor,
        actorUserId,
        iso(at),
        changeId,
        baseHourly.micros,
        before.micros,
      ],
    );
    await this.postings.post(tx, now, rerateAccount(now.account, { deploymentId, rate, resized: true }), { at });
    return { from: rate.from };
  }

  /**
   * Loads the account of a price change. The change takes effect when its price begins.
   *
   * @throws DomainError RATE_LIMITED (429) while another price is written for a later midnight
   */
  private async loadForRate<T extends RateChange>(tx: Tx, requested: T): Promise<{ loaded: LoadedAccount; change: T }> {
    const { userId, deploymentId } = requested;
    const loaded = await loadAccount(tx, userId, { correcting: { deploymentId, from: dayOf(requested.at) } });
    const deferred = deferredRate(loaded.account, requested);
    if (deferred !== null) throw tooEarly(RATE_LIMIT_MESSAGES.price_deferred, { until: deferred, at: requested.at });
    return { loaded, change: { ...requested, at: rateChangeInstant(loaded.account, requested) } };
  }

  /** Plans a price change of a settled account. The component that does not change keeps its price. */
  private async planRate(
    tx: Tx,
    loaded: LoadedAccount,
    change: RateChange,
  ): Promise<{ plan: RateChangePlan; isRaise: boolean }> {
    const now = await rateFacts(tx, change);
    const { supportLevel = now.supportLevel, baseHourly = now.baseHourly } = change;
    const plan = planRateChange(loaded.account, {
      deploymentId: change.deploymentId,
      hourly: hourlyPrice({ baseHourly, supportLevel }),
      at: change.at,
      creatingHourly: await creatingHourly(tx, change.userId),
    });
    return { plan, isRaise: now.supportLevel < supportLevel || now.baseHourly.isLessThan(baseHourly) };
  }

  /** Refuses a price that the settled account cannot pay. */
  private refuseUnpaid({ account, firstPaidAt }: LoadedAccount, plan: RateChangePlan, isRaise: boolean): void {
    const payer = { owed: account.owed, everPaid: firstPaidAt !== null };
    const refusal = refusalToRaise(plan, payer, { isRaise }, this.limit);
    if (refusal !== null) throw refuse(refusal);
  }
}

/** Returns the refusal of a request that is possible again at `until`. */
function tooEarly(message: Message, { until, at }: { until: Instant; at: Instant }): DomainError {
  return new DomainError('RATE_LIMITED', message, { retry_after_s: Math.ceil((until - at) / SECOND_MS) });
}

/** Refuses another size in the clock hour in which the price of one began. */
async function refuseSecondSize(tx: Tx, { deploymentId, at }: Pick<RateChange, 'deploymentId' | 'at'>): Promise<void> {
  const hour = startOfHour(at);
  const [row] = await tx.query(
    `select 1 from deployment_rates where deployment_id = $1 and reason = 'resized' and effective_from >= $2`,
    [deploymentId, iso(hour)],
  );
  if (row !== undefined) throw tooEarly(RATE_LIMIT_MESSAGES.size_hourly, { until: hour + HOUR_MS, at });
}

function quoteOf({ rate, today, needed, available }: RateChangePlan): RateQuote {
  return { today, needed, available, hourly: rate.hourly, daily: dailyPrice(rate.hourly) };
}
