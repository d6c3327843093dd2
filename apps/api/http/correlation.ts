import { AsyncLocalStorage } from 'node:async_hooks';
import type { Outbox } from '@moorage/messaging';

const current = new AsyncLocalStorage<string>();

/** Everything that `run` does, and what it starts, belongs to this request or event. */
export function correlated<T>(correlationId: string, run: () => T): T {
  return current.run(correlationId, run);
}

/** An outbox whose events carry the id of the request they were appended in. */
export function correlatedOutbox(outbox: Outbox): Outbox {
  return {
    append(tx, event) {
      const correlation_id = event.correlation_id ?? current.getStore();
      return outbox.append(tx, correlation_id === undefined ? event : { ...event, correlation_id });
    },
  };
}
