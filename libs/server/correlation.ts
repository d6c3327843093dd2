import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string | undefined>();

/** What `run` does, and what it starts, belongs to this request; undefined: to none, whoever called. */
export function correlated<T>(correlationId: string | undefined, run: () => T): T {
  return current.run(correlationId, run);
}

export function correlationId(): string | undefined {
  return current.getStore();
}
