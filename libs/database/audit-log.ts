import { HOUR_MS, type Instant } from '@moorage/domain';
import { currentActor, iso, type Tx } from '@moorage/server';
import { MoreThan } from 'typeorm';
import { AuditOrigin, AuditRecord } from './entities';

export const AUDIT_ACTIONS = [
  'account.api_token_created',
  'account.api_token_revoked',
  'account.created',
  'account.deactivated',
  'account.demoted',
  'account.email_change_requested',
  'account.email_changed',
  'account.erased',
  'account.export_requested',
  'account.password_changed',
  'account.password_reset',
  'account.prepared',
  'account.promoted',
  'account.reactivated',
  'account.recovery_codes_renewed',
  'account.sessions_ended',
  'account.signed_out',
  'account.two_factor_off',
  'account.two_factor_on',
  'account.two_factor_reset',
  'account.username_changed',
  'account.view_ended',
  'account.viewed',
  'automatic_top_up.changed',
  'automatic_top_up.stopped',
  'balance.adjusted',
  'card.removed',
  'card.saved',
  'conversation.answered',
  'conversation.assigned',
  'conversation.closed',
  'conversation.noted',
  'conversation.read',
  'credit.adjusted',
  'document.read',
  'free_credits.approved',
  'free_credits.redeemed',
  'free_credits.rejected',
  'payment.difference_settled',
  'payment.refund_refused',
  'payment.refund_requested',
  'payment.refused',
  'deployment.backup_bucket_checked',
  'deployment.backup_bucket_removed',
  'deployment.backup_bucket_set',
  'deployment.backup_download_linked',
  'deployment.backup_downloaded',
  'deployment.backup_key_read',
  'deployment.backup_requested',
  'deployment.cancelled',
  'deployment.configured',
  'deployment.copy_ordered',
  'deployment.deactivated',
  'deployment.delete_undone',
  'deployment.deleted',
  'deployment.deletion_lock_changed',
  'deployment.depleted',
  'deployment.dns_records_created',
  'deployment.dns_retried',
  'deployment.domain_added',
  'deployment.domain_changed',
  'deployment.handed_over',
  'deployment.domain_removed',
  'deployment.level_changed',
  'deployment.clone_ordered',
  'deployment.move_cancelled',
  'deployment.move_ended',
  'deployment.move_failed',
  'deployment.move_finished',
  'deployment.move_ordered',
  'deployment.ordered',
  'deployment.renamed',
  'deployment.reopened',
  'deployment.resized',
  'deployment.updated',
  'deployment.update_done',
  'deployment.update_undone',
  'deployment.update_not_begun',
  'deployment.update_not_undone',
  'deployment.update_settings_changed',
  'deployment.rebooted',
  'deployment.reboot_done',
  'deployment.reboot_failed',
  'deployment.reboot_planned',
  'deployment.reboot_cancelled',
  'release.decided',
  'deployment.container_restarted',
  'deployment.logs_read',
  'deployment.restarted',
  'deployment.server_removed',
  'deployment.server_started',
  'deployment.restore_undone',
  'deployment.restored',
  'deployment.retried',
  'deployment.secrets_revealed',
  'deployment.ssh_key_added',
  'deployment.ssh_key_removed',
  'event.retried',
  'event.skipped',
  'leak.adoption_requested',
  'leak.kept',
  'leak.removal_requested',
  'provider.breaker_closed',
  'provider.breaker_opened',
  'provider.credentials_entered',
  'provider.credentials_refused',
  'provider.credentials_removed',
  'provider.credentials_replaced',
  'provider.project_confirmed',
  'provider.leak_not_removed',
  'provider.leak_removed',
  'provider.project_forgotten',
  'provider.project_pinned',
  'provider.rules_not_repaired',
  'provider.rules_repaired',
  'referral.approved',
  'referral.rejected',
  'server.loss_confirmed',
  'server.reappeared',
  'server.removal_confirmed',
  'server.address_changed',
  'server.adopted',
  'server.without_owner',
  'server.without_owner_given_up',
  'server.without_owner_removed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditEntry {
  /** User who acted. Omitted for an operator at the command line (named in the facts) and for the product itself. */
  readonly actor?: number;
  readonly action: AuditAction;
  /** Subject, such as `deployment:42`. */
  readonly subject: string;
  /** Account concerned, if the subject does not determine it (`user:7` and `deployment:42` do). Null for none. */
  readonly accountId?: number | null;
  /** IDs, amounts and reasons, never a secret. */
  readonly facts: object;
  /** Reason why staff acts on a customer's account, visible to its owner. */
  readonly reason?: string | undefined;
  readonly at: Instant;
}

/** Interval after which a repeated read of the same subject is recorded again. */
const READ_AGAIN_MS = HOUR_MS;

/**
 * Records actions in the transaction that performs them. Credential, network and device are taken from the current
 * request. Records are never changed or removed.
 */
export const auditLog = {
  record: async (tx: Tx, { actor, action, subject, accountId, facts, reason, at }: AuditEntry): Promise<void> => {
    const request = currentActor();
    const isActors = request !== undefined && request.userId === actor;
    const [row] = await tx.query<{ id: string }>(
      `insert into audit_records (actor_user_id, action, subject, facts, at, account_id, reason, via, credential_number)
       values ($1, $2, $3, $4, $5, ${accountOf(subject, accountId)}, $6, $7, ${isActors ? CREDENTIALS[request.via] : 'null'})
       returning id`,
      [
        actor ?? null,
        action,
        subject,
        JSON.stringify(facts),
        iso(at),
        reason ?? null,
        isActors ? request.via : null,
        ...(isActors ? [request.credentialId] : []),
      ],
    );
    if (!isActors || row === undefined) return;
    await tx.repository(AuditOrigin).insert({
      record_id: row.id,
      actor_user_id: request.userId,
      ip_address: request.ip,
      user_agent: request.userAgent,
      at,
    });
  },
  /** Records that staff has read customer data, at most once an hour or in `again_ms`. */
  recordRead: async (
    tx: Tx,
    entry: AuditEntry & { readonly actor: number },
    again_ms = READ_AGAIN_MS,
  ): Promise<void> => {
    const { actor, action, subject, at } = entry;
    const since = MoreThan(at - again_ms);
    const before = await tx.repository(AuditRecord).existsBy({ actor_user_id: actor, action, subject, at: since });
    if (!before) await auditLog.record(tx, entry);
  },
  hasRecord: (tx: Tx, entry: Pick<AuditEntry, 'action' | 'subject'>): Promise<boolean> =>
    tx.repository(AuditRecord).existsBy(entry),
} as const;

/**
 * SQL for the number of the request's credential. $8 is its ID. The ID of a session is in its token and is not stored.
 */
const CREDENTIALS = {
  session: '(select number from sessions where id = $8)',
  api_token: '$8::text::int',
  view: 'null',
} as const;

/** Returns SQL for the account that a subject belongs to. */
function accountOf(subject: string, given: number | null | undefined): string {
  if (given !== undefined) return given === null ? 'null' : String(Math.trunc(given));
  const [, kind, id] = /^(user|deployment):([0-9]{1,10})$/.exec(subject) ?? [];
  if (kind === undefined || id === undefined) return 'null';
  return kind === 'user' ? id : `(select user_id from deployments where id = ${id})`;
}
