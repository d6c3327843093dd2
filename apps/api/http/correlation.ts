import { AsyncLocalStorage } from 'node:async_hooks';
import type { NewEvent, Outbox } from '@moorage/messaging';

const current = new AsyncLocalStorage<string>();

/** Everything that `run` does, and what it starts, belongs to this request or event. */
export function correlated<T>(correlationId: string, run: () => T): T {
  return current.run(correlationId, run);
}

/** An outbox whose events carry the id of the request they were appended in. */
export function correlatedOutbox(outbox: Outbox): Outbox {
  const carrying = (event: NewEvent): NewEvent => {
    const correlation_id = event.correlation_id ?? current.getStore();
    return correlation_id === undefined ? event : { ...event, correlation_id };
  };
  return {
    append: (tx, event) => outbox.append(tx, carrying(event)),
    appendMany: (tx, events) => outbox.appendMany(tx, events.map(carrying)),
  };
}
