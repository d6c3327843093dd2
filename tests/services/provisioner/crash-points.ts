import type { Checkpoints } from '@moorage/server';

/** Thrown after a process has crashed. It no longer has access to the database. */
export class Crash extends Error {
  override readonly name = 'Crash';
}
export interface CrashPoints extends Checkpoints {
  dead: boolean;
}
/** Creates checkpoints that call `dies`. A process that has crashed remains so. */
export function crashPoints(dies: (name: string) => boolean | Promise<boolean> = () => false): CrashPoints {
  const points: CrashPoints = {
    dead: false,
    async at(name) {
      if (!points.dead && (await dies(name))) points.dead = true;
      if (points.dead) throw new Crash(name);
    },
  };
  return points;
}

/** Crashes of processes in one piece of work. */
const CRASHES_MAX = 10;

/** Lets processes crash at every checkpoint once. */
export class CrashEverywhere {
  /** Checkpoints at which a process has crashed. */
  readonly places = new Set<string>();
  private left = 0;
  private work = '';

  /** Returns the checkpoints of another process. */
  readonly points = (): CrashPoints =>
    crashPoints((name) => {
      const place = this.work === '' ? name : `${this.work} ${name}`;
      if (this.left === 0 || this.places.has(place)) return false;
      this.places.add(place);
      this.left -= 1;
      return true;
    });

  /** Lets processes crash while `act` runs. A checkpoint counts separately for each name of the work. */
  async during(act: () => Promise<void>, work = ''): Promise<void> {
    this.left = CRASHES_MAX;
    this.work = work;
    await act();
    this.left = 0;
  }
}
