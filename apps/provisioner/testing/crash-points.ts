import type { Checkpoints } from '@moorage/server';

/** A process that has died: nothing of it reaches the database any more. */
export class Crash extends Error {
  override readonly name = 'Crash';
}
export interface CrashPoints extends Checkpoints {
  dead: boolean;
}
/** `dies`: asked at every checkpoint; whoever has died stays dead. */
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
