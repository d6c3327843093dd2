import {
  type Account,
  type AccountCopies,
  type CreditTerms,
  type DeploymentFacts,
  entryAmount,
  type Instant,
  instant,
  Money,
  type MoneyFacts,
  type PostedTransaction,
  type ReplayState,
  TRANSACTION_RULES,
} from '@moorage/domain';
import { type Stored, PureRunner } from './pure-runner';
import type { Given, Step } from './scenarios';
import type { Outcome } from './runner';

type Facts = { rates: DeploymentFacts['rates'][number][]; intervals: DeploymentFacts['intervals'][number][] };

/** Result of a runner, with the initial state, the facts, and the postings as a list for each statement. */
export interface WrittenBooks {
  readonly start: ReplayState;
  readonly facts: MoneyFacts;
  readonly postings: readonly (readonly PostedTransaction[])[];
  readonly copies: AccountCopies;
}

const BEFORE = instant('2026-11-01T00:00:00Z');
const ADMINISTRATOR = 1;

/**
 * Runs the rules in memory, and writes the same data as the ledger. Facts precede their consequences, and ids follow
 * the order of writing.
 */
export class PureBooks extends PureRunner {
  private id = 0;
  private start: ReplayState | null = null;
  private seen: Account = { regular: Money.ZERO, owed: Money.ZERO, credits: [], deployments: [] };
  private firstPaidAt: Instant | null = null;
  private step: Step['do'] = 'run';
  private readonly terms = new Map<number, CreditTerms[]>();
  private readonly metered = new Map<number, Facts>();
  private readonly payments = new Map<string, Money>();
  private readonly postings: PostedTransaction[][] = [];

  override async given(given: Given): Promise<void> {
    await super.given(given);
    if (given.regular > 0) this.firstPaidAt = BEFORE;
    this.noteFacts(this.now, BEFORE);
    const { regular, owed, credits, deployments } = this.now;
    this.start = {
      regular,
      owed,
      firstPaidAt: this.firstPaidAt,
      credits,
      deployments: deployments.map(({ id, chargedThrough, allocations }) => ({ id, chargedThrough, allocations })),
    };
  }

  override take(step: Step, at: Instant): Promise<Outcome> {
    this.step = step.do;
    return super.take(step, at);
  }

  protected override store(stored: Stored, at: Instant): void {
    this.noteFacts(this.now, at);
    super.store(stored, at);
    this.noteFacts(this.now, at);
    const posting = stored.entries.map((entry): PostedTransaction => {
      const id = ++this.id;
      const rule = TRANSACTION_RULES[entry.type];
      const cause = rule.cause === 'outside' ? `cause-${id}` : null;
      const amount = entryAmount(entry);
      if (entry.type === 'payment' && cause !== null) this.payments.set(cause, amount);
      if (entry.type === 'payment' || (entry.type === 'adjustment' && amount.isPositive))
        this.firstPaidAt ??= entry.dueAt;
      return { ...entry, id, amount, postedAt: at, cause, actorUserId: rule.cause === 'actor' ? ADMINISTRATOR : null };
    });
    if (posting.length > 0) this.postings.push(posting);
  }

  /** Records differences from the last state as facts written at `at`. */
  private noteFacts(account: Account, at: Instant): void {
    for (const { id, creditType, amount, expiresAt } of account.credits) {
      const known = this.terms.get(id) ?? [];
      if (known.at(-1)?.amount.equals(amount) !== true)
        this.terms.set(id, [...known, { id: ++this.id, creditType, amount, expiresAt }]);
    }
    for (const deployment of account.deployments) {
      const before = this.seen.deployments.find(({ id }) => id === deployment.id);
      const facts = this.metered.get(deployment.id) ?? { rates: [], intervals: [] };
      this.metered.set(deployment.id, facts);
      const { billableFrom: from, billableTo: to } = deployment;
      if (before?.billableFrom !== from || before.billableTo !== to) facts.intervals.push({ from, to });
      for (const rate of deployment.rates.filter((rate) => before?.rates.includes(rate) !== true))
        facts.rates.push({ ...rate, id: ++this.id, writtenAt: at, ofGap: this.step === 'reopen' });
      facts.rates.sort((a, b) => a.from - b.from || a.id - b.id);
    }
    this.seen = account;
  }

  written(): WrittenBooks {
    if (this.start === null) throw new Error('nothing was given');
    this.noteFacts(this.now, this.seen.deployments[0]?.billableFrom ?? BEFORE);
    const { regular, owed, credits, deployments } = this.now;
    return {
      start: this.start,
      facts: { credits: this.terms, deployments: this.metered, payments: this.payments },
      postings: this.postings,
      copies: { regular, owed, firstPaidAt: this.firstPaidAt, credits, deployments },
    };
  }
}
