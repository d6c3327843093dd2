/** What a test or a simulation decides about the sandbox. */
export abstract class SandboxOptions {
  /** From the creation of a server until SSH answers. */
  abstract readonly boot_ms: number;
}

export const SANDBOX_DEFAULTS: SandboxOptions = { boot_ms: 400 };
