import { type Sent, toSent, type UnpaidEndingAnswer } from '@moorage/contracts';
import type { Deployment } from '@moorage/database';
import { displayName, type Instant, iso, Money, ORDER_MESSAGES } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { notFound } from './deployment-view';

const REPORTED_MAX = 20;

interface Row extends Pick<Deployment, 'id' | 'client_name' | 'server_type'> {
  readonly ended_at: Instant;
  readonly due_micros: string;
  readonly available_micros: string;
  readonly has_backups: boolean;
}

/**
 * Deployments that ended because a charge could not be paid. Their owners are notified until they dismiss the notice.
 */
@Injectable()
export class UnpaidEndings {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /** Returns the newest first, without deployments that their owner has deleted since. */
  list(userId: number): Promise<UnpaidEndingAnswer[]> {
    return this.db.tx('deployments.unpaid-endings', async (tx) => {
      const rows = await tx.query<Row>(
        `select d.id, d.client_name, d.server_type, e.ended_at, e.due_micros::text, e.available_micros::text,
           exists (select from backups b where b.deployment_id = d.id and b.state = 'complete') as has_backups
         from unpaid_endings e join deployments d on d.id = e.deployment_id
         where e.user_id = $1 and e.dismissed_at is null and d.status <> 'DELETED'
         order by e.deployment_id desc limit ${REPORTED_MAX}`,
        [userId],
      );
      return rows.map((row) => ({
        deployment_id: row.id,
        client_name: displayName(row),
        at: iso(row.ended_at),
        due: Money.fromMicrosText(row.due_micros).toWire(),
        available: Money.fromMicrosText(row.available_micros).toWire(),
        server_type: row.server_type,
        has_backups: row.has_backups,
      }));
    });
  }

  /** Dismisses a notice of the caller's own deployment. Idempotent. */
  dismiss(userId: number, id: number): Promise<Sent> {
    return this.db.tx('deployments.dismiss-ending', async (tx) => {
      const at = await this.clock.now(tx);
      const dismissed = await tx.query(
        `update unpaid_endings set dismissed_at = coalesce(dismissed_at, $3)
         where deployment_id = $2 and user_id = $1 returning deployment_id`,
        [userId, id, iso(at)],
      );
      if (dismissed.length === 0) throw notFound();
      return toSent(ORDER_MESSAGES.ending_dismissed);
    });
  }
}
