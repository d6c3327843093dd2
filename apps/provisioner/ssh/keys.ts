import { createHash } from 'node:crypto';
import ssh2 from 'ssh2';
import type { KeyPair } from './types';

/** An ed25519 pair in OpenSSH's formats. The comment is the public line's, written by whoever uses it. */
export function newKeyPair(): KeyPair {
  const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment: '' });
  const [type = '', blob = ''] = pair.public.trim().split(' ');
  return {
    privateKey: pair.private,
    publicKey: `${type} ${blob}`,
    fingerprint: fingerprintOf(Buffer.from(blob, 'base64')),
  };
}

/** `SHA256:...` of a key as it travels, the way ssh-keygen -l prints it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** The same of a public line `type base64 [comment]`. */
export function fingerprintOfLine(line: string): string {
  return fingerprintOf(Buffer.from(line.trim().split(' ')[1] ?? '', 'base64'));
}
