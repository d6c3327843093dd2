import type { Instant } from '@moorage/domain';

/**
 * What goes on at a simulated machine beside the calls it answers: the lock of each deployment's folder, scripts that hold
 * it after the connection of whoever asked has died, a full disk, a reboot. Time is whoever's calls it; nothing waits.
 */
export interface HostActivity {
  /** The lock is taken: a script that asks for it says BUSY. Scripts whose time is over by `now` have ended, and done their work. */
  busy(folder: string, now: Instant): boolean;
  /** The asking worker is gone; the script goes on until `until` and then does its work. */
  goOn(folder: string, script: { readonly until: Instant; readonly work: () => void }): void;
  /** No script survives it, and nothing of what was under way is done. */
  reboot(): void;
  /** Nothing can be written: only removals work, and uploads fail. */
  fill(full: boolean): void;
  readonly full: boolean;
}

export function createHostActivity(): HostActivity {
  const underWay = new Map<string, { readonly until: Instant; readonly work: () => void }>();
  let full = false;
  return {
    busy(folder, now) {
      const script = underWay.get(folder);
      if (script === undefined) return false;
      if (now < script.until) return true;
      underWay.delete(folder);
      script.work();
      return false;
    },
    goOn: (folder, script) => void underWay.set(folder, script),
    reboot: () => underWay.clear(),
    fill: (isFull) => void (full = isFull),
    get full() {
      return full;
    },
  };
}
