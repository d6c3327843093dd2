import { AsyncLocalStorage } from 'node:async_hooks';

/** Who a request acts for, and by which credential and device: what the audit log records beside the act. */
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

/** What `run` does, and what it starts, belongs to this request; undefined: to none, whoever called. */
export function correlated<T>(correlationId: string | undefined, run: () => T): T {
  return current.run({ correlationId, actor: undefined }, run);
}

export function correlationId(): string | undefined {
  return current.getStore()?.correlationId;
}

/** The current request acts for this caller from now on. */
export function setActor(actor: Actor): void {
  const store = current.getStore();
  if (store !== undefined) store.actor = actor;
}

/** Undefined: no request with a known caller. */
export function currentActor(): Actor | undefined {
  return current.getStore()?.actor;
}
