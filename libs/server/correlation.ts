import { AsyncLocalStorage } from 'node:async_hooks';

/** User of a request with the credential and device used, as recorded in the audit log. */
export interface Actor {
  readonly userId: number;
  readonly via: 'session' | 'api_token' | 'view';
  readonly credentialId: string;
  readonly ip: string;
  readonly userAgent: string | null;
}

interface Current {
  readonly correlationId: string | undefined;
  actor: Actor | undefined;
}

const current = new AsyncLocalStorage<Current>();

/**
 * Runs a function, and everything it starts, under a correlation id. With undefined it runs under none, regardless of
 * the caller's.
 */
export function correlated<T>(correlationId: string | undefined, run: () => T): T {
  return current.run({ correlationId, actor: undefined }, run);
}

/** Returns the correlation id of the current request, event or work. */
export function correlationId(): string | undefined {
  return current.getStore()?.correlationId;
}

/** Sets the user of the current request. */
export function setActor(actor: Actor): void {
  const store = current.getStore();
  if (store !== undefined) store.actor = actor;
}

/** Returns the user of the current request, or undefined if there is no request with a known user. */
export function currentActor(): Actor | undefined {
  return current.getStore()?.actor;
}
