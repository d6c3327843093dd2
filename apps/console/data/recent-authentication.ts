/**
 * Sensitive calls require that the password, and a code if enabled, was confirmed recently. The console then prompts
 * for them once and repeats the call.
 */

/** Resolves with whether the user confirmed their identity. `password` comes from the form, or is null. */
type IdentityPrompt = (password: string | null) => Promise<boolean>;

let prompt: IdentityPrompt | null = null;
/** Shared by calls that are refused at the same time. */
let running: Promise<boolean> | null = null;

/** Registers the dialog that prompts. Returns a function that unregisters it. */
export function setIdentityPrompt(next: IdentityPrompt): () => void {
  prompt = next;
  return () => {
    if (prompt === next) prompt = null;
  };
}

export function confirmIdentity(password: string | null): Promise<boolean> {
  if (prompt === null) return Promise.resolve(false);
  running ??= prompt(password).finally(() => (running = null));
  return running;
}
