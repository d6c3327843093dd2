import type { DeploymentRow } from '@moorage/database';
import { BACKUP_MESSAGES, type Message } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import { StepError } from '../runs/step';
import type { ServerRow } from '../server-store/server-store';
import { ServerSessions } from '../servers/server-sessions.service';
import { stateFolder } from '../ssh/command';
import type { Answer, CopyState } from '../ssh/host-scripts';
import type { HostFile, SshSession } from '../ssh/types';
import { factsOf } from '../runs/script-errors';
import { StackService } from '../stacks/stack.service';
import { BackupOptions } from './backup-options';

/** The server on which a copy is taken or restored, and its deployment. */
export interface CopyPlace {
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
  readonly fencingToken: number;
}

export type CopyTask = { readonly job: string; readonly environment: Readonly<Record<string, string>> } & (
  { readonly act: 'backup' } | { readonly act: 'restore'; readonly snapshotId: string; readonly bytes: number }
);

/** Databases are dumped before restic starts, so this may take several minutes. */
const START_MS = 9 * 60_000;
const CHECK_INTERVAL_MS = 45_000;

/** Starts, polls and stops restic on servers through our scripts. No call waits for restic to finish. */
@Injectable()
export class HostCopies {
  constructor(
    private readonly sessions: ServerSessions,
    private readonly stacks: StackService,
    private readonly options: BackupOptions,
  ) {}

  /** Starts the task, unless a task of this name is already running. Throws StepError if the server refuses. */
  async start(place: CopyPlace, task: CopyTask, signal: AbortSignal): Promise<{ catalogueVersion: number }> {
    const { plan, catalogueVersion } = await this.stacks.copyPlan(place.deployment);
    const files = [
      ...planFiles(place, plan),
      { path: `${copyFolder(place)}env`, content: environmentFile(task.environment), mode: 0o600 },
    ];
    await this.within(place, task.job, signal, async (session) => {
      factsOf(await session.upload(files, { deadline_ms: CHECK_INTERVAL_MS, signal }));
      const wanted =
        task.act === 'restore' ? { snapshot: task.snapshotId, bytes: task.bytes } : { snapshot: 'none', bytes: 0 };
      const { image, limits } = this.options;
      const args = { act: task.act, job: task.job, ...wanted, image, ...limits };
      begun(await session.run('copy-start', args, { deadline_ms: START_MS, signal }), task.act);
    });
    return { catalogueVersion };
  }

  /** Uploads what a copy of the data consists of, without starting one. */
  async uploadPlan(place: CopyPlace, job: string, signal: AbortSignal): Promise<void> {
    const { plan } = await this.stacks.copyPlan(place.deployment);
    await this.within(place, job, signal, async (session) =>
      factsOf(await session.upload(planFiles(place, plan), { deadline_ms: CHECK_INTERVAL_MS, signal })),
    );
  }

  inspect(place: CopyPlace, job: string, signal: AbortSignal): Promise<CopyState> {
    return this.within(place, job, signal, async (session) =>
      factsOf(await session.run('copy-look', { job }, { deadline_ms: CHECK_INTERVAL_MS, signal })),
    );
  }

  /** Stops the task and removes its files from the server. */
  async stop(place: CopyPlace, job: string, signal: AbortSignal): Promise<void> {
    await this.within(place, job, signal, async (session) =>
      factsOf(await session.run('copy-stop', { job }, { deadline_ms: CHECK_INTERVAL_MS, signal })),
    );
  }

  /** Removes the data from before a restore. */
  async forgetBefore(place: CopyPlace, job: string, signal: AbortSignal): Promise<void> {
    await this.within(place, job, signal, async (session) =>
      factsOf(await session.run('before-gone', { job }, { deadline_ms: CHECK_INTERVAL_MS, signal })),
    );
  }

  private within<T>(
    place: CopyPlace,
    job: string,
    signal: AbortSignal,
    act: (session: SshSession) => Promise<T>,
  ): Promise<T> {
    return this.sessions.openFor({ ...place, step: job }, signal, act);
  }
}

const copyFolder = ({ deployment }: CopyPlace): string => `${stateFolder(deployment.ref)}/copy/`;

const planFiles = (place: CopyPlace, plan: string): HostFile[] => [
  { path: copyFolder(place), content: '', mode: 0o700 },
  { path: `${copyFolder(place)}plan`, content: plan, mode: 0o600 },
];

/** Formats variables for `docker run --env-file`: one `NAME=value` per line, without quotes. */
function environmentFile(environment: CopyTask['environment']): string {
  const lines = Object.entries(environment).map(([name, value]) => {
    if (!/^[\x20-\x7e]*$/.test(value)) throw new RangeError(`${name} must be a single line of printable ASCII`);
    return `${name}=${value}\n`;
  });
  return lines.join('');
}

/** Throws a StepError that explains why the script refused to start. */
function begun(answer: Answer<'copy-start'>, act: 'backup' | 'restore'): void {
  const { name = '', free_mb: free = 0, needed_mb: needed = 0 } = answer.facts ?? {};
  const refusals: Readonly<Record<string, Message>> = {
    DUMP_FAILED: BACKUP_MESSAGES.dump_failed({ name }),
    PULL_FAILED: BACKUP_MESSAGES.image_missing,
    DISK_FULL: (act === 'backup' ? BACKUP_MESSAGES.disk_full : BACKUP_MESSAGES.restore_disk_full)({ free, needed }),
  };
  const refusal = answer.ok ? undefined : refusals[answer.code];
  if (refusal !== undefined)
    throw new StepError(refusal, { permanent: act === 'restore' && answer.code === 'DISK_FULL' });
  factsOf(answer);
}

/**
 * Messages for restic's exit codes (https://restic.readthedocs.io/en/stable/075_scripting.html#exit-codes). Codes are
 * added over time, and an unknown code counts as a failure.
 */
const EXITS: Readonly<Record<number, Message>> = {
  3: BACKUP_MESSAGES.unreadable,
  10: BACKUP_MESSAGES.repository_missing,
  11: BACKUP_MESSAGES.repository_locked,
  12: BACKUP_MESSAGES.password_wrong,
};
const REASONS: Readonly<Record<NonNullable<CopyState['why']>, Message>> = {
  target_full: BACKUP_MESSAGES.target_full,
  target_silent: BACKUP_MESSAGES.target_silent,
  target_refused: BACKUP_MESSAGES.target_refused,
  disk_full: BACKUP_MESSAGES.disk_full({ free: 0, needed: 0 }),
};

/** Returns the message for the customer about why restic failed. */
export function reasonOf({ exit, why }: CopyState): Message {
  const known = exit === undefined ? undefined : EXITS[exit];
  return known ?? (why === undefined ? BACKUP_MESSAGES.failed : REASONS[why]);
}
