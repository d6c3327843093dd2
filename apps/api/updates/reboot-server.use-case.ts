import { type DeploymentAnswer, event } from '@moorage/contracts';
import {
  auditLog,
  type DeploymentRow,
  Deployments,
  openBackup,
  plannedReboot,
  planReboot,
  rebootNeed,
  requestChange,
  updateSettings,
} from '@moorage/database';
import {
  decideReboot,
  DEFAULT_UPDATE_SETTINGS,
  DomainError,
  type Instant,
  iso,
  MINUTE_MS,
  UPDATE_MESSAGES,
} from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { type DeploymentAct, DeploymentActs } from '../deployments/deployment-acts.service';
import { DeploymentAnswers } from '../deployments/deployment-answers.service';
import { notFound, ownerOf, type Viewer } from '../deployments/deployment-view';
import { allowsAction, refuseAction } from '../deployments/refuse-action';
import { updateWindow } from './update-window';

export type RebootTime = 'now' | 'window' | 'never';

const ACTS: Readonly<Record<RebootTime, DeploymentAct>> = {
  now: 'deployment.rebooted',
  window: 'deployment.reboot_planned',
  never: 'deployment.reboot_cancelled',
};

/** Deployments that one pass looks at. The others follow in the next minute. */
const PER_PASS = 50;
/** Time after which a server that can't be rebooted now is looked at again within its window. */
const AGAIN_MS = 5 * MINUTE_MS;

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
    private readonly log: Log,
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
      const isPlanned = (await plannedReboot(tx, id)) !== null;
      if (when === (isPlanned ? 'window' : 'never')) return this.answers.read(tx, id, viewer);
      if (when !== 'never') await refuseAction(tx, row, 'reboot');
      if (when === 'window' && (await rebootNeed(tx, id)) === null)
        throw new DomainError('DEPLOYMENT_STATE', UPDATE_MESSAGES.reboot_not_needed);
      if (when === 'now' && (await openBackup(tx, id)) !== null)
        throw new DomainError('DEPLOYMENT_STATE', UPDATE_MESSAGES.reboot_backup);
      await this.acts.begin(tx, { id, viewer, action: ACTS[when], reason });
      await planReboot(tx, id, when === 'window' ? { due_at: at, requested_by: viewer.userId } : null, { at });
      if (when === 'now') await this.begin(tx, { row, requestedBy: viewer.userId, at });
      return this.answers.read(tx, id, viewer);
    });
  }

  /** Looks at the planned reboots that are due. Call it after automatic updates have begun, because they come first. */
  async pass(): Promise<void> {
    const due = await this.db.tx('reboots.due', async (tx) =>
      tx.query<{ deployment_id: number }>(
        `select deployment_id from update_settings where reboot_due_at <= $1 order by reboot_due_at limit ${PER_PASS}`,
        [iso(await this.clock.now(tx))],
      ),
    );
    for (const { deployment_id: id } of due) {
      try {
        await this.db.tx('reboots.one', (tx) => this.lookAt(tx, id));
      } catch (error) {
        this.log.error('a planned reboot could not begin', {
          deployment_id: id,
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    }
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
    await planReboot(tx, id, decision === 'wait' ? { ...plan, due_at: next } : null, { at });
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
