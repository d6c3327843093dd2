import type { SimulatedCopies } from '../../backups/simulated-copies';

/** What a test or a simulation decides about the sandbox. */
export abstract class SandboxOptions {
  /** From the creation of a server until SSH answers. */
  abstract readonly boot_ms: number;
  /** The store for backups of its servers, if they have any. */
  abstract readonly copies?: SimulatedCopies;
}

export const SANDBOX_DEFAULTS: SandboxOptions = { boot_ms: 400 };
