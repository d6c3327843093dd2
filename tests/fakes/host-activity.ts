import type { Instant } from '@moorage/domain';
import { type HostCommand, stateFolder } from '@moorage/provisioner/ssh/command';
import { type HostFile, isFolder, SshError } from '@moorage/provisioner/ssh/types';
import { beginScript, isRemoval, type ScriptAnswer } from '@moorage/provisioner/clouds/sandbox/host-scripts';
import type { HostState } from '@moorage/provisioner/clouds/sandbox/host-state';

/**
 * Activity of a simulated machine beside the calls that it answers, namely the lock of each deployment's folder,
 * scripts that hold it after their caller's connection was lost, a full disk and reboots. The caller sets the time, and
 * nothing waits.
 */
export interface HostActivity {
  /**
   * Returns the error of a script before it begins because of the lock, a full disk or its run number, or null if it
   * begins.
   */
  begin(state: HostState, call: HostCommand, now: Instant): ScriptAnswer | null;
  /** Uploads files to the folder of this run, from which `place` moves them. */
  transfer(
    state: HostState,
    files: readonly HostFile[],
    to: Pick<HostCommand, 'folder' | 'runNumber'>,
  ): { from: string };
  /** Lets the script hold the lock until `until` and then do its work, even if its caller is gone. */
  goOn(folder: string, script: UnderWay): void;
  /** Ends the script early because its caller is still connected. */
  end(folder: string, script: UnderWay): void;
  /** Ends the scripts that are done by `now`, with their work. */
  settle(now: Instant): void;
  /** Ends all scripts, with none or a part of their work done. Returns their folders. */
  reboot(): string[];
  /** Makes the disk full or writable. On a full disk, only removals work, and uploads fail. */
  fill(full: boolean): void;
  readonly full: boolean;
  /** Folders with a lock in use. */
  readonly locked: readonly string[];
}

export interface UnderWay {
  readonly until: Instant;
  readonly work: () => void;
  /** Replaces the work if the machine is rebooted halfway. */
  readonly half?: () => void;
}

export function createHostActivity(): HostActivity {
  const underWay = new Map<string, UnderWay>();
  let full = false;
  const ended = (folder: string, { work }: UnderWay): void => {
    underWay.delete(folder);
    work();
  };
  const activity: HostActivity = {
    begin(state, call, now) {
      activity.settle(now);
      if (call.runNumber > 0 && underWay.has(call.folder)) return refused('BUSY');
      if (full && !isRemoval(call.name)) return refused('DISK_FULL');
      return beginScript(state, call);
    },
    transfer(state, files, { folder, runNumber }) {
      if (full || state.files[stateFolder(folder)] === undefined)
        throw new SshError('files', 'no space left, or no folder to write to');
      const from = `${stateFolder(folder)}/incoming-${runNumber}`;
      files.forEach((file, index) => {
        if (!isFolder(file))
          state.files[`${from}/${index}`] = { mode: 0o600, data: Buffer.from(file.content).toString('base64') };
      });
      const list = files.map(({ path, mode }, index) => `${index} ${mode.toString(8)} ${path}\n`).join('');
      state.files[`${from}/list`] = { mode: 0o600, data: Buffer.from(list).toString('base64') };
      return { from };
    },
    goOn: (folder, script) => void underWay.set(folder, script),
    end(folder, script) {
      if (underWay.get(folder) === script) ended(folder, script);
    },
    settle(now) {
      for (const [folder, script] of underWay) if (now >= script.until) ended(folder, script);
    },
    reboot() {
      const killed = [...underWay];
      underWay.clear();
      for (const [, { half }] of killed) half?.();
      return killed.map(([folder]) => folder);
    },
    fill: (isFull) => void (full = isFull),
    get full() {
      return full;
    },
    get locked() {
      return [...underWay.keys()];
    },
  };
  return activity;
}

const refused = (code: string): ScriptAnswer => ({ line: { ok: false, code }, exit: 1 });
