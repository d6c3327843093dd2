import { type Instant, MINUTE_MS } from '@moorage/domain';
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

/** Time that the operating system has to shut down before the power is cut. */
export const SHUTDOWN_MS = MINUTE_MS;
/** Age from which a shutdown belongs to an earlier attempt. */
const FORGOTTEN_MS = 15 * MINUTE_MS;

/** Returns how to stop a running server that last received a shutdown request at this time, or null if it did not. */
export function stopStep(shutdownAt: Instant | null, now: Instant): 'shut_down' | 'wait' | 'power_off' {
  if (shutdownAt === null || now - shutdownAt > FORGOTTEN_MS) return 'shut_down';
  return now - shutdownAt < SHUTDOWN_MS ? 'wait' : 'power_off';
}

/** Adapts the states of simulated servers. */
export const POWER_OF = {
  booting: 'between',
  running: 'on',
  stopping: 'between',
  stopped: 'off',
  failed: 'between',
} as const satisfies Readonly<Record<string, ResizedServer['power']>>;
