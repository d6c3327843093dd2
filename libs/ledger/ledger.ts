import { event } from '@moorage/contracts';
import type { Deployments, Credit, Deployment } from '@moorage/database';
import {
  type Account,
  accountWith,
  type Actor,
  availableMoney,
  PROSPECTIVE_ID,
  balanceInfo,
  confirmedRate,
  countedEarlier,
  dailyPrice,
  dayOf,
  deferredRate,
  DomainError,
  type Entry,
  entryAmount,
  forecastOf,
  HOUR_MS,
  hourlyPrice,
  type Instant,
  iso,
  leastTopUp,
  lowBalanceWarning,
  MINUTE_MS,
  type Message,
  Money,
  type Movement,
  type MovementKind,
  ORDER_MESSAGES,
  planRateChange,
  planReopening,
  postAdjustment,
  postCreditAdjustment,
  postGrant,
  type Posting,
  postPayment,
  postMovement,
  PRICE_LIST,
  type Rate,
  RATE_LIMIT_MESSAGES,
  rateChangeInstant,
  type RateChangePlan,
  type Refusal,
  refusalToCreate,
  refusalToRaise,
  refuse,
  rerateAccount,
  runwayOf,
  SECOND_MS,
  topUpUntil,
  settleAccount,
  shareOfMovement,
  startOfDay,
  startOfHour,
  takesMoney,
} from '@moorage/domain';
import type { Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import { accountFacts, type Coming, creatingDeployments, creatingHourly, rateFacts } from './account-facts';
import { type LoadedAccount, loadAccount, lockWallet, readAccount } from './account-store';
import { creditView, listCredits } from './credits';
import { actOnSettlement, lowBalanceEvent } from './endings';
import { type Cause, saveAccount } from './save-account';
import { transactionPage, transactionPageOfAll } from './transactions';
import type { Ledger, MovementFacts, RateChange, RateEffect, RateQuote, Settled } from './types';

/**
 * Creates the only writer of money.
 *
 * @param options
 * - `actor`: service that moves depleted deployments, which is the service that runs this ledger
 * - `gracePeriodMinutes`: GRACE_PERIOD_MINUTES. With 0, a charge that is not covered ends the deployment immediately.
 * - `creditOnlyMaxHourly`: maximum total hourly price of an account that has never paid
 */
export function createLedger({
  deployments,
  outbox,
  actor,
  gracePeriodMinutes,
  creditOnlyMaxHourly = PRICE_LIST.creditOnlyMaxHourly,
}: {
  deployments: Deployments;
  outbox: Outbox;
  actor: Actor;
  gracePeriodMinutes: number;
  creditOnlyMaxHourly?: Money;
}): Ledger {
  const gracePeriodMs = gracePeriodMinutes * MINUTE_MS;

  /** Settles a loaded and locked account, and returns its new state. */
  async function settleLoaded(
    tx: Tx,
    loaded: LoadedAccount,
    at: Instant,
    cause: Cause = {},
  ): Promise<{ now: LoadedAccount; settled: Settled; entries: readonly Entry[] }> {
    const settlement = settleAccount(loaded.account, at, { gracePeriodMs });
    await saveAccount(tx, loaded, settlement, { at, ...cause });
    await actOnSettlement(tx, { deployments, outbox, actor }, { userId: loaded.userId, at, settlement });
    return {
      now: { ...loaded, account: settlement.after },
      entries: settlement.entries,
      settled: {
        posted: settlement.entries.length,
        charged: settlement.entries.filter(({ type }) => type === 'charge').length,
        depleted: settlement.depletions.map(({ deploymentId }) => deploymentId),
        held: settlement.gracePeriods.map(({ deploymentId }) => deploymentId),
      },
    };
  }

  /** Saves a posting, settles if a grace period is open (the posting may cover it), and publishes the new balance. */
  async function post(
    tx: Tx,
    loaded: LoadedAccount,
    posting: Posting,
    { at, ...cause }: Cause & { at: Instant },
  ): Promise<Account> {
    await saveAccount(tx, loaded, posting, { at, ...cause });
    let now: LoadedAccount = { ...loaded, account: posting.after };
    if (hasOpenGracePeriod(now.account)) now = (await settleLoaded(tx, now, at)).now;
    await publishBalance(tx, now);
    return now.account;
  }

  function publishBalance(tx: Tx, { userId, account }: LoadedAccount): Promise<void> {
    const data = { user_id: userId, regular_micros: account.regular.micros.toString() };
    return outbox.append(tx, event('balance.changed', userId, data));
  }

  /**
   * Loads the account of a price change. The change takes effect when its price begins.
   *
   * @throws DomainError RATE_LIMITED (429) while another price is written for a later midnight
   */
  async function loadForRate<T extends RateChange>(
    tx: Tx,
    requested: T,
  ): Promise<{ loaded: LoadedAccount; change: T }> {
    const { userId, deploymentId } = requested;
    const loaded = await loadAccount(tx, userId, { correcting: { deploymentId, from: dayOf(requested.at) } });
    const deferred = deferredRate(loaded.account, requested);
    if (deferred !== null) throw tooEarly(RATE_LIMIT_MESSAGES.price_deferred, { until: deferred, at: requested.at });
    return { loaded, change: { ...requested, at: rateChangeInstant(loaded.account, requested) } };
  }

  /** Plans a price change of a settled account. The component that does not change keeps its price. */
  async function planRate(
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
  function refuseUnpaid({ account, firstPaidAt }: LoadedAccount, plan: RateChangePlan, isRaise: boolean): void {
    const payer = { owed: account.owed, everPaid: firstPaidAt !== null };
    const refusal = refusalToRaise(plan, payer, { isRaise }, { creditOnlyMaxHourly });
    if (refusal !== null) throw refuse(refusal);
  }

  /**
   * Reads an account and its deployments that are being created, which cost nothing yet but soon will. These
   * deployments are read first. A deployment that starts running between the two reads is in both, and is counted once.
   */
  async function withComing(
    tx: Tx,
    userId: number,
    read: (tx: Tx, userId: number) => Promise<LoadedAccount>,
  ): Promise<{ loaded: LoadedAccount; coming: readonly Coming[] }> {
    const creating = await creatingDeployments(tx, userId);
    const loaded = await read(tx, userId);
    const metered = new Set(loaded.account.deployments.map(({ id }) => id));
    return { loaded, coming: creating.filter(({ id }) => !metered.has(id)) };
  }

  return {
    async openWallet(tx, { userId, at }) {
      await tx.execute('insert into wallets (user_id, created_at) values ($1, $2) on conflict (user_id) do nothing', [
        userId,
        iso(at),
      ]);
    },

    async lock(tx, userId) {
      await lockWallet(tx, userId);
    },

    async openMeter(tx, { userId, deploymentId, supportLevel, baseHourly, at, actorUserId }) {
      const hourly = hourlyPrice({ baseHourly, supportLevel });
      await tx.execute(
        `with rate as (
           insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros, actor, actor_user_id, reason, written_at)
           values ($1, $3, $4, $5, $7, $8, 'created', $3))
         insert into meters (deployment_id, user_id, base_hourly_micros, hourly_micros, rate_from) values ($1, $2, $6, $5, $3)`,
        [deploymentId, userId, iso(at), supportLevel, hourly.micros, baseHourly.micros, actor, actorUserId ?? userId],
      );
    },

    async settle(tx, { userId, at }) {
      const loaded = await loadAccount(tx, userId);
      return (await settleLoaded(tx, loaded, at)).settled;
    },

    async balance(tx, { userId, at }) {
      return balanceInfo((await readAccount(tx, userId)).account, at);
    },

    async runway(tx, { userId, at }) {
      const { loaded, coming } = await withComing(tx, userId, readAccount);
      return runwayOf(accountWith(loaded.account, { add: Money.ZERO, orders: coming }, at), at);
    },

    async forecast(tx, { userId, at, add = Money.ZERO, order, keep }) {
      const { loaded, coming } = await withComing(tx, userId, readAccount);
      const requested = order === undefined ? [] : [{ id: PROSPECTIVE_ID, clientName: '', hourly: order }];
      const what = accountWith(loaded.account, { add, orders: [...coming, ...requested] }, at);
      const clientNames = new Map(what.deployments.map(({ id, clientName }) => [id, clientName]));
      const refusal = order === undefined ? null : await refusalOf(tx, loaded, { add, order, at });
      const kept = keep === undefined ? null : topUpUntil(what, at, keep.until, keep);
      return { ...forecastOf(what, at), starting: coming.length, clientNames, refusal, kept };
    },

    async warnIfLow(tx, { userId, at }) {
      const { loaded, coming } = await withComing(tx, userId, loadAccount);
      const { lowWarned } = loaded;
      const runway = runwayOf(accountWith(loaded.account, { add: Money.ZERO, orders: coming }, at), at);
      const { send, warned } = lowBalanceWarning(runway, { at, warned: lowWarned });
      if (warned !== lowWarned)
        await tx.execute('update wallets set low_warned_days = $2 where user_id = $1', [userId, warned]);
      if (send !== null) await outbox.append(tx, await lowBalanceEvent(tx, { userId, runway, days: send }));
      return { sent: send };
    },

    credits: (tx, creditQuery) => listCredits(tx, creditQuery),

    async recordPayment(tx, { userId, amount, cause, at }) {
      if (!amount.isPositive) throw new RangeError(`payment must be positive, got ${amount.toString()}`);
      const loaded = await loadAccount(tx, userId);
      if (await isPosted(tx, 'payment', cause)) return { posted: false, owedPaid: Money.ZERO };
      const posting = postPayment(loaded.account, { amount, at });
      await firstMoney(tx, loaded, at);
      await post(tx, loaded, posting, { at, cause });
      return { posted: true, owedPaid: posting.after.owed.minus(loaded.account.owed) };
    },

    async recordMovement(tx, { userId, paymentIntent, paid, movement, at }) {
      const loaded = await loadAccount(tx, userId);
      const { before, borne, isKnown } = await movementsOf(tx, { paymentIntent, id: movement.id });
      if (isKnown) return { fresh: false, posted: Money.ZERO, owed: Money.ZERO };
      const amount = shareOfMovement(movement, { paid, before, borne });
      await rememberMovement(tx, { paymentIntent, movement, posted: amount, at });
      if (amount.isZero) return { fresh: true, posted: Money.ZERO, owed: Money.ZERO };
      const posting = postMovement(loaded.account, { kind: movement.kind, amount, at });
      await post(tx, loaded, posting, { at, cause: movement.id });
      const owed = Money.max(Money.ZERO, loaded.account.owed.minus(posting.after.owed));
      return { fresh: true, posted: amount, owed };
    },

    async adoptMovements(tx, { userId, paymentIntent, paid, movements, at }) {
      await loadAccount(tx, userId);
      const { before, borne, isOfEarlierVersion } = await movementsOf(tx, { paymentIntent, id: '' });
      if (!isOfEarlierVersion || before.length > 0) return new Set();
      const adopted = movements.slice(0, countedEarlier(movements, { paid, borne }));
      for (const movement of adopted) await rememberMovement(tx, { paymentIntent, movement, posted: Money.ZERO, at });
      return new Set(adopted.map(({ id }) => id));
    },

    async adjust(tx, { userId, amount, description, actorUserId, at, cause }) {
      const loaded = await loadAccount(tx, userId);
      const posting = postAdjustment(loaded.account, { amount, at, description });
      if (amount.isPositive) await firstMoney(tx, loaded, at);
      return balanceInfo(await post(tx, loaded, posting, { at, actorUserId, cause }), at);
    },

    async grantCredit(
      tx,
      { userId, creditType, at, amount = PRICE_LIST.creditAmount, ipAddress, referralUserId, actorUserId, cause },
    ) {
      const loaded = await loadAccount(tx, userId);
      const expiresAt = at + PRICE_LIST.creditLifeMs;
      const [row] = await tx.query<Pick<Credit, 'id'>>(
        `insert into credits (user_id, credit_type, amount_micros, remaining_micros, granted_at, expires_at, ip_address, referral_user_id)
         values ($1, $2, $3, $3, $4, $5, $6, $7) returning id`,
        [userId, creditType, amount.micros, iso(at), iso(expiresAt), ipAddress ?? null, referralUserId ?? null],
      );
      if (row === undefined) throw new Error('a credit was not inserted');
      await recordTerms(tx, row.id, { reason: 'granted', actorUserId, at });
      const credit = {
        id: row.id,
        creditType,
        amount,
        remaining: amount,
        lapsed: Money.ZERO,
        expiresAt,
        expired: false,
      };
      await post(tx, loaded, postGrant(loaded.account, { credit, at }), { at, actorUserId, cause });
      return row.id;
    },

    async adjustCredit(tx, { creditId, amount, actorUserId, at, cause }) {
      const [owner] = await tx.query<Pick<Credit, 'user_id'>>('select user_id from credits where id = $1', [creditId]);
      if (owner === undefined) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.credit_unknown);
      const loaded = await loadAccount(tx, owner.user_id);
      const posting = postCreditAdjustment(loaded.account, { creditId, amount, at });
      if (posting.entries.length > 0) await recordTerms(tx, creditId, { amount, reason: 'adjusted', actorUserId, at });
      await post(tx, loaded, posting, { at, actorUserId, cause });
      return creditView(tx, { creditId, at });
    },

    async prepareStop(tx, { userId, deploymentId, at }) {
      const loaded = await loadAccount(tx, userId);
      const { now, settled } = await settleLoaded(tx, loaded, at);
      const running = now.account.deployments.find(({ id, billableTo }) => id === deploymentId && billableTo === null);
      if (running === undefined) return { billableTo: null, depleted: settled.depleted.includes(deploymentId) };
      const { gracePeriod, billableFrom } = running;
      // During a grace period a stop acts like the end of the grace period, so nothing is owed from the due time.
      const end = gracePeriod === null ? at : startOfDay(gracePeriod.day);
      return { billableTo: Math.max(end, billableFrom), depleted: false };
    },

    async stop(tx, { userId, deploymentId, at, cause }) {
      const loaded = await loadAccount(tx, userId);
      const closed = loaded.account.deployments.find(({ id }) => id === deploymentId)?.billableTo;
      if (closed === undefined || closed === null) return { refunded: Money.ZERO };
      const isCaused = (entry: Entry): boolean => entry.type === 'refund' && entry.deploymentId === deploymentId;
      const { now, entries } = await settleLoaded(tx, loaded, Math.max(at, closed), { cause, isCaused });
      if (entries.length > 0) await publishBalance(tx, now);
      return { refunded: Money.sum(entries.filter(isCaused).map(entryAmount)) };
    },

    async reopen(tx, { userId, deploymentId, actorUserId, at, undoesDelete = false, cause }) {
      const closedAt = await closedInterval(tx, { userId, deploymentId });
      const correcting = { deploymentId, from: dayOf(closedAt) };
      const { now } = await settleLoaded(tx, await loadAccount(tx, userId, { correcting }), at);
      const plan = planReopening(now.account, { deploymentId, at, undoesDelete });
      if ('code' in plan) throw refuse(plan);
      await writeRates(tx, { deploymentId, rates: plan.rates, actor, actorUserId, at });
      // A day's charge is caused by the clock. Only the correction of a day that was already charged is caused by the
      // request.
      const corrects = plan.posting.entries[0]?.type === 'rerate';
      await post(tx, now, plan.posting, { at, actorUserId, cause: corrects ? cause : undefined });
      return { charged: plan.needed };
    },

    async quoteRate(tx, requested): Promise<RateEffect> {
      const { loaded, change } = await loadForRate(tx, requested);
      // Settled in memory only, because a quote changes nothing.
      const account = settleAccount(loaded.account, change.at, { gracePeriodMs }).after;
      const { plan, isRaise } = await planRate(tx, { ...loaded, account }, change);
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
    },

    async changeLevel(tx, requested) {
      const { loaded, change } = await loadForRate(tx, requested);
      const { at, deploymentId, supportLevel } = change;
      const { now } = await settleLoaded(tx, loaded, at);
      const { plan, isRaise } = await planRate(tx, now, change);
      refuseUnpaid(now, plan, isRaise);
      await tx.execute(
        `with rate as (
           insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros, actor, actor_user_id, reason, written_at)
           values ($1, $2, $3, $4, $5, $6, 'level changed', $2))
         update meters set hourly_micros = $4, rate_from = $2 where deployment_id = $1`,
        [deploymentId, iso(at), supportLevel, plan.rate.hourly.micros, actor, change.actorUserId ?? change.userId],
      );
      await post(tx, now, rerateAccount(now.account, { deploymentId, rate: plan.rate }), { at, cause: change.cause });
      return { ...quoteOf(plan), at };
    },

    async admitSize(tx, requested) {
      const { loaded, change } = await loadForRate(tx, requested);
      const { now } = await settleLoaded(tx, loaded, change.at);
      await refuseSecondSize(tx, requested);
      const { plan, isRaise } = await planRate(tx, now, change);
      refuseUnpaid(now, plan, isRaise);
      return quoteOf(plan);
    },

    async changeSize(tx, { userId, deploymentId, changeId, baseHourly, confirmedAt, at, actorUserId }) {
      const correcting = { deploymentId, from: dayOf(confirmedAt) };
      const { now } = await settleLoaded(tx, await loadAccount(tx, userId, { correcting }), at);
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
          actor,
          actorUserId,
          iso(at),
          changeId,
          baseHourly.micros,
          before.micros,
        ],
      );
      await post(tx, now, rerateAccount(now.account, { deploymentId, rate, resized: true }), { at });
      return { from: rate.from };
    },

    async planCreate(tx, { userId, at }) {
      const loaded = await loadAccount(tx, userId);
      const { now } = await settleLoaded(tx, loaded, at);
      return accountFacts(tx, now, at);
    },

    transactions: (tx, page) => transactionPage(tx, page),
    transactionsOfAll: (tx, page) => transactionPageOfAll(tx, page),
  };

  /**
   * Returns the reason for which `planCreate` would refuse this order now if `add` had been paid in, or null. Posts
   * nothing.
   */
  async function refusalOf(
    tx: Tx,
    loaded: LoadedAccount,
    { add, order, at }: { add: Money; order: Money; at: Instant },
  ): Promise<Refusal | null> {
    const paid = accountWith(loaded.account, { add, orders: [] }, at);
    const account = settleAccount(paid, at, { gracePeriodMs }).after;
    const firstPaidAt = add.isPositive ? at : loaded.firstPaidAt;
    const facts = await accountFacts(tx, { ...loaded, account, firstPaidAt }, at);
    return refusalToCreate(facts, order, { creditOnlyMaxHourly });
  }

  /** Records the terms of a granted or adjusted credit with actor and reason, because they affect money. */
  async function recordTerms(
    tx: Tx,
    creditId: number,
    terms: { amount?: Money; reason: string; actorUserId?: number | null | undefined; at: Instant },
  ): Promise<void> {
    await tx.execute(
      `insert into credit_terms (credit_id, user_id, credit_type, amount_micros, expires_at, actor, actor_user_id, reason, written_at)
       select id, user_id, credit_type, coalesce($2, amount_micros), expires_at, $3, $4, $5, $6 from credits where id = $1`,
      [creditId, terms.amount?.micros ?? null, actor, terms.actorUserId ?? null, terms.reason, iso(terms.at)],
    );
  }

  /** Records the first money on the regular balance, which lifts the limits of a credit-only account. */
  async function firstMoney(tx: Tx, { userId, firstPaidAt }: LoadedAccount, at: Instant): Promise<void> {
    if (firstPaidAt !== null) return;
    await tx.execute('update wallets set first_paid_at = $2 where user_id = $1', [userId, iso(at)]);
  }
}

const hasOpenGracePeriod = (account: Account): boolean =>
  account.deployments.some(({ gracePeriod }) => gracePeriod !== null);

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

/**
 * Returns the time at which a deployment's interval ended. A deployment whose interval is open, or that belongs to
 * another account, cannot be reopened.
 */
async function closedInterval(
  tx: Tx,
  { userId, deploymentId }: { userId: number; deploymentId: number },
): Promise<Instant> {
  await lockWallet(tx, userId);
  const [row] = await tx.query<Pick<Deployment, 'billable_to'>>(
    'select billable_to from deployments where id = $1 and user_id = $2 for update',
    [deploymentId, userId],
  );
  if (row?.billable_to == null) throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.not_lost);
  return row.billable_to;
}

/** Appends prices after any that have the same time. The meter follows the newest price. */
async function writeRates(
  tx: Tx,
  {
    deploymentId,
    rates,
    actor,
    actorUserId,
    at,
  }: { deploymentId: number; rates: readonly Rate[]; actor: Actor; actorUserId: number; at: Instant },
): Promise<void> {
  for (const { from, hourly } of rates) {
    await tx.execute(
      `insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros, actor, actor_user_id, reason, written_at)
       select $1, $2, support_level, $3, $4, $5, 'server found again', $6 from deployment_rates
       where deployment_id = $1 order by effective_from desc, id desc limit 1`,
      [deploymentId, iso(from), hourly.micros, actor, actorUserId, iso(at)],
    );
  }
  await tx.execute(
    `update meters m set hourly_micros = r.hourly_micros, rate_from = r.effective_from
     from (select hourly_micros, effective_from from deployment_rates where deployment_id = $1
           order by effective_from desc, id desc limit 1) r
     where m.deployment_id = $1`,
    [deploymentId],
  );
}

/**
 * Checks whether a cause was posted. The caller holds the wallet's lock, so the second of two deliveries sees the
 * first.
 */
async function isPosted(tx: Tx, type: string, cause: string): Promise<boolean> {
  const rows = await tx.query('select 1 from ledger_transactions where type = $1 and cause = $2', [type, cause]);
  return rows.length > 0;
}

/**
 * Reads the movements of a payment. The caller holds the wallet's lock. `before` is what the provider moved, and
 * `borne` is the part that the account bears.
 */
async function movementsOf(
  tx: Tx,
  { paymentIntent, id }: { paymentIntent: string; id: string },
): Promise<{ before: readonly Movement[]; borne: Money; isKnown: boolean; isOfEarlierVersion: boolean }> {
  const rows = await tx.query<{ id: string; kind: MovementKind; amount_micros: string; posted_micros: string }>(
    'select id, kind, amount_micros, posted_micros from payment_movements where payment_intent = $1',
    [paymentIntent],
  );
  // Row of an earlier version that stored a single total for each payment and kind.
  const older = await tx.query<{ withdrawn_micros: string }>(
    'select withdrawn_micros from payment_withdrawals where payment_intent = $1',
    [paymentIntent],
  );
  const posted = rows.map(({ kind, posted_micros }) => {
    const amount = Money.fromMicrosText(posted_micros);
    return takesMoney(kind) ? amount : amount.negated();
  });
  return {
    before: rows.map(({ kind, amount_micros }) => ({ kind, amount: Money.fromMicrosText(amount_micros) })),
    borne: Money.sum([...posted, ...older.map((row) => Money.fromMicrosText(row.withdrawn_micros))]),
    isKnown: rows.some((row) => row.id === id),
    isOfEarlierVersion: older.length > 0,
  };
}

async function rememberMovement(
  tx: Tx,
  what: { paymentIntent: string; movement: MovementFacts; posted: Money; at: Instant },
): Promise<void> {
  const { paymentIntent, movement, posted, at } = what;
  await tx.execute(
    `insert into payment_movements
       (id, reversal_id, payment_intent, kind, amount_micros, posted_micros, fee_micros, created_at, posted_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      movement.id,
      movement.reversalId,
      paymentIntent,
      movement.kind,
      movement.amount.micros,
      posted.micros,
      movement.fee.micros,
      iso(movement.movedAt),
      iso(at),
    ],
  );
}
