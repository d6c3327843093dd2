import { HOUR_MS, type Instant, MINUTE_MS } from '../time';
import { hasUnprintable } from '../text';
import { ORDER_MESSAGES } from '../messages/order';
import type { Message } from '../messages/message';

/** Key types that current OpenSSH servers accept. RSA keys need at least 2048 bits. */
const TYPES = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
  'ssh-rsa',
];
const LENGTH_MAX = 4_096;
const RSA_BITS_MIN = 2_048;
const COMMENT = /^[A-Za-z0-9][A-Za-z0-9@._+:, -]{0,127}$/;

/** Maximum number of keys of a deployment. */
export const SSH_KEYS_MAX = 20;
export const SSH_KEY_NAME_LENGTH_MAX = 60;

/** State of the keys on the server compared with those in the list. */
export const SSH_KEYS_STATES = ['applied', 'applying', 'failed'] as const;
export type SshKeysState = (typeof SSH_KEYS_STATES)[number];

/** Pauses between attempts to apply the keys to a server. After the last one, a change or a restart tries again. */
const PAUSES_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];

/**
 * Returns when a failed attempt to apply the keys is repeated, or null if it is not.
 *
 * @param failures failures in a row, at least 1
 */
export function sshKeysRetryAt(failures: number, now: Instant): Instant | null {
  const pause = PAUSES_MS[failures - 1];
  return pause === undefined ? null : now + pause;
}

/** Returns the name of a key that was ordered with its deployment, which is its comment if it has one. */
export function nameOfKey(line: string): string {
  const comment = line.split(' ').slice(2).join(' ').slice(0, SSH_KEY_NAME_LENGTH_MAX).trim();
  return comment === '' ? 'First key' : comment;
}

/**
 * Returns why a text is not a single OpenSSH public key line (`type base64 comment`), or null if it is. The key data is
 * checked too, and must name the same type and end with its last field. Options in front (`command="..."`) are
 * rejected.
 */
export function checkPublicKeyLine(line: string): Message | null {
  if (/PRIVATE KEY/.test(line)) return ORDER_MESSAGES.ssh_key_private;
  if (hasUnprintable(line)) return ORDER_MESSAGES.ssh_key_lines;
  if (line.length > LENGTH_MAX) return ORDER_MESSAGES.ssh_key_long({ most: LENGTH_MAX });
  const [type = '', encoded = '', ...words] = line.split(' ');
  if (!TYPES.includes(type)) return ORDER_MESSAGES.ssh_key_type;
  const fields = fieldsOf(decodeBase64(encoded));
  if (fields === null || latin(fields[0]) !== type) return ORDER_MESSAGES.ssh_key_damaged;
  if (type === 'ssh-rsa' && bitsOf(fields[2]) < RSA_BITS_MIN)
    return ORDER_MESSAGES.ssh_key_bits({ bits: RSA_BITS_MIN });
  const comment = words.join(' ');
  if (words.length > 0 && !COMMENT.test(comment)) return ORDER_MESSAGES.ssh_key_comment;
  return null;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function decodeBase64(text: string): number[] | null {
  if (text.length === 0 || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const letter of text.replace(/={1,2}$/, '')) {
    held = ((held << 6) | ALPHABET.indexOf(letter)) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return bytes;
}

/** Returns the length-prefixed fields of an SSH key, or null if they do not end at the last byte. */
function fieldsOf(bytes: readonly number[] | null): number[][] | null {
  if (bytes === null) return null;
  const fields: number[][] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + 4 > bytes.length) return null;
    const length = bytes.slice(at, at + 4).reduce((sum, byte) => sum * 256 + byte, 0);
    at += 4;
    if (length === 0 || at + length > bytes.length) return null;
    fields.push(bytes.slice(at, at + length));
    at += length;
  }
  return fields.length >= 2 ? fields : null;
}

const latin = (bytes: readonly number[] = []): string => String.fromCharCode(...bytes);

function bitsOf(bytes: readonly number[] = []): number {
  const significant = bytes[0] === 0 ? bytes.slice(1) : bytes;
  return significant.length * 8 - (significant[0] === undefined ? 0 : Math.clz32(significant[0]) - 24);
}
