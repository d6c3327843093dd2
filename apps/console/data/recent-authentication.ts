/**
 * Sensitive calls need a password, and a code, that was confirmed a short while ago. The console then prompts for them once
 * and repeats the call.
 */

/** Resolves with whether the person confirmed who they are. `password`: one that a form has just asked for, or null. */
export type IdentityPrompt = (password: string | null) => Promise<boolean>;

let prompt: IdentityPrompt | null = null;
/** Calls that are refused at the same time share one prompt. */
let running: Promise<boolean> | null = null;

/** Registers the dialog that prompts; returns what takes it away again. */
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
