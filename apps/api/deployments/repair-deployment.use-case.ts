import { type DeploymentAnswer, event } from '@moorage/contracts';
import { type DeploymentRow, Deployments, type Move } from '@moorage/database';
import {
  againIn,
  DomainError,
  type Instant,
  joined,
  nextRepairAt,
  RATE_LIMIT_MESSAGES,
  SECOND_MS,
} from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { DeploymentActs } from './deployment-acts.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { notFound, type Viewer } from './deployment-view';
import { refuseAction } from './refuse-action';

interface Request {
  readonly viewer: Viewer;
  readonly id: number;
  /** Required from staff for a restart. */
  readonly reason?: string | null | undefined;
}

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
  restart(request: Request): Promise<DeploymentAnswer> {
    return this.repair('restart', request, (row, at) => ({
      to: 'RESTARTING',
      by: 'api',
      at,
      changes: { restart_from: row.status, restarted_at: at, failure: null },
    }));
  }

  /** DNS_FAILED -> DNS_VALIDATION. */
  retryDns(request: Request): Promise<DeploymentAnswer> {
    return this.repair('retry_dns', request, (_, at) => ({
      to: 'DNS_VALIDATION',
      by: 'api',
      at,
      changes: { dns_retried_at: at, failure: null },
    }));
  }

  private repair(
    action: 'restart' | 'retry_dns',
    { viewer, id, reason }: Request,
    moveOf: (row: DeploymentRow, at: Instant) => Move,
  ): Promise<DeploymentAnswer> {
    return this.db.tx(`deployments.${action.replace('_', '-')}`, async (tx) => {
      const at = await this.clock.now(tx);
      const act = action === 'restart' ? 'deployment.restarted' : 'deployment.dns_retried';
      await this.acts.begin(tx, { id, viewer, action: act, reason });
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      await refuseAction(tx, row, action);
      refuseTooOften(row, at);
      await this.deployments.move(tx, row, moveOf(row, at));
      const data = { deployment_id: row.id, user_id: row.user_id };
      const name = action === 'restart' ? 'deployment.restart_requested' : 'deployment.dns_retry_requested';
      await this.outbox.append(tx, event(name, row.id, data));
      return this.answers.read(tx, id, viewer);
    });
  }
}

function refuseTooOften(row: DeploymentRow, at: Instant): void {
  const next = nextRepairAt(row);
  if (next === null || at >= next) return;
  const seconds = Math.ceil((next - at) / SECOND_MS);
  throw new DomainError('RATE_LIMITED', joined([RATE_LIMIT_MESSAGES.repairs, againIn(seconds)]), {
    retry_after_s: seconds,
  });
}
