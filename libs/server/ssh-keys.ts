import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import type { Random } from './random';

export interface SshKeyPair {
  /** Private key in OpenSSH format, unencrypted. Seal it immediately. */
  readonly privateKey: string;
  /** Public key `ssh-ed25519 AAAA... comment`, without a trailing space if there is no comment. */
  readonly publicKey: string;
  /** Fingerprint `SHA256:...` without padding, as ssh-keygen -l prints it. */
  readonly fingerprint: string;
}

/** Bytes before the seed of an ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_TYPE = 'ssh-ed25519';
const BLOCK_BYTES = 8;

/**
 * Generates an ed25519 key pair in OpenSSH's formats (PROTOCOL.key, unencrypted). The generator of ssh2 1.17 is not
 * used, because 1 in 130 of its key pairs cannot be parsed. Its DER reader drops a leading zero of either half.
 */
export function sshKeyPair(random: Pick<Random, 'bytes'>, comment = ''): SshKeyPair {
  const seed = random.bytes(32);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const point = Buffer.from(String(createPublicKey(key).export({ format: 'jwk' }).x), 'base64url');
  const publicBlob = Buffer.concat([field(KEY_TYPE), field(point)]);
  // Written twice, because readers compare the two to detect a wrong passphrase.
  const check = random.bytes(4);
  const secret = Buffer.concat([check, check, publicBlob, field(Buffer.concat([seed, point])), field(comment)]);
  const padding = Buffer.from(Array.from({ length: -secret.length & (BLOCK_BYTES - 1) }, (_, index) => index + 1));
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    Buffer.from([0, 0, 0, 1]),
    field(publicBlob),
    field(Buffer.concat([secret, padding])),
  ]);
  const lines = file.toString('base64').match(/.{1,70}/g) ?? [];
  return {
    privateKey: ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n'),
    publicKey: [KEY_TYPE, publicBlob.toString('base64'), comment].join(' ').trimEnd(),
    fingerprint: sshFingerprint(publicBlob),
  };
}

/** Returns the fingerprint `SHA256:...` of a public key in SSH's wire format (RFC 4253, section 6.6). */
export function sshFingerprint(publicBlob: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicBlob).digest('base64').replace(/=+$/, '')}`;
}

/** Encodes a string of RFC 4251, section 5, as its length and its bytes. */
function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
