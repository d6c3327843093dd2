import type { DeploymentUpdatesAnswer } from '@moorage/contracts';
import { Deployments, saveUpdateSettings, type UpdateSettings } from '@moorage/database';
import { DomainError, statusMessage, UPDATE_MESSAGES } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { DeploymentActs } from '../deployments/deployment-acts.service';
import { notFound, ownerOf, type Viewer } from '../deployments/deployment-view';
import { FieldsInvalid } from '../http/field-problems';
import { ReadUpdates } from './read-updates.use-case';
import { isTimeZone, updateWindow } from './update-window';

/** Stores which updates of a deployment are installed automatically, and when. */
@Injectable()
export class ChangeUpdateSettings {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly acts: DeploymentActs,
    private readonly deployments: Deployments,
    private readonly updates: ReadUpdates,
  ) {}

  change({
    viewer,
    id,
    settings,
    reason,
  }: {
    viewer: Viewer;
    id: number;
    settings: UpdateSettings;
    reason?: string | null | undefined;
  }): Promise<DeploymentUpdatesAnswer> {
    return this.db.tx('deployments.change-update-settings', async (tx) => {
      const at = await this.clock.now(tx);
      await ownerOf(tx, id, viewer);
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      if (row.desired === 'destroyed' || ['DESTROYED', 'DELETED'].includes(row.status)) {
        const status = statusMessage(row.status, row.deleted_at);
        throw new DomainError('DEPLOYMENT_STATE', UPDATE_MESSAGES.not_updated({ status }));
      }
      if (!isTimeZone(settings.time_zone))
        throw new FieldsInvalid([{ path: 'time_zone', message: UPDATE_MESSAGES.time_zone_unknown }]);
      const { automatic, is_held } = settings;
      await this.acts.begin(tx, {
        id,
        viewer,
        action: 'deployment.update_settings_changed',
        facts: { automatic, is_held },
        reason,
      });
      const isOff = automatic === 'off' || is_held;
      const dueAt = isOff ? null : Math.max(at, updateWindow(settings, at).from);
      await saveUpdateSettings(tx, id, settings, { at, dueAt });
      return this.updates.answer(tx, { viewer, id });
    });
  }
}
