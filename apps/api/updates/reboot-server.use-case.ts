import { type DeploymentAnswer, event } from '@moorage/contracts';
import {
  auditLog,
  type DeploymentRow,
  Deployments,
  lookAtRebootAgain,
  openBackup,
  isRebootPlanned,
  planReboot,
  rebootNeed,
  requestChange,
  updateSettings,
} from '@moorage/database';
import { decideReboot, DEFAULT_UPDATE_SETTINGS, DomainError, type Instant, UPDATE_MESSAGES } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { type DeploymentAct, DeploymentActs } from '../deployments/deployment-acts.service';
import { DeploymentAnswers } from '../deployments/deployment-answers.service';
import { notFound, ownerOf, type Viewer } from '../deployments/deployment-view';
import { allowsAction, refuseAction } from '../deployments/refuse-action';
import { AGAIN_MS, DueSettings } from './due-settings.service';
import { updateWindow } from './update-window';

export type RebootTime = 'now' | 'window' | 'never';

const ACTS: Readonly<Record<RebootTime, DeploymentAct>> = {
  now: 'deployment.rebooted',
  window: 'deployment.reboot_planned',
  never: 'deployment.reboot_cancelled',
};

/** Reboots the server of a deployment, now or in its window. The provisioner carries it out. */
@Injectable()
export class RebootServer {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly acts: DeploymentActs,
    private readonly outbox: Outbox,
    private readonly deployments: Deployments,
    private readonly answers: DeploymentAnswers,
    private readonly due: DueSettings,
  ) {}

  reboot({
    viewer,
    id,
    when,
    reason,
  }: {
    viewer: Viewer;
    id: number;
    when: RebootTime;
    reason?: string | null | undefined;
  }): Promise<DeploymentAnswer> {
    return this.db.tx('deployments.reboot', async (tx) => {
      const at = await this.clock.now(tx);
      await ownerOf(tx, id, viewer);
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      if (row.server_type === 'vps') throw new DomainError('DEPLOYMENT_STATE', UPDATE_MESSAGES.reboot_own_server);
      const isPlanned = await isRebootPlanned(tx, id);
      if (when === (isPlanned ? 'window' : 'never')) return this.answers.read(tx, id, viewer);
      if (when !== 'never') await refuseAction(tx, row, 'reboot');
      if (when === 'window' && (await rebootNeed(tx, id)) === null)
        throw new DomainError('DEPLOYMENT_STATE', UPDATE_MESSAGES.reboot_not_needed);
      if (when === 'now' && (await openBackup(tx, id)) !== null)
        throw new DomainError('DEPLOYMENT_STATE', UPDATE_MESSAGES.reboot_backup);
      await this.acts.begin(tx, { id, viewer, action: ACTS[when], reason });
      if (when === 'window') await planReboot(tx, id, { requestedBy: viewer.userId, at });
      else await lookAtRebootAgain(tx, id, null);
      if (when === 'now') await this.begin(tx, { row, requestedBy: viewer.userId, at });
      return this.answers.read(tx, id, viewer);
    });
  }

  /** Looks at the planned reboots that are due. Call it after automatic updates have begun, because they come first. */
  pass(): Promise<void> {
    return this.due.each('reboot_due_at', (tx, id) => this.lookAt(tx, id));
  }

  private async lookAt(tx: Tx, id: number): Promise<void> {
    const at = await this.clock.now(tx);
    const row = await this.deployments.lock(tx, id);
    const [plan] = await tx.query<{ due_at: Instant | null; requested_by: number; update_due_at: Instant | null }>(
      `select reboot_due_at as due_at, reboot_requested_by as requested_by, due_at as update_due_at from update_settings
       where deployment_id = $1 for update`,
      [id],
    );
    if (row === null || plan?.due_at == null || plan.due_at > at) return;
    const window = updateWindow((await updateSettings(tx, id)) ?? DEFAULT_UPDATE_SETTINGS, at);
    const decision = decideReboot({
      isNeeded: (await rebootNeed(tx, id)) !== null,
      isOver: row.desired === 'destroyed' || ['DESTROYED', 'DELETED'].includes(row.status),
      isWindowOpen: window.from <= at,
      isUpdateDue: plan.update_due_at !== null && plan.update_due_at <= at,
      isBackupOpen: (await openBackup(tx, id)) !== null,
      isAllowed: await allowsAction(tx, row, 'reboot'),
    });
    const next = window.from > at ? window.from : at + AGAIN_MS;
    await lookAtRebootAgain(tx, id, decision === 'wait' ? next : null);
    if (decision !== 'begin') return;
    await this.begin(tx, { row, requestedBy: plan.requested_by, at });
    await auditLog.record(tx, {
      action: 'deployment.rebooted',
      subject: `deployment:${id}`,
      accountId: row.user_id,
      facts: { planned: true },
      at,
    });
  }

  /** Starts the reboot of a locked deployment whose status allows it. */
  private async begin(
    tx: Tx,
    { row, requestedBy, at }: { row: DeploymentRow; requestedBy: number; at: Instant },
  ): Promise<void> {
    const { id, user_id } = row;
    await requestChange(tx, { deploymentId: id, kind: 'reboot', before: {}, after: {}, requestedBy, at });
    const changes = { restart_from: row.status, failure: null };
    await this.deployments.move(tx, row, { to: 'RESTARTING', by: 'api', at, changes });
    const data = { deployment_id: id, user_id, kind: 'reboot' } as const;
    await this.outbox.append(tx, event('deployment.change_requested', id, data));
  }
}
