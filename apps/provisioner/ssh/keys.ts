import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { KeyPair } from './types';

/**
 * An ed25519 pair in OpenSSH's formats, without a comment. Written out by ourselves: one pair in 130 that ssh2 1.17 makes
 * cannot be read by anybody (its DER reader drops a leading zero of either half).
 */
export function newKeyPair(): KeyPair {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { secret, open } = halvesOf(privateKey);
  const blob = Buffer.concat([field(TYPE), field(open)]);
  return {
    privateKey: armour(blob, secret, open),
    publicKey: `${TYPE} ${blob.toString('base64')}`,
    fingerprint: fingerprintOf(blob),
  };
}

const TYPE = 'ssh-ed25519';
const NONE = 'none';
const BLOCK_BYTES = 8;
const LINE_CHARACTERS = 70;

function halvesOf(key: KeyObject): { secret: Buffer; open: Buffer } {
  const { d = '', x = '' } = key.export({ format: 'jwk' });
  return { secret: Buffer.from(d, 'base64url'), open: Buffer.from(x, 'base64url') };
}

/** PROTOCOL.key of OpenSSH, unencrypted. */
function armour(blob: Buffer, secret: Buffer, open: Buffer): string {
  const check = randomBytes(4);
  const inner = Buffer.concat([
    check,
    check,
    field(TYPE),
    field(open),
    field(Buffer.concat([secret, open])),
    field(''),
  ]);
  const padding = Buffer.from(Array.from({ length: -inner.length & (BLOCK_BYTES - 1) }, (_, index) => index + 1));
  const all = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field(NONE),
    field(NONE),
    field(''),
    number(1),
    field(blob),
    field(Buffer.concat([inner, padding])),
  ]).toString('base64');
  const lines = all.match(new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g')) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n');
}

/** A length and so many bytes. */
function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([number(bytes.length), bytes]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** `SHA256:...` of a key as it travels, the way ssh-keygen -l prints it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/**
 * What the names of the folders begin with that checks with this key make on a server: what one of them left behind is told
 * from what others' checks are at there. `key` as it travels.
 */
export function checkFoldersOf(key: Buffer): string {
  return `check-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}

/** The fingerprint of a public line `type base64 [comment]`. */
export function fingerprintOfLine(line: string): string {
  return fingerprintOf(Buffer.from(line.trim().split(' ')[1] ?? '', 'base64'));
}
