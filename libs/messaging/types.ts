import type { Tx } from '@moorage/server';

/** An event as it is transported. Names are in snake_case because this is the wire format. */
export interface Envelope<Data extends object = Readonly<Record<string, unknown>>> {
  readonly event_id: string;
  readonly stream: string;
  readonly event_name: string;
  readonly version: number;
  /** Time of the event (ISO 8601, UTC). */
  readonly occurred_at: string;
  readonly aggregate_id: string;
  /** Position among the aggregate's events in its stream, from 1 and without gaps. */
  readonly sequence: number;
  readonly correlation_id: string;
  readonly data: Data;
}

/** A new event of a service. The outbox adds identity, time and sequence. */
export interface NewEvent {
  readonly stream: string;
  readonly event_name: string;
  readonly version: number;
  readonly aggregate_id: string;
  /** Default: the id of the current request, event or work, or else the event's own id. */
  readonly correlation_id?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event known to a consumer. An event of a later version is parked until a release that knows it is deployed. */
export interface KnownEvent {
  readonly stream: string;
  readonly version: number;
  /** Validates the data before the handler receives it, for example a zod schema. Throws if the data is invalid. */
  readonly data?: { parse(data: unknown): object };
}

export type KnownEvents = Readonly<Record<string, KnownEvent>>;

/** Data as parsed by the event's schema, or unchanged if there is no schema. */
export type DataOf<Event extends KnownEvent> = Event extends { readonly data: { parse(data: unknown): infer Data } }
  ? Data & object
  : Envelope['data'];

/** Handles an event in the transaction that marks it as handled, so that everything commits once or not at all. */
export type EventHandler<Data extends object = Envelope['data']> = (tx: Tx, event: Envelope<Data>) => Promise<void>;

/**
 * Handlers by event name. Each receives the parsed data of its event. An event without a handler is only marked as
 * handled.
 */
export type EventHandlers<Known extends KnownEvents = KnownEvents> = {
  readonly [Name in keyof Known]?: EventHandler<DataOf<Known[Name]>>;
};

export interface NewWork {
  readonly kind: string;
  readonly key: string;
  /** Time in milliseconds. */
  readonly due_at: number;
}

export interface Claim {
  readonly kind: string;
  readonly key: string;
  /** Rises with every claim of any work. A holder of a lower token has lost the work. */
  readonly fencingToken: number;
  /** Number of earlier claims that ended without an outcome (an exception or a crash). */
  readonly attempts: number;
}

/**
 * Outcome of a claim. `commit` runs in the transaction that checks the fencing token, so it is rolled back if the lease
 * was lost. `reason` and `failed` are shown to operators and must not contain secrets.
 */
export type Outcome = { readonly commit?: (tx: Tx) => Promise<void> } & (
  { readonly done: true } | { readonly retry_at: number; readonly reason: string } | { readonly failed: string }
);

/**
 * Runs one step of the work. `signal` is aborted when the lease is lost or the process stops. After an exception the
 * step is retried later.
 */
export type WorkHandler = (claim: Claim, signal: AbortSignal) => Promise<Outcome>;

/** Reason why a transport cannot reach its server. `detail` is shown to operators and must not contain secrets. */
export interface Outage {
  readonly with: 'server' | 'login' | 'certificate' | 'topics';
  readonly detail: string;
}

export interface TransportHealth {
  /** True if the transport has reached its server since it was opened. */
  readonly reached: boolean;
  readonly trouble: Outage | null;
}

/** Called when trouble begins, changes or ends (null), and never twice in a row with the same value. */
export type OnOutage = (trouble: Outage | null) => void;

/**
 * Thrown when the transport has no server at present, which it has reported through `OnOutage`. The undelivered event
 * or work remains in its row.
 */
export class TransportAway extends Error {
  override readonly name = 'TransportAway';
}

/** Delivers envelopes from the relay to every subscribing service, at least once and in any order. */
export interface EventTransport {
  /** Publishes a batch in bounded time. After a rejection any part of the batch may be missing. */
  publish(batch: readonly Envelope[]): Promise<void>;
  /** Delivers the streams' envelopes to `arrived`, which has stored them when it resolves. */
  subscribe(
    consumer: string,
    streams: readonly string[],
    arrived: (envelopes: readonly Envelope[]) => Promise<void>,
  ): Promise<void>;
  health(): TransportHealth;
  close(): Promise<void>;
}

/** Delivers due keys to workers. The row decides, so a lost or duplicate signal only costs time. */
export interface WorkTransport {
  signal(kind: string, key: string, due_at: number): Promise<void>;
  /** Calls `due` with at most `concurrency` keys at a time. */
  listen(kind: string, concurrency: number, due: (key: string) => Promise<void>): Promise<void>;
  health(): TransportHealth;
  close(): Promise<void>;
}

/**
 * Reports an unexpected error, after which the background loops continue. `facts` name the place and never contain
 * values of the data.
 */
export type OnError = (error: unknown, facts?: Readonly<Record<string, string | number>>) => void;
