import type { SimulatedCopies } from './simulated-copies';

/** Settings of the sandbox for tests and simulations. */
export abstract class SandboxOptions {
  /** Time from the creation of a server until SSH responds. */
  abstract readonly boot_ms: number;
  /** Store for the backups of its servers, if they have any. */
  abstract readonly copies?: SimulatedCopies;
}

export const SANDBOX_DEFAULTS: SandboxOptions = { boot_ms: 400 };
