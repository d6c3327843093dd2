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
