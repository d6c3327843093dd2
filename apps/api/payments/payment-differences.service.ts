import { auditLog, Alerts } from '@moorage/database';
import {
  type DifferenceKind,
  DomainError,
  type Instant,
  iso,
  ORDER_MESSAGES,
  type PaymentDifference,
} from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';

/** Maximum number of differences stored by a comparison. */
const STORED_MAX = 1_000;

interface Found {
  /** All differences of the span, including settled ones. */
  readonly differences: readonly PaymentDifference[];
  readonly span: { readonly from: Instant; readonly to: Instant };
  readonly at: Instant;
}

/**
 * Differences between the payment provider's records and our ledger. They are open until both agree or an administrator
 * settles them.
 */
@Injectable()
export class PaymentDifferences {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly alerts: Alerts,
  ) {}

  /**
   * Stores the differences of a comparison and resolves those that it no longer finds. Returns the number of open
   * differences and the end of the covered span: the end of the comparison, or the time of the first difference that
   * did not fit.
   */
  async store(tx: Tx, { differences, span, at }: Found): Promise<{ open: number; until: Instant }> {
    const settled = await settledIn(
      tx,
      differences.map(({ id }) => id),
    );
    const unsettled = differences.filter((one) => settled.get(one.id) !== amountsOf(one)).sort((a, b) => a.at - b.at);
    for (const difference of unsettled.slice(0, STORED_MAX)) await remember(tx, difference, at);
    await tx.execute(RESOLVE, [differences.map(({ id }) => id), iso(span.from), iso(at)]);
    return { open: await this.reportOpen(tx), until: unsettled[STORED_MAX]?.at ?? span.to };
  }

  /** Closes a difference that was handled manually. It reopens only if one of its amounts changes. */
  settle({ userId }: Caller, id: string, reason: string): Promise<{ id: string; resolved_at: string }> {
    return this.db.tx('payments.settle-difference', async (tx) => {
      const [row] = await tx.query<StoredRow & { is_open: boolean }>(
        `select id, kind, their_micros::text, our_micros::text, resolved_at is null as is_open from payment_differences
         where id = $1 for update`,
        [id],
      );
      if (row === undefined) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.difference_unknown);
      if (!row.is_open) throw new DomainError('PAYMENT_STATE', ORDER_MESSAGES.difference_over);
      const at = await this.clock.now(tx);
      await tx.execute(
        'update payment_differences set resolved_at = $2, settled_by = $3, settled_because = $4 where id = $1',
        [id, iso(at), userId, reason],
      );
      const { kind, their_micros, our_micros } = row;
      const facts = { kind, their_micros, our_micros };
      const subject = `payment_difference:${id}`;
      await auditLog.record(tx, { actor: userId, action: 'payment.difference_settled', subject, facts, reason, at });
      await this.reportOpen(tx);
      return { id, resolved_at: iso(at) };
    });
  }

  private async reportOpen(tx: Tx): Promise<number> {
    const open = await tx.query<{ kind: DifferenceKind; count: number }>(
      'select kind, count(*)::int as count from payment_differences where resolved_at is null group by kind order by kind',
    );
    const facts = Object.fromEntries(open.map(({ kind, count }) => [kind, count]));
    await this.alerts.report(tx, 'payment_differences', open.length === 0 ? [] : [{ facts }]);
    return open.reduce((sum, { count }) => sum + count, 0);
  }
}

interface StoredRow {
  readonly id: string;
  readonly kind: DifferenceKind;
  readonly their_micros: string | null;
  readonly our_micros: string | null;
}

/** Returns those of these differences that are settled, by id, each as a text that changes with its amounts. */
async function settledIn(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<StoredRow>(
    `select id, kind, their_micros::text, our_micros::text from payment_differences
     where id = any($1::text[]) and settled_by is not null`,
    [ids],
  );
  return new Map(rows.map(({ id, kind, their_micros, our_micros }) => [id, textOf([kind, their_micros, our_micros])]));
}

function amountsOf({ kind, theirs, ours }: PaymentDifference): string {
  return textOf([kind, theirs?.micros ?? null, ours?.micros ?? null]);
}

const textOf = (parts: readonly (string | bigint | null)[]): string => parts.map((part) => part ?? 'none').join(' ');

async function remember(tx: Tx, difference: PaymentDifference, at: Instant): Promise<void> {
  const { id, kind, paymentIntent, theirs, ours } = difference;
  await tx.execute(
    `insert into payment_differences as d
       (id, kind, payment_intent, their_micros, our_micros, first_seen_at, last_seen_at) values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (id) do update set kind = excluded.kind, their_micros = excluded.their_micros, our_micros = excluded.our_micros,
       first_seen_at = case when d.resolved_at is null then d.first_seen_at else excluded.first_seen_at end,
       last_seen_at = excluded.last_seen_at, resolved_at = null, settled_by = null, settled_because = null`,
    [id, kind, paymentIntent, theirs?.micros ?? null, ours?.micros ?? null, iso(at)],
  );
}

/** Differences from before the span stay open, because they were not compared. */
const RESOLVE = `
update payment_differences d set resolved_at = $3
where resolved_at is null and id <> all ($1::text[])
  and exists (select from payment_comparisons c where c.at = d.first_seen_at and c.from_at >= $2)`;
