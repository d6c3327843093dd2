import { type DeploymentAnswer, DEPLOYMENTS_CALLS, event } from '@moorage/contracts';
import { Deployments } from '@moorage/database';
import {
  DomainError,
  hasBackups,
  HOUR_MS,
  type Instant,
  iso,
  isoOrNull,
  LEVEL_CHANGEABLE,
  RATE_LIMIT_MESSAGES,
  SECOND_MS,
  startOfHour,
  type SupportLevel,
} from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { keptUntil } from '../backup-policy/retained-copies';
import { Idempotency } from '../http/idempotency.service';
import { DeploymentActs } from './deployment-acts.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { notFound, ownerOf, viewDeployment, type Viewer } from './deployment-view';
import { refuseAction, refuseState } from './refuse-action';

export interface SupportLevelQuote {
  readonly support_level: SupportLevel;
  readonly hourly_cost: number;
  readonly daily_cost: number;
  readonly today: number;
  readonly needed: number;
  readonly available: number;
  readonly runs_until: { readonly now: string | null; readonly then: string | null };
  readonly backups_kept_until: string | null;
}

/** Changes the support level of a running deployment. */
@Injectable()
export class SupportLevels {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly ledger: Ledger,
    private readonly deployments: Deployments,
    private readonly idempotency: Idempotency,
    private readonly answers: DeploymentAnswers,
  ) {}

  /**
   * Allows at most one change per clock hour. The new rate applies from the next hour (decisions 8). `key` is the
   * Idempotency-Key header.
   */
  change({
    viewer,
    id,
    level,
    reason,
    key,
  }: {
    viewer: Viewer;
    id: number;
    level: SupportLevel;
    reason?: string | null | undefined;
    key: string | null;
  }): Promise<DeploymentAnswer> {
    const call = DEPLOYMENTS_CALLS.changeSupportLevel;
    const what = [call.method, call.path, { id, level }];
    const request = this.idempotency.keyed({ userId: viewer.userId, key, call, what });
    return this.idempotency.tx('deployments.change-support-level', request, async (tx, at) => {
      const userId = await ownerOf(tx, id, viewer);
      // Settled first, because an amount due by now may end this deployment.
      await this.ledger.settleAccount(tx, { userId, at });
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      await refuseAction(tx, row, 'change_level');
      if (row.support_level !== level) {
        refuseTooMany(row.level_changed_at, at);
        await this.acts.begin(tx, { id, viewer, action: 'deployment.level_changed', facts: { level }, reason });
        const changed = await this.ledger.changeLevel(tx, {
          userId,
          deploymentId: id,
          supportLevel: level,
          at,
          actorUserId: viewer.userId,
          cause: request?.cause,
        });
        await tx.execute(
          'update deployments set support_level = $2, level_changed_at = $3, updated_at = $3, version = version + 1 where id = $1',
          [id, level, iso(changed.at)],
        );
        const data = { deployment_id: id, user_id: userId, from_level: row.support_level, to_level: level };
        await this.outbox.append(tx, event('deployment.support_level_changed', id, data));
      }
      return this.answers.read(tx, id, viewer);
    });
  }

  quote({ viewer, id, level }: { viewer: Viewer; id: number; level: SupportLevel }): Promise<SupportLevelQuote> {
    return this.db.tx('deployments.quote-support-level', async (tx) => {
      const at = await this.clock.now(tx);
      const { status, user_id: userId, deleted_at } = await viewDeployment(tx, id, viewer);
      if (!LEVEL_CHANGEABLE.includes(status)) refuseState({ status, deleted_at }, 'change_level');
      const { hourly, daily, today, needed, available, runsUntil } = await this.ledger.quoteRate(tx, {
        userId,
        deploymentId: id,
        supportLevel: level,
        at,
      });
      return {
        support_level: level,
        hourly_cost: hourly.toWire(),
        daily_cost: daily.toWire(),
        today: today.toWire(),
        needed: needed.toWire(),
        available: available.toWire(),
        runs_until: { now: isoOrNull(runsUntil.now), then: isoOrNull(runsUntil.then) },
        backups_kept_until: hasBackups(level) ? null : isoOrNull(await keptUntil(tx, { id, level, isGone: false, at })),
      };
    });
  }
}

function refuseTooMany(changedAt: Instant | null, at: Instant): void {
  if (changedAt === null || startOfHour(changedAt) < startOfHour(at)) return;
  const seconds = Math.ceil((startOfHour(at) + HOUR_MS - at) / SECOND_MS);
  throw new DomainError('RATE_LIMITED', RATE_LIMIT_MESSAGES.level_hourly, {
    retry_after_s: seconds,
  });
}
