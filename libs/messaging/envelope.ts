import { iso } from '@moorage/server';
import type { Envelope } from './types';

export interface EnvelopeRow extends Omit<Envelope, 'occurred_at' | 'sequence'> {
  readonly occurred_at: number;
  readonly sequence: string;
}

/** Columns of the outbox that make up an envelope. */
export const ENVELOPE_COLUMNS =
  'event_id, stream, event_name, version, occurred_at, aggregate_id, sequence, correlation_id, data';

/** Converts a row of the outbox to an envelope. */
export function envelopeOf(row: EnvelopeRow): Envelope {
  return {
    event_id: row.event_id,
    stream: row.stream,
    event_name: row.event_name,
    version: row.version,
    occurred_at: iso(row.occurred_at),
    aggregate_id: row.aggregate_id,
    sequence: Number(row.sequence),
    correlation_id: row.correlation_id,
    data: row.data,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isEventId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/**
 * Validates a value received from a transport. Unknown fields are dropped.
 *
 * @returns The envelope, or null if the value is not a valid envelope.
 */
export function parseEnvelope(value: unknown): Envelope | null {
  if (!isRecord(value)) return null;
  const { event_id, stream, event_name, version, occurred_at, aggregate_id, sequence, correlation_id, data } = value;
  if (!isEventId(event_id)) return null;
  if (typeof stream !== 'string' || typeof event_name !== 'string') return null;
  if (typeof aggregate_id !== 'string' || typeof correlation_id !== 'string') return null;
  if (!isCount(version) || !isCount(sequence) || !isRecord(data)) return null;
  if (typeof occurred_at !== 'string' || !Number.isFinite(Date.parse(occurred_at))) return null;
  return { event_id, stream, event_name, version, occurred_at, aggregate_id, sequence, correlation_id, data };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
