import type { Instant } from '@moorage/domain';
import { type HostCommand, stateFolder } from '../ssh/command';
import { type HostFile, isFolder, SshError } from '../ssh/types';
import { beginScript, isRemoval, type ScriptAnswer } from '../clouds/sandbox/host-scripts';
import type { HostState } from '../clouds/sandbox/host-state';

/**
 * What goes on at a simulated machine beside the calls it answers: the lock of each deployment's folder, scripts that hold
 * it after the connection of whoever asked has died, a full disk, a reboot. Time is whoever's calls it; nothing waits.
 */
export interface HostActivity {
  /** What a script is told before it begins: that the lock is taken, that nothing can be written, or by its number. null: it begins. */
  begin(state: HostState, call: HostCommand, now: Instant): ScriptAnswer | null;
  /** Files into the folder of this run's own, from where `place` takes them. */
  bring(state: HostState, files: readonly HostFile[], to: Pick<HostCommand, 'folder' | 'runNumber'>): { from: string };
  /** The script holds the lock until `until` and then does its work, whether somebody listens or not. */
  goOn(folder: string, script: UnderWay): void;
  /** It ends before its time: somebody listens, and this is when. */
  end(folder: string, script: UnderWay): void;
  /** Scripts whose time is over by `now` have ended, and done their work. */
  settle(now: Instant): void;
  /** No script survives it: of what was under way nothing is done, or a part. The folders where something was. */
  reboot(): string[];
  /** Nothing can be written: only removals work, and uploads fail. */
  fill(full: boolean): void;
  readonly full: boolean;
  /** Folders whose lock is taken. */
  readonly locked: readonly string[];
}

export interface UnderWay {
  readonly until: Instant;
  readonly work: () => void;
  /** Instead of its work, when the machine is rebooted in the middle. */
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
    bring(state, files, { folder, runNumber }) {
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
