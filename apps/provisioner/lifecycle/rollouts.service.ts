import { Alerts } from '@moorage/database';
import { FAILURES_UNTIL_STOP, type Instant, iso } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** Stops the rollout of releases to which updates fail. */
@Injectable()
export class Rollouts {
  constructor(private readonly alerts: Alerts) {}

  /** Counts an update that is being undone. The second one stops the rollout for everybody. */
  async failed(
    tx: Tx,
    { package: name, version, at }: { package: string; version: string; at: Instant },
  ): Promise<void> {
    const [rollout] = await tx.query<{ counted_from: Instant }>(
      `select counted_from from release_rollouts where package = $1 and version = $2 and state = 'rolling' for update`,
      [name, version],
    );
    if (rollout === undefined) return;
    const [row] = await tx.query<{ failures: number }>(
      `select count(distinct c.deployment_id)::int as failures
       from deployment_changes c join deployments d on d.id = c.deployment_id
       where c.kind = 'update' and c.after ->> 'release' = $2 and c.taken_back_at >= $3 and d.package = $1`,
      [name, version, iso(rollout.counted_from)],
    );
    const failures = row?.failures ?? 0;
    if (failures < FAILURES_UNTIL_STOP) return;
    await tx.execute(
      `update release_rollouts set state = 'stopped', changed_at = $3, changed_by = null where package = $1 and version = $2`,
      [name, version, iso(at)],
    );
    await this.alerts.raise(tx, { kind: 'release_stopped', subject: `${name} ${version}`, facts: { failures } });
  }
}
