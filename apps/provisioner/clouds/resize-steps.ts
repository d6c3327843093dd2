import type { ResizeProgress } from './cloud';

/** A server that is being resized, as the provider reports it. `between` is neither running nor completely stopped. */
export interface ResizedServer {
  readonly power: 'on' | 'off' | 'between';
  readonly hasSize: boolean;
  readonly address: string | null;
}

export interface ResizeSteps {
  readonly stop: () => Promise<unknown>;
  readonly change: () => Promise<unknown>;
  readonly start: () => Promise<unknown>;
}

/** Takes the next step of a resize at a provider that changes the size of stopped servers only. */
export async function resizeInSteps(
  { power, hasSize, address }: ResizedServer,
  { stop, change, start }: ResizeSteps,
): Promise<ResizeProgress> {
  if (power === 'on' && hasSize) return { state: 'done', address };
  if (power === 'on') await stop();
  if (power === 'off') await (hasSize ? start() : change());
  return { state: 'working' };
}

/** Adapts the states of simulated servers. */
export const POWER_OF = {
  booting: 'between',
  running: 'on',
  stopping: 'between',
  stopped: 'off',
  failed: 'between',
} as const satisfies Readonly<Record<string, ResizedServer['power']>>;
