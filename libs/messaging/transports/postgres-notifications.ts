import { parseEnvelope } from '../envelope';
import type { Envelope } from '../types';

/** PostgreSQL accepts payloads of less than 8000 bytes. */
const PAYLOAD_BYTES_MAX = 7_800;

/** Returns the channel of a stream. */
export function channelOf(stream: string): string {
  return `moorage_events_${stream}`;
}

/**
 * Packs as many envelopes as fit into each payload. An envelope that is too large on its own is sent as its id, and the
 * receiver reads it from the outbox.
 */
export function payloadsOf(envelopes: readonly Envelope[]): string[] {
  const payloads: string[] = [];
  let parts: string[] = [];
  let bytes = 2;
  for (const envelope of envelopes) {
    const whole = JSON.stringify(envelope);
    const part = Buffer.byteLength(whole) + 2 > PAYLOAD_BYTES_MAX ? JSON.stringify(envelope.event_id) : whole;
    const size = Buffer.byteLength(part) + 1;
    if (bytes + size > PAYLOAD_BYTES_MAX) {
      payloads.push(`[${parts.join()}]`);
      parts = [];
      bytes = 2;
    }
    parts.push(part);
    bytes += size;
  }
  if (parts.length > 0) payloads.push(`[${parts.join()}]`);
  return payloads;
}

/** Returns the envelopes and ids of a payload, or null if it has another form. */
export function parsePayload(payload: string): (Envelope | string)[] | null {
  let list: unknown;
  try {
    list = JSON.parse(payload);
  } catch {
    return null;
  }
  if (!Array.isArray(list)) return null;
  const reported = list.map((one: unknown) => (typeof one === 'string' ? one : parseEnvelope(one)));
  return reported.every((one) => one !== null) ? reported : null;
}
