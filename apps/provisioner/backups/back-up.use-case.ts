import { BACKUP_WORK, COPY_TO_BUCKET, event, MAINTAIN_COPIES_WORK } from '@moorage/contracts';
import {
  Alerts,
  type BackupRow,
  type DeploymentRow,
  Deployments,
  findBackup,
  findBucket,
  messageColumns,
} from '@moorage/database';
import {
  BACKED_UP,
  BACKUP_ATTEMPTS_MAX,
  BACKUP_MESSAGES,
  BACKUP_PAUSES_MS,
  type BackupState,
  displayName,
  HOUR_MS,
  type Instant,
  iso,
  type Message,
  MINUTE_MS,
} from '@moorage/domain';
import { assertLease, type Claim, Outbox, type Outcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { runningRun } from '../runs/run-store';
import type { RunRow } from '../runs/step';
import { StepError } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';
import { findServer, type ServerRow } from '../server-store/server-store';
import type { CopyState } from '../ssh/host-scripts';
import { SshError } from '../ssh/types';
import { BackupOptions } from './backup-options';
import { CopyStores } from './copy-stores';
import { HostCopies, reasonOf } from './host-copies.service';
import { problemOf, Repositories } from './backup-repositories.service';
import type { Repository } from './copy-store';

interface Loaded {
  readonly backup: BackupRow;
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
  readonly run: RunRow | null;
  readonly repository: Repository;
  readonly now: Instant;
}

/** Maximum number of concurrent claims per process. A claim only starts a backup or polls its progress. */
const CONCURRENCY = 3;
/** Time a backup waits for a change of the server to finish before the backup fails. */
const WAITS_FOR_CHANGES_MS = 6 * HOUR_MS;
/** Time after which a running restic is stopped. */
const RUNS_AT_MOST_MS = 12 * HOUR_MS;

/** Failures that the owner of a deployment cannot fix. */
const OPERATORS_CODES = [
  BACKUP_MESSAGES.target_silent,
  BACKUP_MESSAGES.target_full,
  BACKUP_MESSAGES.target_refused,
  BACKUP_MESSAGES.password_wrong,
  BACKUP_MESSAGES.repository_missing,
].map(({ code }) => code);

const jobOf = ({ id, attempts }: Pick<BackupRow, 'id' | 'attempts'>): string => `b${id}-${attempts}`;

/** Takes backups. Stores nothing in memory between claims. The progress is read from the row and the server. */
@Injectable()
export class BackUp {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly outbox: Outbox,
    private readonly work: WorkSchedule,
    private readonly repositories: Repositories,
    private readonly stores: CopyStores,
    private readonly copies: HostCopies,
    private readonly options: BackupOptions,
    private readonly timeouts: RunTimeouts,
    private readonly alerts: Alerts,
    private readonly log: Log,
  ) {}

  @HandlesWork(BACKUP_WORK, { concurrency: CONCURRENCY })
  async run(claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const loaded = await this.db.tx('backup.read', (tx) => this.load(tx, claim));
    if (loaded === null) return { done: true };
    const { backup, now } = loaded;
    const obstacle = obstacleTo(loaded);
    if (obstacle === 'gone') return this.ending(loaded, BACKUP_MESSAGES.gone);
    if (obstacle === 'over') return this.ending(loaded, BACKUP_MESSAGES.restore_over);
    if (obstacle === 'changing') {
      if (now >= backup.requested_at + WAITS_FOR_CHANGES_MS)
        return this.ending(loaded, BACKUP_MESSAGES.changed_for_long);
      return { retry_at: now + MINUTE_MS, reason: 'the server is busy with another change' };
    }
    try {
      return backup.state === 'running'
        ? await this.inspect(loaded, claim, signal)
        : await this.begin(loaded, claim, signal);
    } catch (error) {
      if (signal.aborted) return { retry_at: now, reason: 'the backup was interrupted' };
      return this.failing(loaded, error);
    }
  }

  private async load(tx: Tx, claim: Claim): Promise<Loaded | null> {
    const found = await findBackup(tx, Number(claim.key));
    if (found === null) return null;
    const deployment = await this.deployments.lock(tx, found.deployment_id);
    const backup = await findBackup(tx, found.id);
    if (deployment === null || backup === null || !isOpen(backup)) return null;
    const mode = this.options.modeOf(deployment);
    const now = await this.clock.now(tx);
    if (mode === 'off') {
      // The target still existed when this backup was planned.
      await tx.execute('update backup_repositories set due_at = null where deployment_id = $1', [deployment.id]);
      await this.finish(tx, { backup, deployment }, now, BACKUP_MESSAGES.off);
      return null;
    }
    await tx.execute(
      `insert into backup_repositories (deployment_id, mode, created_at, tend_at) values ($1, $2, $3, $3) on conflict do nothing`,
      [deployment.id, mode, iso(now)],
    );
    const repository = await this.repositories.open(tx, deployment, mode);
    const server = await findServer(tx, deployment.id);
    await assertLease(tx, claim);
    return { backup, deployment, server, run: await runningRun(tx, deployment.id), repository, now };
  }

  /** Starts restic on the server. */
  private async begin(loaded: Loaded, { fencingToken }: Claim, signal: AbortSignal): Promise<Outcome> {
    const { backup, deployment, server, repository, now } = loaded;
    const store = this.stores.of(repository.mode);
    await store.open(repository, signal);
    const attempts = backup.attempts + 1;
    const task = {
      act: 'backup',
      job: jobOf({ ...backup, attempts }),
      environment: store.hostEnvironment(repository),
    } as const;
    const { catalogueVersion } = await this.copies.start({ deployment, server, fencingToken }, task, signal);
    return {
      retry_at: now,
      reason: 'the backup has started',
      commit: this.whileOpen(loaded, async (tx, row, at) => {
        await tx.execute(
          `update backups set state = 'running', attempts = $2, started_at = $3, retry_at = null, percent = 0, bytes_done = 0,
             catalogue_version = $4, release = $5, failure_reason = null, failure_code = null, failure_facts = null
             where id = $1`,
          [backup.id, attempts, iso(at), catalogueVersion, deployment.release],
        );
        await this.notify(tx, row, backup, 'running', null);
      }),
    };
  }

  private async inspect(loaded: Loaded, { fencingToken }: Claim, signal: AbortSignal): Promise<Outcome> {
    const { backup, deployment, server, now } = loaded;
    const place = { deployment, server, fencingToken };
    const seen = await this.copies.inspect(place, jobOf(backup), signal);
    switch (seen.state) {
      case 'running':
        if (now >= (backup.started_at ?? now) + RUNS_AT_MOST_MS) {
          await this.copies.stop(place, jobOf(backup), signal);
          throw new StepError(BACKUP_MESSAGES.failed);
        }
        return this.goingOn(loaded, seen);
      case 'none':
        throw new StepError(BACKUP_MESSAGES.interrupted);
      case 'failed':
        await this.copies.stop(place, jobOf(backup), signal);
        throw new StepError(reasonOf(seen));
      case 'done':
        await this.copies.stop(place, jobOf(backup), signal);
        if (seen.snapshot === undefined) throw new StepError(BACKUP_MESSAGES.failed);
        return this.completing(loaded, seen);
    }
  }

  private goingOn(loaded: Loaded, seen: CopyState): Outcome {
    const { backup, deployment, now } = loaded;
    return {
      retry_at: now + this.timeouts.of(deployment).copy_poll_ms,
      reason: 'the backup is running',
      commit: this.whileOpen(loaded, async (tx) => {
        await tx.execute('update backups set percent = $2, bytes_done = $3, bytes = $4 where id = $1', [
          backup.id,
          seen.percent ?? 0,
          seen.bytes_done ?? 0,
          seen.bytes ?? null,
        ]);
      }),
    };
  }

  private completing(loaded: Loaded, seen: CopyState): Outcome {
    const { backup } = loaded;
    return {
      done: true,
      commit: this.whileOpen(loaded, async (tx, row, at) => {
        await tx.execute(
          `update backups set state = 'complete', finished_at = $2, snapshot_id = $3, bytes = $4, added_bytes = $5, files = $6,
             dumps = $7, percent = 100, bytes_done = $4, retry_at = null where id = $1`,
          [
            backup.id,
            iso(at),
            seen.snapshot ?? '',
            seen.bytes ?? 0,
            seen.added_bytes ?? 0,
            seen.files ?? 0,
            JSON.stringify(seen.dumps ?? []),
          ],
        );
        await tx.execute('update backup_repositories set copied_at = $2 where deployment_id = $1', [row.id, iso(at)]);
        await this.notify(tx, row, backup, 'complete', null);
        await this.work.schedule(tx, { kind: MAINTAIN_COPIES_WORK, key: String(row.id), due_at: at });
        if ((await findBucket(tx, row.id)) !== null)
          await this.work.schedule(tx, { kind: COPY_TO_BUCKET, key: String(row.id), due_at: at });
      }),
    };
  }

  /** Schedules another attempt, or ends the backup as failed. */
  private failing(loaded: Loaded, error: unknown): Outcome {
    const { backup, deployment, now } = loaded;
    const mayWait = now < backup.requested_at + WAITS_FOR_CHANGES_MS;
    if (mayWait && error instanceof StepError && error.options.waits === true)
      return {
        retry_at: now + this.timeouts.of(deployment).busy_poll_ms,
        reason: 'another process is using the server',
      };
    const message = messageOf(error);
    const attempts = backup.state === 'running' ? backup.attempts : backup.attempts + 1;
    this.log.warn('backup failed', {
      backup_id: backup.id,
      deployment_id: deployment.id,
      attempts,
      reason: error instanceof Error ? error.message : String(error),
    });
    const pause = BACKUP_PAUSES_MS[attempts - 1];
    if (attempts >= BACKUP_ATTEMPTS_MAX || pause === undefined) return this.ending(loaded, message, attempts);
    return {
      retry_at: now + pause,
      reason: message.detail,
      commit: this.whileOpen(loaded, async (tx, row, at) => {
        await tx.execute(
          `update backups set state = 'waiting', attempts = $2, retry_at = $3, percent = null, bytes_done = null,
             failure_reason = $4, failure_code = $5, failure_facts = $6 where id = $1`,
          [backup.id, attempts, iso(at + pause), ...messageColumns(message)],
        );
        await this.notify(tx, row, backup, 'waiting', null);
        await this.warn(tx, row, message);
      }),
    };
  }

  private ending(loaded: Loaded, message: Message, attempts = loaded.backup.attempts): Outcome {
    return {
      done: true,
      commit: this.whileOpen(loaded, (tx, deployment, at) =>
        this.finish(tx, { backup: { ...loaded.backup, attempts }, deployment }, at, message),
      ),
    };
  }

  private async finish(
    tx: Tx,
    { backup, deployment }: Pick<Loaded, 'backup' | 'deployment'>,
    at: Instant,
    message: Message,
  ): Promise<void> {
    await tx.execute(
      `update backups set state = 'failed', attempts = $2, finished_at = $3, retry_at = null, percent = null, bytes_done = null,
         failure_reason = $4, failure_code = $5, failure_facts = $6 where id = $1`,
      [backup.id, backup.attempts, iso(at), ...messageColumns(message)],
    );
    await this.notify(tx, deployment, backup, 'failed', message);
    await this.warn(tx, deployment, message);
  }

  /** Raises an alert for failures that only operators can fix. */
  private async warn(tx: Tx, deployment: DeploymentRow, { code }: Message): Promise<void> {
    const problem = OPERATORS_CODES.find((known) => known === code);
    if (problem !== undefined)
      await this.alerts.raise(tx, { kind: 'backup_target', facts: { problem, deployment: deployment.id } });
  }

  private notify(
    tx: Tx,
    deployment: DeploymentRow,
    { id, kind }: BackupRow,
    state: BackupState,
    failure: Message | null,
  ): Promise<void> {
    return this.outbox.append(
      tx,
      event('deployment.backup_changed', deployment.id, {
        deployment_id: deployment.id,
        user_id: deployment.user_id,
        client_name: displayName(deployment),
        backup_id: id,
        kind,
        state,
        failure,
      }),
    );
  }

  /** Loads the rows again under lock in the claim's final transaction, and does nothing if the backup has ended. */
  private whileOpen(
    { backup, deployment }: Loaded,
    act: (tx: Tx, row: DeploymentRow, at: Instant) => Promise<void>,
  ): (tx: Tx) => Promise<void> {
    return async (tx) => {
      const row = await this.deployments.lock(tx, deployment.id);
      const again = await findBackup(tx, backup.id);
      if (row === null || again === null || !isOpen(again)) return;
      await act(tx, row, await this.clock.now(tx));
    };
  }
}

const isOpen = ({ state }: BackupRow): boolean => state === 'waiting' || state === 'running';

/** The plan whose run waits for this kind of backup. Other kinds are taken when no run is in progress. */
const PLAN_OF: Readonly<Partial<Record<BackupRow['kind'], RunRow['plan']>>> = {
  before_restore: 'restore',
  before_resize: 'resize',
  before_update: 'update',
  last: 'destroy',
};

/**
 * Returns why the backup cannot be taken now, or null if it can: `gone` if it will never be possible, `over` if the
 * restore it was for has ended, `changing` while the server is being changed.
 */
function obstacleTo({ backup, deployment, run }: Loaded): 'gone' | 'over' | 'changing' | null {
  const plan = PLAN_OF[backup.kind];
  const isOrphan = plan !== undefined && run?.plan !== plan;
  if (isOrphan && plan === 'destroy') return 'gone';
  // A backup that is already running still becomes a valid copy.
  if (isOrphan && backup.state === 'waiting') return 'over';
  // A run that is about to take its own backup waits for this backup to finish.
  const isWaitedFor = run !== null && run.steps[run.position] === 'back-up';
  if ((plan !== undefined && !isOrphan) || (isWaitedFor && backup.state === 'running')) return null;
  if (BACKED_UP.includes(deployment.status)) return run === null ? null : 'changing';
  const comesBack = ['DNS_VALIDATION', 'RESTARTING'].includes(deployment.status) && deployment.desired === 'running';
  return comesBack ? 'changing' : 'gone';
}

function messageOf(error: unknown): Message {
  if (error instanceof StepError) return error.reason;
  if (error instanceof SshError) return error.remedy ?? BACKUP_MESSAGES.server_silent;
  return problemOf(error) ?? BACKUP_MESSAGES.failed;
}
