import { isEventId, parseEnvelope } from '../envelope';
import type { Envelope } from '../types';

/** An event as a Kafka message. The header names the format, so that a later format is not mistaken for this. */
export interface KafkaMessage {
  readonly topic: string;
  readonly key: string;
  readonly value: Buffer;
  readonly headers: { readonly [FORM_HEADER]: string };
}

const FORM_HEADER = 'moorage-form';
const FORM = '1';
/** Largest value that is parsed. This product sends nothing larger. */
const VALUE_BYTES_MAX = 2 * 1024 * 1024;

/**
 * Returns the message of an envelope. If the envelope exceeds `bytes_max`, the message holds only the id, by which the
 * consumer reads the event.
 */
export function messageOf(envelope: Envelope, topic: string, bytes_max: number): KafkaMessage {
  const whole = Buffer.from(JSON.stringify(envelope));
  const value = whole.length > bytes_max ? Buffer.from(JSON.stringify({ event_id: envelope.event_id })) : whole;
  return { topic, key: envelope.aggregate_id, value, headers: { [FORM_HEADER]: FORM } };
}

/**
 * Splits messages into parts of at most `bytes_max` bytes, in order. A message that is larger on its own becomes a
 * separate part.
 */
export function partsOf(messages: readonly KafkaMessage[], bytes_max: number): KafkaMessage[][] {
  const parts: KafkaMessage[][] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const size = message.value.length + message.key.length + OVERHEAD_BYTES;
    if (bytes + size > bytes_max) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(message);
    bytes += size;
  }
  return parts;
}

const OVERHEAD_BYTES = 60;

/**
 * Reads an envelope, or the id of an envelope that was too large. Returns null for anything else and for a format that
 * this release does not know.
 */
export function readMessage({
  value,
  headers,
}: {
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, unknown>>;
}): Envelope | string | null {
  if (value === null || value.length > VALUE_BYTES_MAX) return null;
  const form = headers?.[FORM_HEADER];
  if (!Buffer.isBuffer(form) || form.toString() !== FORM) return null;
  let reported: unknown;
  try {
    reported = JSON.parse(value.toString());
  } catch {
    return null;
  }
  return parseEnvelope(reported) ?? idIn(reported);
}

function idIn(reported: unknown): string | null {
  if (typeof reported !== 'object' || reported === null || Object.keys(reported).length !== 1) return null;
  const { event_id } = reported as { event_id?: unknown };
  return isEventId(event_id) ? event_id : null;
}
