import type { Tx } from '@moorage/server';

/** An event as it travels. snake_case: this is the wire. */
export interface Envelope<Data extends object = Readonly<Record<string, unknown>>> {
  readonly event_id: string;
  readonly stream: string;
  readonly event_name: string;
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly occurred_at: string;
  readonly aggregate_id: string;
  /** Counts the aggregate's events in its stream, from 1, without gaps. */
  readonly sequence: number;
  readonly correlation_id: string;
  readonly data: Data;
}

/** What a service says happened; the outbox adds identity, time and sequence. */
export interface NewEvent {
  readonly stream: string;
  readonly event_name: string;
  readonly version: number;
  readonly aggregate_id: string;
  /** None: of the request, event or work it is appended in, else the event's own id. */
  readonly correlation_id?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export abstract class Outbox {
  /** Writes the event in the caller's transaction; it is published after the commit, in order per aggregate. */
  abstract append(tx: Tx, event: NewEvent): Promise<void>;
  /** The same for many events by one statement; events of one aggregate keep the order of the list. */
  abstract appendMany(tx: Tx, events: readonly NewEvent[]): Promise<void>;
}

/** What a consumer knows of an event: a later version than this waits, parked, for the deploy that knows it. */
export interface KnownEvent {
  readonly stream: string;
  readonly version: number;
  /** Checks the data before the handler sees it (a zod schema fits); throws when it is wrong. */
  readonly data?: { parse(data: unknown): object };
}

export type KnownEvents = Readonly<Record<string, KnownEvent>>;

/** The data as the event's schema parses it; without a schema, as it came. */
export type DataOf<Event extends KnownEvent> = Event extends { readonly data: { parse(data: unknown): infer Data } }
  ? Data & object
  : Envelope['data'];

/** Runs in the transaction that marks the event as handled: all of it commits once, or none. */
export type EventHandler<Data extends object = Envelope['data']> = (tx: Tx, event: Envelope<Data>) => Promise<void>;

/** By event name; each gets its event's data, parsed. An event without a handler is only marked. */
export type EventHandlers<Known extends KnownEvents = KnownEvents> = {
  readonly [Name in keyof Known]?: EventHandler<DataOf<Known[Name]>>;
};

export interface NewWork {
  readonly kind: string;
  readonly key: string;
  /** Milliseconds. */
  readonly due_at: number;
}

/** Work is a row: kind and key name it, so scheduling twice is harmless. */
export abstract class WorkSchedule {
  /**
   * Makes (kind, key) due at `due_at`, or earlier if it already was. While a claim of it runs, the instant is kept
   * aside and takes effect when the claim ends, whatever its outcome.
   */
  abstract schedule(tx: Tx, work: NewWork): Promise<void>;
  abstract scheduleMany(tx: Tx, works: readonly NewWork[]): Promise<void>;
}

export interface Claim {
  readonly kind: string;
  readonly key: string;
  /** Rises with every claim of any work; whoever holds a lower one has lost the work. */
  readonly fencingToken: number;
  /** Claims before this one that ended without an outcome (an exception or a crash). */
  readonly attempts: number;
}

/**
 * How a claim ends. `commit` runs in the transaction that checks the fencing token: if the lease was lost, nothing of it stays.
 * `reason` and `failed` are shown to operators, so they hold no secret.
 */
export type Outcome = { readonly commit?: (tx: Tx) => Promise<void> } & (
  { readonly done: true } | { readonly retry_at: number; readonly reason: string } | { readonly failed: string }
);

/** One step of the work. `signal` is aborted when the lease is lost or the process stops. An exception is tried again, later. */
export type WorkHandler = (claim: Claim, signal: AbortSignal) => Promise<Outcome>;

/** What keeps a transport from its server. `detail` is told to operators: it holds no secret. */
export interface Trouble {
  readonly with: 'server' | 'login' | 'certificate' | 'topics';
  readonly detail: string;
}

export interface TransportHealth {
  /** Has it reached its server since it was opened? */
  readonly reached: boolean;
  readonly trouble: Trouble | null;
}

/** Is called when trouble begins, changes or (null) ends; never twice in a row with the same. */
export type OnTrouble = (trouble: Trouble | null) => void;

/** The transport has no server just now, and has said so by `OnTrouble`: what was to be brought waits in its row. */
export class TransportAway extends Error {
  override readonly name = 'TransportAway';
}

/** Brings envelopes from the relay to every subscribing service; at least once, in any order. */
export interface EventTransport {
  /** Settles in bounded time; a rejection means that nobody may count on any of the batch. */
  publish(batch: readonly Envelope[]): Promise<void>;
  /** `arrived` has stored the envelopes when it resolves. */
  subscribe(
    consumer: string,
    streams: readonly string[],
    arrived: (envelopes: readonly Envelope[]) => Promise<void>,
  ): Promise<void>;
  health(): TransportHealth;
  close(): Promise<void>;
}

/** Brings due keys to workers; the row decides, so a lost or doubled signal only costs time. */
export interface WorkTransport {
  signal(kind: string, key: string, due_at: number): Promise<void>;
  /** Calls `due` with at most `concurrency` keys at a time. */
  listen(kind: string, concurrency: number, due: (key: string) => Promise<void>): Promise<void>;
  health(): TransportHealth;
  close(): Promise<void>;
}

/** Where unexpected errors are told: the loops go on. `facts` name the place, never a value of the data. */
export type OnError = (error: unknown, facts?: Readonly<Record<string, string | number>>) => void;
