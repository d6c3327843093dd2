import {
  BACKUP_WORK,
  deploymentSecrets,
  DNS_CHECK_WORK,
  ownServerSecrets,
  RUN_WORK,
  SSH_PRIVATE_KEY,
  SSH_PUBLIC_KEY,
  sudoPassword,
} from '@moorage/contracts';
import {
  type ChangeRow,
  type DeploymentRow,
  Deployments,
  findBackup,
  hasCopies,
  type MoveChanges,
  openBackup,
  openChange,
  openMoveTo,
  openRestore,
  isSwitchedOff,
  planOfRestart,
} from '@moorage/database';
import {
  BACKUP_MESSAGES,
  CHANGE_MESSAGES,
  type DeploymentStatus,
  getsLastBackup,
  hasBackups,
  type Instant,
  joined,
  type Message,
  type Plan,
  REPLACES_STACK,
  RESIZE_MESSAGES,
  UNDOING,
  UPDATE_MESSAGES,
} from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BackupOptions } from '../backups/backup-options';
import { Restores } from '../backups/restores.service';
import { noteServer, serverGone } from '../server-store/server-store';
import { Changes } from './changes.service';
import { Rollouts } from './rollouts.service';
import { endRun, hasIpv6, isOutdated, runningRun, startDnsRun, startRun } from '../runs/run-store';
import type { Memory, RunRow } from '../runs/step';

/**
 * Statuses in which a run of the plan has something to do. In any other status, the deployment has moved on without it.
 */
const STATUSES_OF: Readonly<Record<Plan, readonly DeploymentStatus[]>> = {
  create: ['CREATING', 'PROVISIONING', 'DNS_VALIDATION'],
  'validate-dns': ['DNS_VALIDATION'],
  'change-domain': ['DNS_VALIDATION'],
  restart: ['RESTARTING'],
  restore: ['RESTARTING'],
  'undo-restore': ['RESTARTING'],
  configure: ['RESTARTING'],
  'undo-configure': ['RESTARTING'],
  resize: ['RESTARTING'],
  'undo-resize': ['RESTARTING'],
  update: ['RESTARTING'],
  'undo-update': ['RESTARTING'],
  reboot: ['RESTARTING'],
  'undo-reboot': ['RESTARTING'],
  destroy: ['DESTROYING', 'FAILED'],
};

/**
 * Memory of a destroy run that cleans up after a failure. A deployment that had such a run ends DELETED (decisions 22).
 */
const CLEAN_UP: Memory = { clean_up: true };

/** Statuses from which the provisioner itself moves a marked deployment to DESTROYING. */
const IN_FLIGHT_OF_OURS: readonly DeploymentStatus[] = ['CREATING', 'PROVISIONING', 'DNS_VALIDATION', 'RESTARTING'];

/**
 * Decides when runs start and how their end affects the deployment. Every method needs the deployment's lock and runs
 * in the caller's transaction.
 */
@Injectable()
export class RunLifecycle {
  constructor(
    private readonly deployments: Deployments,
    private readonly work: WorkSchedule,
    private readonly secrets: Secrets,
    private readonly restores: Restores,
    private readonly changes: Changes,
    private readonly rollouts: Rollouts,
    private readonly backups: BackupOptions,
  ) {}

  /**
   * Returns whether the run may continue. It may not if the deployment is to be destroyed, has another domain, or has a
   * status that does not belong to the plan.
   */
  mayGoOn(run: RunRow, row: DeploymentRow): boolean {
    if (run.plan !== 'destroy' && row.desired === 'destroyed') return false;
    return !isOutdated(run, row) && STATUSES_OF[run.plan].includes(row.status);
  }

  /**
   * Cancels a run, moves a marked deployment to DESTROYING, and starts the run that is now required. Cancellation needs
   * nothing else.
   */
  async cancel(tx: Tx, run: RunRow, row: DeploymentRow, at: Instant): Promise<void> {
    await endRun(tx, run.id, { state: 'cancelled', at });
    await this.endRestore(tx, run, row, at, BACKUP_MESSAGES.gone);
    await this.changes.fail(tx, row.id, at, CHANGE_MESSAGES.gone);
    await this.ensureRun(tx, (await this.deployments.lock(tx, row.id)) ?? row, at);
  }

  /** Ends a run after its last step. */
  async finish(tx: Tx, run: RunRow, row: DeploymentRow, at: Instant, memory: Memory): Promise<void> {
    await endRun(tx, run.id, { state: 'done', at, memory });
    switch (run.plan) {
      case 'create':
        await this.restores.finish(tx, row.id, at);
        await this.move(tx, row, row.domain === null ? 'ACTIVE' : 'READY', at, { failure: null });
        return;
      case 'validate-dns':
      case 'change-domain':
        await this.move(tx, row, 'READY', at, { failure: null });
        return;
      case 'restart': {
        const from = row.restart_from ?? 'READY';
        // A deployment that was deleted in DNS_FAILED has passed these checks now.
        await this.move(tx, row, from === 'DNS_FAILED' ? 'READY' : from, at, { failure: null, restart_from: null });
        return;
      }
      case 'destroy':
        await this.finishDestroy(tx, row, at, { ...run.memory, ...memory });
        return;
      case 'restore':
        await this.restores.finish(tx, row.id, at);
        await this.move(tx, row, row.restart_from ?? 'READY', at, { failure: null, restart_from: null });
        return;
      case 'undo-restore': {
        const failure = await this.restores.undone(tx, row.id, at);
        await this.move(tx, row, row.restart_from ?? 'READY', at, { failure, restart_from: null });
        return;
      }
      case 'configure':
      case 'resize':
      case 'update':
      case 'reboot':
        await this.changes.finish(tx, row.id, at);
        await this.move(tx, row, row.restart_from ?? 'READY', at, { failure: null, restart_from: null });
        return;
      case 'undo-configure':
      case 'undo-resize':
      case 'undo-update':
      case 'undo-reboot': {
        const failure = await this.changes.undone(tx, row.id, at);
        await this.move(tx, row, row.restart_from ?? 'READY', at, { failure, restart_from: null });
        return;
      }
    }
  }

  /** Ends a run as failed, without further attempts. `reason` is the message for the customer. */
  async fail(tx: Tx, run: RunRow, row: DeploymentRow, at: Instant, reason: Message): Promise<void> {
    if (isFinal(run)) return this.finish(tx, run, row, at, {});
    await endRun(tx, run.id, { state: 'failed', at, reason });
    if (run.plan === 'create') await this.endRestore(tx, run, row, at, reason);
    switch (row.status) {
      case 'CREATING':
      case 'PROVISIONING': {
        const failed = await this.move(tx, row, 'FAILED', at, { failure: reason, destroy_reason: 'failed' });
        if (row.server_exists)
          await startRun(tx, this.work, { plan: 'destroy', deployment: failed, at, memory: CLEAN_UP });
        return;
      }
      case 'DNS_VALIDATION':
        return this.dnsFailed(tx, row, at, reason);
      case 'RESTARTING': {
        if (run.plan === 'restore' || run.plan === 'undo-restore') return this.restoreFailed(tx, run, row, at, reason);
        const change = await openChange(tx, row.id);
        if (change?.kind === 'configuration') return this.changeFailed(tx, run, row, at, reason);
        if (change?.kind === 'resize') return this.resizeFailed(tx, run, row, at, reason);
        if (change?.kind === 'reboot') return this.rebootFailed(tx, run, row, at, reason);
        if (change?.kind === 'update') return this.updateFailed(tx, { run, row, change, at, reason });
        if (run.steps[run.position] === 'validate-dns' || run.steps[run.position] === 'issue-certificate') {
          return this.dnsFailed(tx, row, at, reason);
        }
        if (row.restart_from === 'DNS_FAILED') return this.dnsFailed(tx, row, at, reason);
        await this.move(tx, row, row.restart_from ?? 'READY', at, { failure: reason, restart_from: null });
        return;
      }
      case 'ACTIVE':
      case 'READY':
      case 'DNS_FAILED':
      case 'DESTROYING':
      case 'FAILED':
      case 'DESTROYED':
      case 'DELETED':
        return;
    }
  }

  /**
   * Starts the run that the row requires, unless a run is in progress. Level-triggered. Events and the sweep call only
   * this.
   */
  async ensureRun(tx: Tx, row: DeploymentRow, at: Instant): Promise<void> {
    const start = (plan: Plan, memory?: Memory): Promise<boolean> => this.start(tx, plan, row, at, memory);
    const marked = row.desired === 'destroyed' && IN_FLIGHT_OF_OURS.includes(row.status);
    if (marked) {
      // A run in progress sees the mark at its next step boundary, so it is only made due.
      if (await this.makeDue(tx, row.id, at)) return;
      const now = await this.move(tx, row, 'DESTROYING', at, { restart_from: null });
      await this.start(tx, 'destroy', now, at);
      return;
    }
    switch (row.status) {
      case 'CREATING':
      case 'PROVISIONING':
        await start('create');
        return;
      case 'DNS_VALIDATION':
        // As with the mark, a run for the previous domain sees at its next step boundary that it is outdated.
        if (!(await startDnsRun(tx, this.work, { deployment: row, at })) && row.stack_outdated)
          await this.makeDue(tx, row.id, at);
        return;
      case 'RESTARTING':
        // The destroy run of an undone delete ends at its next step boundary.
        if (!(await start(await planOfRestart(tx, row.id))) && row.deleted_from !== null)
          await this.makeDue(tx, row.id, at);
        return;
      case 'DESTROYING':
        if (!(await start('destroy'))) await this.makeDue(tx, row.id, at);
        return;
      case 'FAILED':
        // If a lost server has reappeared, only an administrator decides about it.
        if (row.lost_from !== null) return;
        if (row.server_exists && (row.server_type === 'new' || !(await failedBefore(tx, row.id)))) {
          await start('destroy', CLEAN_UP);
        }
        return;
      case 'DNS_FAILED':
        return this.scheduleDnsRecheck(tx, row, at);
      case 'ACTIVE':
      case 'READY':
      case 'DESTROYED':
      case 'DELETED':
        return;
    }
  }

  private async start(tx: Tx, plan: Plan, deployment: DeploymentRow, at: Instant, memory?: Memory): Promise<boolean> {
    const moves = plan === 'create' && (await openMoveTo(tx, deployment.id)) !== null;
    const restores = moves || (plan === 'create' && (await openRestore(tx, deployment.id)) !== null);
    const restore = plan === 'restore' ? await openRestore(tx, deployment.id) : null;
    const backup = restore === null ? null : await findBackup(tx, restore.backup_id);
    const otherRelease = backup !== null && backup.release !== restore?.release_before;
    const uploads = REPLACES_STACK.includes(plan) || plan === 'undo-restore' || otherRelease;
    const lastBackup = plan === 'destroy' && memory === undefined && this.wantsLastBackup(deployment);
    return startRun(tx, this.work, {
      plan,
      deployment,
      at,
      restores,
      moves,
      last_backup: lastBackup,
      hands_over: plan === 'destroy' && deployment.destroy_reason === 'handed_over',
      backs_up: (plan === 'resize' || plan === 'update') && this.areBackupsOn(deployment),
      other_release: otherRelease,
      switched_off: plan === 'restart' && (await isSwitchedOff(tx, deployment.id)),
      memory: { ...memory, ...(uploads ? { ipv6: await hasIpv6(tx, deployment.id) } : {}) },
    });
  }

  /** Returns whether a deployment that ran out of money (decisions 9) or was deleted gets a last backup. */
  private wantsLastBackup(row: DeploymentRow): boolean {
    const { destroy_reason: reason, support_level: level, deleted_from: status } = row;
    if (!row.server_exists) return false;
    const mode = this.backups.modeOf(row);
    if (reason === 'deleted') return status !== null && getsLastBackup({ mode, level, status });
    return reason === 'depleted' && row.billable_from !== null && this.areBackupsOn(row);
  }

  private areBackupsOn(row: DeploymentRow): boolean {
    return hasBackups(row.support_level) && this.backups.modeOf(row) !== 'off';
  }

  /** Ends the restore of a run that ends early, as done or as failed. */
  private endRestore(tx: Tx, run: RunRow, row: DeploymentRow, at: Instant, reason: Message): Promise<void> {
    const isDone = run.plan === 'create' && run.position > run.steps.indexOf('swap-data');
    return isDone ? this.restores.finish(tx, row.id, at) : this.restores.fail(tx, row.id, at, reason);
  }

  /**
   * Ends a failed restore. If restored data or the files of its release are in place, those from before are put back
   * automatically. Before that, nothing has changed.
   */
  private async restoreFailed(tx: Tx, run: RunRow, row: DeploymentRow, at: Instant, reason: Message): Promise<void> {
    const swap = run.steps.indexOf('swap-data');
    const upload = run.steps.indexOf('upload-stack');
    if (run.plan === 'restore' && run.position >= (upload === -1 ? swap : upload)) {
      const why = run.position <= swap ? reason : joined([BACKUP_MESSAGES.restored_unhealthy, reason]);
      await this.restores.takeBack(tx, row.id, why);
      await this.start(tx, 'undo-restore', row, at);
      return;
    }
    await this.restores.fail(tx, row.id, at, reason);
    await this.endBackup(tx, row.id, at);
    await this.move(tx, row, row.restart_from ?? 'READY', at, { failure: reason, restart_from: null });
  }

  /**
   * Ends a failed change. Once its run has begun to replace the stack, the previous values are restored automatically.
   * Before that, nothing has changed on the server.
   */
  private async changeFailed(tx: Tx, run: RunRow, row: DeploymentRow, at: Instant, reason: Message): Promise<void> {
    if (!UNDOING.includes(run.plan) && run.position >= run.steps.indexOf('upload-stack')) {
      await this.changes.takeBack(tx, row.id, joined([CHANGE_MESSAGES.taken_back, reason]));
      const before = await this.deployments.lock(tx, row.id);
      if (before !== null) await this.ensureRun(tx, before, at);
      return;
    }
    const failure = joined([
      UNDOING.includes(run.plan) ? CHANGE_MESSAGES.not_taken_back : CHANGE_MESSAGES.not_applied,
      reason,
    ]);
    await this.changes.fail(tx, row.id, at, failure);
    const after = (await this.deployments.lock(tx, row.id)) ?? row;
    if (UNDOING.includes(run.plan) && run.steps[run.position] === 'issue-certificate') {
      return this.dnsFailed(tx, after, at, failure);
    }
    await this.move(tx, after, row.restart_from ?? 'READY', at, { failure, restart_from: null });
  }

  /**
   * Ends a failed resize. Until the provider has confirmed the size, the server automatically returns to its previous
   * size. Afterwards the size stays, and only what came later has failed.
   */
  private async resizeFailed(tx: Tx, run: RunRow, row: DeploymentRow, at: Instant, reason: Message): Promise<void> {
    const undoes = UNDOING.includes(run.plan);
    const resizing = run.steps.indexOf('resize-server');
    if (!undoes && run.position === resizing) {
      await this.changes.takeBack(tx, row.id, joined([RESIZE_MESSAGES.taken_back, reason]));
      await this.ensureRun(tx, row, at);
      return;
    }
    const hasSize = run.position > resizing;
    if (hasSize && !undoes) await this.changes.finish(tx, row.id, at);
    const result = undoes
      ? RESIZE_MESSAGES[hasSize ? 'taken_back' : 'not_taken_back']
      : RESIZE_MESSAGES[hasSize ? 'kept' : 'not_begun'];
    const failure = joined([result, reason]);
    await this.changes.fail(tx, row.id, at, failure);
    await this.endBackup(tx, row.id, at);
    const step = run.steps[run.position];
    if (step === 'validate-dns' || step === 'issue-certificate') return this.dnsFailed(tx, row, at, failure);
    await this.move(tx, row, row.restart_from ?? 'READY', at, { failure, restart_from: null });
  }

  /**
   * Ends a failed update. Once its run has begun to stop the stack, files, images and data from before return
   * automatically. Before that, nothing has changed.
   */
  private async updateFailed(
    tx: Tx,
    {
      run,
      row,
      change,
      at,
      reason,
    }: { run: RunRow; row: DeploymentRow; change: ChangeRow; at: Instant; reason: Message },
  ): Promise<void> {
    const version = String(change.before.version);
    const undoes = UNDOING.includes(run.plan);
    if (!undoes && run.position >= run.steps.indexOf('keep-data')) {
      // Until the data was kept, only the server can be the cause.
      const kept = run.memory.kept === true;
      const result = kept ? UPDATE_MESSAGES.taken_back({ version }) : UPDATE_MESSAGES.not_begun;
      await this.changes.takeBack(tx, row.id, joined([result, reason]), kept ? at : null);
      if (kept) await this.rollouts.failed(tx, { package: row.package, version: String(change.after.release), at });
      const before = await this.deployments.lock(tx, row.id);
      if (before !== null) await this.start(tx, 'undo-update', before, at, { kept });
      return;
    }
    const result = undoes ? UPDATE_MESSAGES.not_taken_back({ version }) : UPDATE_MESSAGES.not_begun;
    const failure = joined([result, reason]);
    await this.changes.fail(tx, row.id, at, failure);
    await this.endBackup(tx, row.id, at);
    const after = (await this.deployments.lock(tx, row.id)) ?? row;
    if (undoes && run.steps[run.position] === 'issue-certificate') return this.dnsFailed(tx, after, at, failure);
    await this.move(tx, after, row.restart_from ?? 'READY', at, { failure, restart_from: null });
  }

  /**
   * Ends a failed reboot. Once it was requested, a deployment that does not come back is started automatically. Before
   * that, nothing has changed.
   */
  private async rebootFailed(tx: Tx, run: RunRow, row: DeploymentRow, at: Instant, reason: Message): Promise<void> {
    const undoes = UNDOING.includes(run.plan);
    const wasRequested = run.memory.boot_id !== undefined;
    if (!undoes && wasRequested) {
      await this.changes.takeBack(tx, row.id, joined([UPDATE_MESSAGES.reboot_recovered, reason]));
      await this.ensureRun(tx, row, at);
      return;
    }
    const result = UPDATE_MESSAGES[undoes ? 'reboot_not_recovered' : 'reboot_not_begun'];
    const failure = joined([result, reason]);
    await this.changes.fail(tx, row.id, at, failure);
    const step = run.steps[run.position];
    if (step === 'validate-dns' || step === 'issue-certificate') return this.dnsFailed(tx, row, at, failure);
    await this.move(tx, row, row.restart_from ?? 'READY', at, { failure, restart_from: null });
  }

  /** Ends a backup that the run waited for together with the run, instead of at its next attempt. */
  private async endBackup(tx: Tx, deploymentId: number, at: Instant): Promise<void> {
    const open = await openBackup(tx, deploymentId);
    if (open !== null) await this.work.schedule(tx, { kind: BACKUP_WORK, key: String(open.id), due_at: at });
  }

  private move(
    tx: Tx,
    row: DeploymentRow,
    to: DeploymentStatus,
    at: Instant,
    changes: MoveChanges = {},
  ): Promise<DeploymentRow> {
    const isBack = row.status === 'RESTARTING' ? { deleted_from: null } : {};
    return this.deployments.move(tx, row, { to, by: 'provisioner', at, changes: { ...isBack, ...changes } });
  }

  private scheduleDnsRecheck(tx: Tx, row: DeploymentRow, at: Instant): Promise<void> {
    return this.work.schedule(tx, { kind: DNS_CHECK_WORK, key: String(row.id), due_at: at });
  }

  private async dnsFailed(tx: Tx, row: DeploymentRow, at: Instant, reason: Message): Promise<void> {
    await this.move(tx, row, 'DNS_FAILED', at, { failure: reason, restart_from: null });
    await this.scheduleDnsRecheck(tx, row, at);
  }

  private async finishDestroy(tx: Tx, row: DeploymentRow, at: Instant, memory: Memory): Promise<void> {
    if (removedTooLittle(row, memory)) {
      await startRun(tx, this.work, { plan: 'destroy', deployment: row, at });
      return;
    }
    await serverGone(tx, row.id, at);
    if (row.status === 'FAILED') {
      // On a user's own server, volumes, data and our key stay until the owner deletes the deployment (decisions 23).
      if (row.server_type === 'new') await noteServer(tx, row.id, { server_exists: false });
      return;
    }
    if (row.status !== 'DESTROYING') return;
    const givenUp = row.destroy_reason === 'deleted';
    const left = typeof memory.left_behind === 'object' ? { failure: memory.left_behind } : {};
    const gone = await this.move(tx, row, 'DESTROYED', at, {
      server_exists: false,
      ...(givenUp && row.deleted_at === null ? { deleted_at: at } : {}),
      ...left,
    });
    await this.removeSecrets(tx, row.id);
    if (row.vps_ip_address !== null)
      await this.secrets.removeOne(tx, ownServerSecrets(row.user_id), sudoPassword(row.vps_ip_address));
    if (givenUp && (row.lost_from !== null || (await failedBefore(tx, row.id))))
      await this.move(tx, gone, 'DELETED', at);
  }

  /**
   * Removes the server's keys. The other values stay while copies are retained, because a restore as a new deployment
   * needs them.
   */
  private async removeSecrets(tx: Tx, deploymentId: number): Promise<void> {
    const owner = deploymentSecrets(deploymentId);
    if (!(await hasCopies(tx, deploymentId))) return this.secrets.remove(tx, owner);
    for (const name of [SSH_PRIVATE_KEY, SSH_PUBLIC_KEY]) await this.secrets.removeOne(tx, owner, name);
  }

  /** Makes the run in progress due now. Returns false if there is none. */
  private async makeDue(tx: Tx, deploymentId: number, at: Instant): Promise<boolean> {
    const run = await runningRun(tx, deploymentId);
    if (run === null) return false;
    await this.work.schedule(tx, { kind: RUN_WORK, key: String(run.id), due_at: at });
    return true;
  }
}

/**
 * Returns whether the owner deleted the deployment during a partial removal from the owner's server, which then needs a
 * full removal.
 */
function removedTooLittle(row: DeploymentRow, memory: Memory): boolean {
  return row.status === 'DESTROYING' && row.destroy_reason === 'deleted' && memory.removed === 'keep';
}

/**
 * Returns whether the result of an update or of its undo is final. The copy of the data may be gone from then on, so no
 * failure may undo what runs.
 */
function isFinal({ steps, position }: RunRow): boolean {
  const tidying = steps.indexOf('tidy-update');
  return tidying !== -1 && position >= tidying;
}

/** Returns whether there was ever a clean-up after a failure. */
async function failedBefore(tx: Tx, deploymentId: number): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from runs where deployment_id = $1 and plan = 'destroy' and memory ->> 'clean_up' = 'true' limit 1`,
    [deploymentId],
  );
  return rows.length > 0;
}
