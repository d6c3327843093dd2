import {
  auditLog,
  type DeploymentRow,
  Deployments,
  lastChange,
  undoableRestore,
  type UpdateSettings,
} from '@moorage/database';
import { type Instant, iso, isUndoOpen, nextRelease } from '@moorage/domain';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { ReleaseOffers } from '../catalogue/release-offers.service';
import { allowsAction } from '../deployments/refuse-action';
import { AGAIN_MS, DueSettings } from './due-settings.service';
import { UpdateDeployment } from './update-deployment.use-case';
import { updateWindow } from './update-window';

/** Automatic updates to one release that are under way at the same time, so that failures are seen before all have begun. */
const AT_ONCE = 5;

type Chosen = UpdateSettings & { readonly due_at: Instant | null };

/** Begins the updates that owners have allowed, in their windows. */
@Injectable()
export class AutomaticUpdates {
  constructor(
    private readonly due: DueSettings,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly packages: PackageManifests,
    private readonly offers: ReleaseOffers,
    private readonly updates: UpdateDeployment,
  ) {}

  pass(): Promise<void> {
    return this.due.each('due_at', (tx, id) => this.one(tx, id));
  }

  private async one(tx: Tx, id: number): Promise<void> {
    const at = await this.clock.now(tx);
    const row = await this.deployments.lock(tx, id);
    const [chosen] = await tx.query<Chosen>(
      `select automatic, is_held, days, hour, hours, time_zone, due_at from update_settings
       where deployment_id = $1 for update`,
      [id],
    );
    if (row === null || chosen?.due_at == null || chosen.due_at > at) return;
    const due = ['DESTROYED', 'DELETED'].includes(row.status) ? null : await this.lookAt(tx, { row, chosen, at });
    await tx.execute('update update_settings set due_at = $2 where deployment_id = $1', [
      id,
      due === null ? null : iso(due),
    ]);
  }

  /** Begins an update if the window is open and there is one. Returns when to look again. */
  private async lookAt(
    tx: Tx,
    { row, chosen, at }: { row: DeploymentRow; chosen: Chosen; at: Instant },
  ): Promise<Instant> {
    const window = updateWindow(chosen, at);
    if (window.from > at) return window.from;
    const next = updateWindow(chosen, window.to).from;
    const again = at + AGAIN_MS < window.to ? at + AGAIN_MS : next;
    const facts = this.packages.find(row.package);
    if (facts === null) return next;
    const offers = await this.offers.of(tx, facts, { userId: row.user_id, ref: row.ref });
    const to = nextRelease(facts.releases, row.release, { ...offers, automatic: chosen.automatic });
    if (to === null || (await hasFailed(tx, row.id, to.version))) return next;
    // An update would end the undo.
    if (isUndoOpen(await undoableRestore(tx, row.id), at)) return next;
    if (!(await allowsAction(tx, row, 'update')) || (await underWay(tx, row.package, to.version)) >= AT_ONCE)
      return again;
    const { version } = to;
    await this.updates.begin(tx, { row, version, requestedBy: null, at });
    await auditLog.record(tx, {
      action: 'deployment.updated',
      subject: `deployment:${row.id}`,
      accountId: row.user_id,
      facts: { version, automatic: true },
      at,
    });
    return next;
  }
}

/** Returns whether the latest update to this release has failed. Only a person tries it again. */
async function hasFailed(tx: Tx, id: number, version: string): Promise<boolean> {
  const last = await lastChange(tx, id, 'update');
  return last?.state === 'failed' && last.after.release === version;
}

async function underWay(tx: Tx, packageName: string, version: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from deployment_changes c join deployments d on d.id = c.deployment_id
     where c.kind = 'update' and c.state in ('running', 'undoing') and c.requested_by is null
       and c.after ->> 'release' = $2 and d.package = $1`,
    [packageName, version],
  );
  return row?.count ?? 0;
}
