import {
  type Account,
  type AccountFacts,
  asStored,
  availableMoney,
  balanceInfo,
  confirmedRate,
  currentHourly,
  deferredRate,
  DomainError,
  type Entry,
  entryAmount,
  hasEnded,
  hourlyPrice,
  type Instant,
  instant,
  type LowBalanceDays,
  lowBalanceWarning,
  MINUTE_MS,
  Money,
  planRateChange,
  planReopening,
  postAdjustment,
  postCreditAdjustment,
  postGrant,
  postPayment,
  postReturn,
  postWithdrawal,
  RATE_LIMIT_MESSAGES,
  rateChangeInstant,
  type RateChangePlan,
  refusalToCreate,
  refusalToRaise,
  refuse,
  rerateAccount,
  runwayOf,
  settleAccount,
  type Settlement,
  startOfDay,
  type SupportLevel,
} from '@moorage/domain';
import { type Given, type GivenCredit, type PriceKey, PRICES, type Step } from './scenarios';
import { type Outcome, type Recorded, type Runner, when } from './runner';

/** Result of a posting or similar operation. */
export interface Stored {
  readonly entries: readonly Entry[];
  readonly after: Account;
}

interface Price {
  readonly base: Money;
  readonly level: SupportLevel;
}

const PAID_THROUGH = '2026-11-30';
const money = (micros: number): Money => Money.micros(BigInt(micros));
const hourlyOf = (price: PriceKey): Money =>
  hourlyPrice({ baseHourly: money(PRICES[price].base), supportLevel: PRICES[price].level });

/** Runs the rules alone, in memory. */
export class PureRunner implements Runner {
  private state: Account = { regular: Money.ZERO, owed: Money.ZERO, credits: [], deployments: [] };
  private everPaid = false;
  private warned: LowBalanceDays | null = null;
  private readonly entries: Entry[] = [];
  private readonly ended: { id: number; at: Instant }[] = [];
  private readonly creating = new Map<number, Money>();
  private readonly prices = new Map<number, Price>();
  private rowsTotal = Money.ZERO;
  private disputed = Money.ZERO;
  private readonly gracePeriodMs: number;

  constructor({ gracePeriodMinutes = 0 }: { gracePeriodMinutes?: number } = {}) {
    this.gracePeriodMs = gracePeriodMinutes * MINUTE_MS;
  }

  given(given: Given): Promise<void> {
    this.everPaid = given.regular > 0;
    this.state = {
      regular: money(given.regular),
      owed: Money.ZERO,
      credits: (given.credits ?? []).map(toCredit),
      deployments: (given.running ?? []).map(({ id, price }) => ({
        ...this.opened(id, price, instant('2026-11-29T12:00:00Z')),
        chargedThrough: PAID_THROUGH,
      })),
    };
    this.rowsTotal = balanceInfo(this.state, 0).total;
    return Promise.resolve();
  }

  take(step: Step, at: Instant): Promise<Outcome> {
    // A refusal rejects the promise, as in a service.
    return Promise.resolve().then(() => this.act(step, at));
  }

  private act(step: Step, at: Instant): Outcome {
    switch (step.do) {
      case 'pay':
        this.everPaid = true;
        return this.post(postPayment(this.state, { amount: money(step.amount), at }), at);
      case 'dispute':
        this.disputed = money(step.amount);
        return this.post(postWithdrawal(this.state, { kind: 'dispute', amount: this.disputed, at }), at);
      case 'dispute won':
        return this.post(postReturn(this.state, { kind: 'dispute_won', amount: this.disputed, at }), at);
      case 'adjust':
        return this.post(postAdjustment(this.state, { amount: money(step.amount), at }), at);
      case 'grant':
        return this.post(postGrant(this.state, { credit: toCredit(step.credit), at }), at);
      case 'adjust credit':
        return this.post(postCreditAdjustment(this.state, { creditId: step.n, amount: money(step.to), at }), at);
      case 'create': {
        this.settle(at);
        const refusal = refusalToCreate(this.facts(at), hourlyOf(step.price));
        if (refusal !== null) throw refuse(refusal);
        this.creating.set(step.id, hourlyOf(step.price));
        return {};
      }
      case 'fail':
        this.creating.delete(step.id);
        return {};
      case 'billable':
        this.creating.delete(step.id);
        this.state = { ...this.state, deployments: [...this.state.deployments, this.opened(step.id, step.price, at)] };
        return this.settle(at);
      case 'level':
        return this.changeLevel(step.id, step.to, at);
      case 'resize':
        this.admit(step.id, { base: money(step.to) }, at);
        return {};
      case 'resized':
        return this.resize(step.id, money(step.to), {
          confirmedAt: step.since === undefined ? at : when(step.since),
          at,
        });
      case 'delete':
        return this.remove(step.id, at);
      case 'lost':
        this.close(step.id, step.since === undefined ? at : when(step.since));
        return {};
      case 'reopen':
      case 'restore': {
        this.settle(at);
        const plan = planReopening(this.state, { deploymentId: step.id, at, undoesDelete: step.do === 'restore' });
        if ('code' in plan) throw refuse(plan);
        return this.post(plan.posting, at);
      }
      case 'interval':
        return { billableTo: this.state.deployments.find(({ id }) => id === step.id)?.billableTo ?? null };
      case 'run':
      case 'expiries':
        return this.settle(at);
      case 'runway': {
        const { endsAt, stopsFirst } = runwayOf(this.state, at);
        return { runway: { endsAt, stopsFirst } };
      }
      case 'warning': {
        const { send, warned } = lowBalanceWarning(runwayOf(this.state, at), { at, warned: this.warned });
        this.warned = warned;
        return { warned: send };
      }
      case 'look':
        return {};
    }
  }

  private settle(at: Instant): Outcome {
    const settlement: Settlement = settleAccount(this.state, at, { gracePeriodMs: this.gracePeriodMs });
    this.store(settlement, at);
    for (const { deploymentId, dueAt } of settlement.depletions) this.ended.push({ id: deploymentId, at: dueAt });
    return {};
  }

  /** Posts, and settles while a grace period is open. */
  private post(posting: { entries: readonly Entry[]; after: Account }, at: Instant): Outcome {
    this.store(posting, at);
    return this.state.deployments.some(({ gracePeriod }) => gracePeriod !== null) ? this.settle(at) : {};
  }

  protected store({ entries, after }: Stored, _at: Instant): void {
    this.entries.push(...entries);
    this.rowsTotal = this.rowsTotal.plus(Money.sum(entries.map(entryAmount)));
    this.state = after;
  }

  private changeLevel(id: number, level: SupportLevel, requested: Instant): Outcome {
    const { rate } = this.admit(id, { level }, requested);
    this.prices.set(id, { ...this.priceOf(id), level });
    return this.post(rerateAccount(this.state, { deploymentId: id, rate }), rate.from);
  }

  /** Settles, and checks another level or size against the balance. */
  private admit(id: number, change: Partial<Price>, requested: Instant): RateChangePlan {
    const question = { deploymentId: id, at: requested };
    if (deferredRate(this.state, question) !== null)
      throw new DomainError('RATE_LIMITED', RATE_LIMIT_MESSAGES.price_deferred);
    const at = rateChangeInstant(this.state, question);
    this.settle(at);
    const now = this.priceOf(id);
    const to = { ...now, ...change };
    const plan = planRateChange(this.state, {
      deploymentId: id,
      hourly: hourlyPrice({ baseHourly: to.base, supportLevel: to.level }),
      at,
      creatingHourly: Money.sum(this.creating.values()),
    });
    const isRaise = now.level < to.level || now.base.isLessThan(to.base);
    const refusal = refusalToRaise(plan, { owed: this.state.owed, everPaid: this.everPaid }, { isRaise });
    if (refusal !== null) throw refuse(refusal);
    return plan;
  }

  private resize(id: number, base: Money, { confirmedAt, at }: { confirmedAt: Instant; at: Instant }): Outcome {
    this.settle(at);
    const { level } = this.priceOf(id);
    const hourly = hourlyPrice({ baseHourly: base, supportLevel: level });
    const rate = confirmedRate(this.state, { deploymentId: id, hourly, confirmedAt, at });
    if (rate === null) return {};
    this.prices.set(id, { base, level });
    return this.post(rerateAccount(this.state, { deploymentId: id, rate, resized: true }), at);
  }

  private priceOf(id: number): Price {
    return this.prices.get(id) ?? { base: Money.ZERO, level: 1 };
  }

  private remove(id: number, at: Instant): Outcome {
    this.settle(at);
    const deployment = this.state.deployments.find((candidate) => candidate.id === id);
    if (deployment === undefined) throw new DomainError('NOT_FOUND', asStored('no such deployment'));
    if (deployment.billableTo !== null) return {};
    const end = deployment.gracePeriod === null ? at : startOfDay(deployment.gracePeriod.day);
    this.close(id, Math.max(end, deployment.billableFrom));
    return this.settle(at);
  }

  private close(id: number, billableTo: Instant): void {
    const deployments = this.state.deployments.map((d) => (d.id === id ? { ...d, billableTo } : d));
    this.state = { ...this.state, deployments };
  }

  private opened(id: number, price: PriceKey, at: Instant): Account['deployments'][number] {
    const { base, level } = PRICES[price];
    this.prices.set(id, { base: money(base), level });
    return {
      id,
      clientName: `deployment ${id}`,
      billableFrom: at,
      billableTo: null,
      rates: [{ from: at, hourly: hourlyOf(price) }],
      chargedThrough: null,
      gracePeriod: null,
      closedOut: false,
      allocations: [],
    };
  }

  private facts(at: Instant): AccountFacts {
    const open = this.state.deployments.filter(({ billableTo }) => billableTo === null);
    return {
      available: availableMoney(this.state, at),
      owed: this.state.owed.negated(),
      runningHourly: Money.sum([...open.map(currentHourly), ...this.creating.values()]),
      runningCount: open.length + this.creating.size,
      everBillable: this.state.deployments.length > 0,
      creating: this.creating.size > 0,
      everPaid: this.everPaid,
    };
  }

  recorded(): Promise<readonly Recorded[]> {
    return Promise.resolve(
      this.entries
        .filter(({ type }) => type !== 'credit_granted')
        .map((entry) => ({
          type: entry.type,
          at: entry.dueAt,
          id: entry.deploymentId,
          on: entry.chargedOn,
          description: entry.description,
          lines: entry.lines.map(({ bucket, creditId, amount }) => ({
            bucket,
            credit: creditId,
            micros: amount.micros,
          })),
        })),
    );
  }

  depletions(): Promise<readonly { id: number; at: Instant }[]> {
    return Promise.resolve(this.ended);
  }

  account(at: Instant): ReturnType<Runner['account']> {
    const { total, available } = balanceInfo(this.state, at);
    const credits = new Map(
      this.state.credits.map((credit) => [credit.id, hasEnded(credit, at) ? Money.ZERO : credit.remaining] as const),
    );
    const { regular, owed } = this.state;
    return Promise.resolve({ regular, owed, total, available, credits, rowsTotal: this.rowsTotal });
  }

  /** Returns the account of the rules, for the property tests. */
  get now(): Account {
    return this.state;
  }
}

function toCredit({ n, type, amount, until }: GivenCredit): Account['credits'][number] {
  return {
    id: n,
    creditType: type,
    amount: money(amount),
    remaining: money(amount),
    lapsed: Money.ZERO,
    expiresAt: when(until),
    expired: false,
  };
}
