import { isEventId, parseEnvelope } from '../envelope';
import type { Envelope } from '../types';

/** How an event travels in a topic. Its header names the form, so that a later one is not taken for this. */
export interface KafkaMessage {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
  readonly headers: { readonly [FORM_HEADER]: string };
}

const FORM_HEADER = 'moorage-form';
const FORM = '1';
/** Nobody of ours sends more: what is larger is not parsed. */
const VALUE_BYTES_MAX = 2 * 1024 * 1024;

/** An envelope; of one that is larger than may be sent at once only the id, by which it is fetched. */
export function messageOf(envelope: Envelope, topic: string, bytes_max: number): KafkaMessage {
  const whole = JSON.stringify(envelope);
  const value = Buffer.byteLength(whole) > bytes_max ? JSON.stringify({ event_id: envelope.event_id }) : whole;
  return { topic, key: envelope.aggregate_id, value, headers: { [FORM_HEADER]: FORM } };
}

/** In their order, in parts of so many bytes at most; a message that is larger by itself is a part of its own. */
export function partsOf(messages: readonly KafkaMessage[], bytes_max: number): KafkaMessage[][] {
  const parts: KafkaMessage[][] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const size = Buffer.byteLength(message.value) + message.key.length + OVERHEAD_BYTES;
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

/** An envelope, or the id of one that was too large; null: neither, or of a form that this deploy does not know. */
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
  let told: unknown;
  try {
    told = JSON.parse(value.toString());
  } catch {
    return null;
  }
  return parseEnvelope(told) ?? idIn(told);
}

function idIn(told: unknown): string | null {
  if (typeof told !== 'object' || told === null || Object.keys(told).length !== 1) return null;
  const { event_id } = told as { event_id?: unknown };
  return isEventId(event_id) ? event_id : null;
}
