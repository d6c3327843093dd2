import { type DeploymentAnswer, event } from '@moorage/contracts';
import { type DeploymentRow, Deployments, type Move } from '@moorage/database';
import {
  actionsOf,
  againIn,
  CHANGE_MESSAGES,
  type DeploymentAction,
  DomainError,
  type Instant,
  joined,
  lockedReason,
  MOVE_MESSAGES,
  nextRepairAt,
  ORDER_MESSAGES,
  RATE_LIMIT_MESSAGES,
  RESIZE_MESSAGES,
  SECOND_MS,
  statusMessage,
} from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { DeploymentActs } from './deployment-acts.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { notFound, type Viewer } from './deployment-view';
import { refuseMoving } from './moving';

/**
 * The owner's two repairs. Together at most one per 15 minutes, because certificate authorities limit failed attempts
 * per hour.
 */
@Injectable()
export class RepairDeployment {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly deployments: Deployments,
    private readonly answers: DeploymentAnswers,
  ) {}

  /** Restart Stack (Fix SSL): ACTIVE, READY -> RESTARTING. */
  restart(request: { viewer: Viewer; id: number }): Promise<DeploymentAnswer> {
    return this.repair('restart', request, (row, at) => ({
      to: 'RESTARTING',
      by: 'api',
      at,
      changes: { restart_from: row.status, restarted_at: at, failure: null },
    }));
  }

  /** DNS_FAILED -> DNS_VALIDATION. */
  retryDns(request: { viewer: Viewer; id: number }): Promise<DeploymentAnswer> {
    return this.repair('retry_dns', request, (_, at) => ({
      to: 'DNS_VALIDATION',
      by: 'api',
      at,
      changes: { dns_retried_at: at, failure: null },
    }));
  }

  private repair(
    action: 'restart' | 'retry_dns',
    { viewer, id }: { viewer: Viewer; id: number },
    moveOf: (row: DeploymentRow, at: Instant) => Move,
  ): Promise<DeploymentAnswer> {
    return this.db.tx(`deployments.${action.replace('_', '-')}`, async (tx) => {
      const at = await this.clock.now(tx);
      const act = action === 'restart' ? 'deployment.restarted' : 'deployment.dns_retried';
      await this.acts.begin(tx, { id, viewer, action: act });
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      refuseState(row, action);
      await refuseMoving(tx, id);
      refuseTooOften(row, at);
      await this.deployments.move(tx, row, moveOf(row, at));
      const data = { deployment_id: row.id, user_id: row.user_id };
      const name = action === 'restart' ? 'deployment.restart_requested' : 'deployment.dns_retry_requested';
      await this.outbox.append(tx, event(name, row.id, data));
      return this.answers.read(tx, id, viewer);
    });
  }
}

const REFUSED = {
  restart: ORDER_MESSAGES.not_restarted,
  retry_dns: ORDER_MESSAGES.not_validated,
  change_level: ORDER_MESSAGES.not_moved,
  delete: ORDER_MESSAGES.not_deleted,
  deactivate: ORDER_MESSAGES.not_deactivated,
  cancel: ORDER_MESSAGES.not_cancelled,
  change_domain: ORDER_MESSAGES.domain_not_changed,
  restore_deleted: ORDER_MESSAGES.not_restored,
  configure: CHANGE_MESSAGES.not_configured,
  hand_over: ORDER_MESSAGES.not_handed_over,
  resize: RESIZE_MESSAGES.not_resized,
  manage_keys: ORDER_MESSAGES.keys_not_changed,
  manage_domains: ORDER_MESSAGES.domains_not_managed,
  move: MOVE_MESSAGES.not_moved,
  clone: MOVE_MESSAGES.not_cloned,
} as const satisfies Readonly<Record<DeploymentAction, unknown>>;

/**
 * Throws DEPLOYMENT_STATE unless the status allows the action. The same table decides which buttons the console shows.
 */
export function refuseState(row: Pick<DeploymentRow, 'status' | 'deleted_at'>, action: DeploymentAction): void {
  if (row.status === 'DELETED') throw notFound();
  if (actionsOf(row.status).includes(action)) return;
  const status = statusMessage(row.status, row.deleted_at);
  throw new DomainError('DEPLOYMENT_STATE', lockedReason(row.status) ?? REFUSED[action]({ status }));
}

function refuseTooOften(row: DeploymentRow, at: Instant): void {
  const next = nextRepairAt(row);
  if (next === null || at >= next) return;
  const seconds = Math.ceil((next - at) / SECOND_MS);
  throw new DomainError('RATE_LIMITED', joined([RATE_LIMIT_MESSAGES.repairs, againIn(seconds)]), {
    retry_after_s: seconds,
  });
}
