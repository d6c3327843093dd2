import { Money, type RefundFacts } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/**
 * Reads the facts that limit a refund of a payment. A request counts until a balance transaction shows its money or the
 * provider has given it up.
 */
export async function readRefundFacts(
  tx: Tx,
  { id, amount_cents, payment_intent }: { id: string; amount_cents: number; payment_intent: string },
): Promise<RefundFacts> {
  const [row] = await tx.query<{ borne: string; requested: number }>(FACTS, [payment_intent, id]);
  return {
    paid: Money.ofCents(amount_cents),
    borne: Money.fromMicrosText(row?.borne ?? '0'),
    requested: Money.ofCents(row?.requested ?? 0),
  };
}

const FACTS = `
select
  ((select coalesce(sum(case when kind in ('refund', 'dispute') then posted_micros else -posted_micros end), 0)
    from payment_movements where payment_intent = $1)
  + (select coalesce(sum(withdrawn_micros), 0) from payment_withdrawals where payment_intent = $1))::text as borne,
  (select coalesce(sum(q.amount_cents), 0)::int from refund_requests q
   where q.payment_id = $2 and q.state <> 'refused' and not exists (
     select from payment_reversals r where r.payment_intent = $1 and r.refund_request_id = q.id
       and (r.status in ('failed', 'canceled') or exists (select from payment_movements m where m.payment_intent = $1 and m.reversal_id = r.id))
   )) as requested`;
