import type { Instant } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { AuditRecord } from './entities';

export const AUDIT_ACTIONS = [
  'account.created',
  'account.deactivated',
  'account.demoted',
  'account.erased',
  'account.prepared',
  'account.promoted',
  'account.reactivated',
  'account.signed_out',
  'account.two_factor_reset',
  'account.view_ended',
  'account.viewed',
  'automatic_top_up.changed',
  'balance.adjusted',
  'card.removed',
  'card.saved',
  'credit.adjusted',
  'free_credits.approved',
  'free_credits.redeemed',
  'free_credits.rejected',
  'payment.refund_refused',
  'payment.refund_requested',
  'payment.refused',
  'deployment.reopened',
  'deployment.secrets_revealed',
  'event.retried',
  'event.skipped',
  'provider.breaker_closed',
  'provider.breaker_opened',
  'provider.project_forgotten',
  'provider.project_pinned',
  'referral.approved',
  'referral.rejected',
  'server.loss_confirmed',
  'server.reappeared',
  'server.removal_confirmed',
  'server.address_changed',
  'server.without_owner',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditEntry {
  /** The user who acted; left out: an operator at the command line (named in the facts), or the product itself. */
  readonly actor?: number;
  readonly action: AuditAction;
  /** As `deployment:42`. */
  readonly subject: string;
  /** Ids, amounts and reasons, never a secret. */
  readonly facts: object;
  readonly at: Instant;
}

/** Who did what, recorded in the transaction that does it. Records are never changed or removed. */
export const auditLog = {
  record: async (tx: Tx, { actor, action, subject, facts, at }: AuditEntry): Promise<void> => {
    await tx.repository(AuditRecord).insert({ actor_user_id: actor ?? null, action, subject, facts, at });
  },
  hasRecord: (tx: Tx, entry: Pick<AuditEntry, 'action' | 'subject'>): Promise<boolean> =>
    tx.repository(AuditRecord).existsBy(entry),
} as const;
