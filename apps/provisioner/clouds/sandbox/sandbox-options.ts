import type { SimulatedCopies } from '../../backups/simulated-copies';

/** What a test or a simulation decides about the sandbox. */
export abstract class SandboxOptions {
  /** From the creation of a server until SSH answers. */
  abstract readonly boot_ms: number;
  /** Where the backups of its servers go; none: they have no backups. */
  abstract readonly copies?: SimulatedCopies;
}

export const SANDBOX_DEFAULTS: SandboxOptions = { boot_ms: 400 };
