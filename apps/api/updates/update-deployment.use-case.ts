import { type DeploymentAnswer, event } from '@moorage/contracts';
import { type DeploymentRow, Deployments, requestChange, updateSettings } from '@moorage/database';
import {
  DomainError,
  type Instant,
  nextRelease,
  newerReleases,
  isReachable,
  ORDER_MESSAGES,
  runningRelease,
  UPDATE_MESSAGES,
} from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { DeploymentActs } from '../deployments/deployment-acts.service';
import { DeploymentAnswers } from '../deployments/deployment-answers.service';
import { notFound, ownerOf, type Viewer } from '../deployments/deployment-view';
import { refuseAction } from '../deployments/refuse-action';
import { FieldsInvalid } from '../http/field-problems';
import { ReleaseOffers } from '../catalogue/release-offers.service';

/** Updates a deployment to a newer release. The provisioner carries it out and can undo it. */
@Injectable()
export class UpdateDeployment {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly acts: DeploymentActs,
    private readonly outbox: Outbox,
    private readonly deployments: Deployments,
    private readonly packages: PackageManifests,
    private readonly offers: ReleaseOffers,
    private readonly answers: DeploymentAnswers,
  ) {}

  update({
    viewer,
    id,
    version,
    reason,
  }: {
    viewer: Viewer;
    id: number;
    version: string;
    reason?: string | null | undefined;
  }): Promise<DeploymentAnswer> {
    return this.db.tx('deployments.update', async (tx) => {
      const at = await this.clock.now(tx);
      await ownerOf(tx, id, viewer);
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      await refuseAction(tx, row, 'update');
      if ((await updateSettings(tx, id))?.is_held === true)
        throw new DomainError('DEPLOYMENT_STATE', UPDATE_MESSAGES.held);
      await this.acts.begin(tx, { id, viewer, action: 'deployment.updated', facts: { version }, reason });
      await this.begin(tx, { row, version, requestedBy: viewer.userId, at });
      return this.answers.read(tx, id, viewer);
    });
  }

  /** Starts the update of a locked deployment whose status allows it. `requestedBy` is null for an automatic update. */
  async begin(
    tx: Tx,
    { row, version, requestedBy, at }: { row: DeploymentRow; version: string; requestedBy: number | null; at: Instant },
  ): Promise<void> {
    const { id, user_id: userId } = row;
    const facts = this.packages.find(row.package);
    const running = facts === null ? null : runningRelease(facts.releases, row.release);
    if (facts === null || running === null) throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.package_unknown);
    const offers = await this.offers.of(tx, facts, { userId, ref: row.ref });
    const to = newerReleases(facts.releases, row.release).find((release) => release.version === version);
    if (to === undefined || !offers.isOffered(to))
      throw new FieldsInvalid([{ path: 'version', message: UPDATE_MESSAGES.unknown }]);
    if (!isReachable(facts.releases, row.release, to, offers)) {
      const next = nextRelease(facts.releases, row.release, offers);
      const message =
        next === null ? UPDATE_MESSAGES.unknown : UPDATE_MESSAGES.not_direct({ version, next: next.version });
      throw new FieldsInvalid([{ path: 'version', message }]);
    }
    // The data from before an earlier restore belongs to the release that runs now.
    await tx.execute('update restores set undo_until = null where deployment_id = $1 and undo_until is not null', [id]);
    await requestChange(tx, {
      deploymentId: id,
      kind: 'update',
      before: { release: row.release, version: running.version },
      after: { release: version },
      requestedBy,
      at,
    });
    const changes = { restart_from: row.status, failure: null };
    await this.deployments.move(tx, row, { to: 'RESTARTING', by: 'api', at, changes });
    const data = { deployment_id: id, user_id: userId, kind: 'update' } as const;
    await this.outbox.append(tx, event('deployment.change_requested', id, data));
  }
}
