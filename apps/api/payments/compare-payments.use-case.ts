import { Alerts, type CheckoutSession } from '@moorage/database';
import {
  type BookEntry,
  comparePaymentBooks,
  DAY_MS,
  HOUR_MS,
  type Instant,
  iso,
  Money,
  type PaymentDifference,
} from '@moorage/domain';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApplyPayment, CURRENCY } from './apply-payment.use-case';
import { paidToClosedAccounts } from './end-checkouts.use-case';
import { DISPUTE_OVER, SyncPayment } from './sync-payment.use-case';
import { unconfirmedRefunds } from './make-refund.use-case';
import { PaymentDifferences } from './payment-differences.service';
import { PaymentProvider, type ProviderEntry } from './payment-provider';

export interface Span {
  /** Inclusive. */
  readonly from: Instant;
  readonly to: Instant;
}

export interface Compared {
  readonly compared: number;
  /** Open differences after the comparison, including older ones. */
  readonly differences: number;
}

const FIRST_MS = 35 * DAY_MS;
/** Newer entries may still be in transit. */
const UNSETTLED_MS = HOUR_MS;
const OVERLAP_MS = DAY_MS;
/**
 * Time for which open differences are compared again in each daily run. Older ones stay open until an administrator
 * settles them.
 */
const AGAIN_MS_MAX = 90 * DAY_MS;
/** Maximum time by which the provider may date a payment before its checkout was stored here, because clocks differ. */
const MARGIN_MS = HOUR_MS;
/** Time during which a checkout may still be paid by a slow payment method. */
const PAID_LATE_MS = 14 * DAY_MS;

const ENTRIES_MAX = 500_000;
const LOOKED_UP_AT_ONCE = 1_000;
const REPAIRS_MAX = 100;
const CANDIDATES_MAX = 20;
const REFUND_ALERT_MS = 7 * DAY_MS;
/** Longer than any dispute takes. */
const DISPUTE_MS_MAX = 365 * DAY_MS;
const DISPUTES_MAX = 200;

/**
 * Compares the payment provider's records with our ledger. Repairs what is missing in the ledger, then records the
 * remaining differences and alerts operators.
 */
@Injectable()
export class ComparePayments {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly alerts: Alerts,
    private readonly provider: PaymentProvider,
    private readonly applyPayment: ApplyPayment,
    private readonly sync: SyncPayment,
    private readonly differences: PaymentDifferences,
  ) {}

  /** Compares a span. Throws if the provider is unreachable, and the next comparison then covers this span as well. */
  async run(): Promise<Compared> {
    const { span, now, begun } = await this.db.tx('payments.compare-span', async (tx) => {
      const at = await this.clock.now(tx);
      const evaluated = { from: await startOf(tx, at), to: at - UNSETTLED_MS };
      return { span: evaluated, now: at, begun: await this.earliestBegun(tx, evaluated) };
    });
    const theirs = await this.theirs({ from: Math.min(span.from, begun) - MARGIN_MS, to: now });
    const found = comparePaymentBooks({ theirs, ours: await this.ours(span, theirs), span });
    const missing = found.filter(({ kind }) => kind === 'missing_here').slice(0, REPAIRS_MAX);
    await this.repair(theirs.filter(({ id }) => missing.some((difference) => difference.id === id)));
    await this.checkDisputes(now);
    const ours = await this.ours(span, theirs);
    const differences = comparePaymentBooks({ theirs, ours, span });
    const compared = new Set([...theirs, ...ours].map(({ key }) => key)).size;
    const open = await this.db.tx('payments.compared', (tx) => this.record(tx, { span, compared, differences }));
    return { compared, differences: open };
  }

  private async theirs(span: Span): Promise<TheirEntry[]> {
    const entries: TheirEntry[] = [];
    for await (const entry of this.provider.entries(span)) {
      if (entries.length === ENTRIES_MAX) throw new Error('too many entries of the payment provider to compare');
      entries.push(theirEntry(entry));
    }
    return this.ofOurPayments(entries);
  }

  /**
   * Excludes refunds and disputes of payments that neither side knows. They do not name an account, and belong to
   * another use of the same provider account.
   */
  private async ofOurPayments(entries: readonly TheirEntry[]): Promise<TheirEntry[]> {
    const known = new Set(entries.filter(({ kind }) => kind === 'payment').map(({ paymentIntent }) => paymentIntent));
    const unknown = [...new Set(entries.map(({ paymentIntent }) => paymentIntent))].filter(
      (intent) => !known.has(intent),
    );
    await this.db.tx('payments.compare-known', async (tx) => {
      for (let first = 0; first < unknown.length; first += LOOKED_UP_AT_ONCE) {
        const rows = await tx.query<{ payment_intent: string }>(
          'select payment_intent from checkout_sessions where payment_intent = any ($1)',
          [unknown.slice(first, first + LOOKED_UP_AT_ONCE)],
        );
        for (const { payment_intent } of rows) known.add(payment_intent);
      }
    });
    return entries.filter(({ paymentIntent }) => known.has(paymentIntent));
  }

  /** Returns our entries of the span, and the counterparts of the provider's entries with any date. */
  private async ours(span: Span, theirs: readonly TheirEntry[]): Promise<BookEntry[]> {
    const found = new Map<string, BookEntry>();
    const add = (rows: readonly OurRow[]): void => rows.forEach((row) => found.set(row.key, ourEntry(row)));
    await this.db.tx('payments.compare-ours', async (tx) => {
      const { testMode } = this.provider;
      const times = [testMode, iso(span.from), iso(span.to)];
      add(await tx.query<OurRow>(`${PAYMENTS} and paid_at >= $2 and paid_at < $3`, times));
      add(await tx.query<OurRow>(`${MOVEMENTS} and m.created_at >= $2 and m.created_at < $3`, times));
      const missing = theirs.filter(({ key }) => !found.has(key));
      for (let first = 0; first < missing.length; first += LOOKED_UP_AT_ONCE) {
        const keys = missing.slice(first, first + LOOKED_UP_AT_ONCE).map(({ key }) => key);
        add(await tx.query<OurRow>(`${PAYMENTS} and payment_intent = any ($2)`, [testMode, keys]));
        add(await tx.query<OurRow>(`${MOVEMENTS} and m.id = any ($2)`, [testMode, keys]));
      }
    });
    return [...found.values()];
  }

  /**
   * Returns when the earliest checkout paid in the span was begun, because the provider may date its payment that
   * early.
   */
  private async earliestBegun(tx: Tx, { from, to }: Span): Promise<Instant> {
    const [row] = await tx.query<{ begun: Instant | null }>(
      `select min(created_at) as begun from checkout_sessions where status = 'paid' and test_mode = $1 and paid_at >= $2 and paid_at < $3`,
      [this.provider.testMode, iso(from), iso(to)],
    );
    return row?.begun ?? from;
  }

  /** Posts missing payments and movements. A failure remains a difference and does not prevent the other repairs. */
  private async repair(missing: readonly TheirEntry[]): Promise<void> {
    for (const entry of missing.filter(({ kind }) => kind === 'payment'))
      await this.attempt(entry.paymentIntent, () => this.repairPayment(entry));
    const moved = missing.filter(({ kind }) => kind !== 'payment').map(({ paymentIntent }) => paymentIntent);
    for (const paymentIntent of new Set(moved)) await this.attempt(paymentIntent, () => this.sync.run(paymentIntent));
  }

  /**
   * Checks open disputes. A lost dispute moves no money when it ends, so only an event reports its end, and events may
   * get lost.
   */
  private async checkDisputes(now: Instant): Promise<void> {
    const open = await this.db.tx('payments.compare-disputes', (tx) =>
      tx.query<{ payment_intent: string }>(
        `select distinct payment_intent from payment_reversals
         where kind = 'dispute' and created_at >= $1 and status <> all ($2) order by payment_intent limit $3`,
        [iso(now - DISPUTE_MS_MAX), DISPUTE_OVER, DISPUTES_MAX],
      ),
    );
    for (const { payment_intent } of open) await this.attempt(payment_intent, () => this.sync.run(payment_intent));
  }

  private async attempt(paymentIntent: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const kind = error instanceof Error ? error.name : 'unknown';
      this.log.warn('payment not synchronised', { payment_intent: paymentIntent, kind });
    }
  }

  /**
   * Finds an automatic top-up by its id, even if it is marked as failed. Only the provider knows the checkout of a
   * payment.
   */
  private async repairPayment({ paymentIntent, paymentId, cents, currency, at }: TheirEntry): Promise<void> {
    const begun = [iso(at - PAID_LATE_MS), iso(at + MARGIN_MS)];
    const { known, candidates } = await this.db.tx('payments.compare-candidates', async (tx) => ({
      known: await tx.query<Pick<CheckoutSession, 'id'>>(
        `select id from checkout_sessions where id = $1 and kind = 'automatic' and status <> 'paid' and test_mode = $3
         union all
         select id from checkout_sessions where payment_intent = $2 and status <> 'paid' and test_mode = $3`,
        [paymentId, paymentIntent, this.provider.testMode],
      ),
      candidates: await tx.query<{ id: string }>(CANDIDATES, [this.provider.testMode, cents, ...begun, CANDIDATES_MAX]),
    }));
    const [automatic] = known;
    if (automatic !== undefined)
      return this.apply({ session_id: automatic.id, payment_intent: paymentIntent, cents, currency });
    for (const { id } of candidates) {
      const state = await this.provider.sessionState(id);
      if (state === 'open' || state.kind !== 'paid') continue;
      await this.apply(state);
      if (state.payment_intent === paymentIntent) return;
    }
  }

  private async apply(paid: {
    session_id: string;
    payment_intent: string | null;
    cents: number;
    currency: string;
  }): Promise<void> {
    await this.db.tx('payments.compare-repair', async (tx) =>
      this.applyPayment.run(tx, { ...paid, kind: 'paid' }, { at: await this.clock.now(tx) }),
    );
  }

  /** Returns the number of differences that are open now, including older ones. */
  private async record(
    tx: Tx,
    { span, compared, differences }: { span: Span; compared: number; differences: readonly PaymentDifference[] },
  ): Promise<number> {
    const at = await this.clock.now(tx);
    const { open, until } = await this.differences.store(tx, { differences, span, at });
    await tx.execute(
      'insert into payment_comparisons (from_at, to_at, compared, differences, at) values ($1, $2, $3, $4, $5)',
      [iso(span.from), iso(until), compared, open, iso(at)],
    );
    await this.alerts.report(tx, 'refund_not_made', await unconfirmedRefunds(tx, iso(at - REFUND_ALERT_MS)));
    await this.alerts.report(tx, 'closed_account_paid', await paidToClosedAccounts(tx, at));
    await this.alerts.checked(tx, 'payments.compare');
    return open;
  }
}

interface TheirEntry extends BookEntry {
  readonly kind: ProviderEntry['kind'];
  readonly cents: number;
  readonly currency: string;
  /** Our id of an automatic top-up, or null for a checkout, refund or dispute. */
  readonly paymentId: string | null;
}

interface OurRow {
  readonly id: string;
  readonly key: string;
  readonly payment_intent: string;
  readonly amount_micros: string;
  readonly at: Instant;
}

function theirEntry(entry: ProviderEntry): TheirEntry {
  const { id, kind, paymentIntent, cents, currency, at } = entry;
  const paymentId = entry.kind === 'payment' ? entry.paymentId : null;
  const key = kind === 'payment' ? paymentIntent : id;
  const amount = Money.ofCents(cents);
  return { id, key, kind, paymentIntent, paymentId, cents, currency, amount, isOurCurrency: currency === CURRENCY, at };
}

function ourEntry({ id, key, payment_intent, amount_micros, at }: OurRow): BookEntry {
  const amount = Money.fromMicrosText(amount_micros);
  return { id, key, paymentIntent: payment_intent, amount, isOurCurrency: true, at };
}

/** Returns the end of the last comparison, or the time of the earliest difference that is still open. */
async function startOf(tx: Tx, now: Instant): Promise<Instant> {
  const [row] = await tx.query<{ ended: Instant | null; differs: Instant | null }>(
    `select (select to_at from payment_comparisons order by id desc limit 1) as ended,
       (select min(c.from_at) from payment_differences d join payment_comparisons c on c.at = d.first_seen_at
        where d.resolved_at is null and c.from_at >= $1) as differs`,
    [iso(now - AGAIN_MS_MAX)],
  );
  const ended = row?.ended ?? null;
  const from = ended === null ? now - FIRST_MS : ended - OVERLAP_MS;
  return Math.min(from, row?.differs ?? from);
}

const PAYMENTS = `
select id, payment_intent as key, payment_intent, (amount_cents * 10000::bigint)::text as amount_micros, paid_at as at
from checkout_sessions where status = 'paid' and payment_intent is not null and test_mode = $1`;

// A sub-select instead of a join, to use the index per movement instead of scanning all payments.
const MOVEMENTS = `
select m.id, m.id as key, m.payment_intent, m.amount_micros::text, m.created_at as at from payment_movements m
where (select s.test_mode from checkout_sessions s where s.payment_intent = m.payment_intent limit 1) = $1`;

/** Candidates, the most likely first. */
const CANDIDATES = `
select id from checkout_sessions
where kind = 'checkout' and status <> 'paid' and test_mode = $1 and amount_cents = $2 and created_at >= $3 and created_at < $4
order by created_at desc limit $5`;
