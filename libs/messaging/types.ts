import type { Tx } from '@moorage/server';

/** An event as it travels. snake_case: this is the wire. */
export interface Envelope {
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
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a service says happened; the outbox adds identity, time and sequence. */
export interface NewEvent {
  readonly stream: string;
  readonly event_name: string;
  readonly version: number;
  readonly aggregate_id: string;
  readonly correlation_id?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Outbox {
  /** Writes the event in the caller's transaction; it is published after the commit, in order per aggregate. */
  append(tx: Tx, event: NewEvent): Promise<void>;
}

/** Work is a row: kind and key name it, so scheduling twice is harmless. */
export interface WorkSchedule {
  /** Makes (kind, key) due at `due_at`, or earlier if it already was. */
  schedule(tx: Tx, work: { kind: string; key: string; due_at: number }): Promise<void>;
}

/** Brings envelopes from the relay to every subscribing service; at least once, in any order. */
export interface EventTransport {
  publish(batch: readonly Envelope[]): Promise<void>;
  subscribe(consumer: string, streams: readonly string[], arrived: (envelope: Envelope) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Brings due keys to workers; the row decides, so a lost or doubled signal only costs time. */
export interface WorkTransport {
  signal(kind: string, key: string, due_at: number): Promise<void>;
  listen(kind: string, concurrency: number, due: (key: string) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}
