import { createHash } from 'node:crypto';
import ssh2 from 'ssh2';

export interface KeyPair {
  /** OpenSSH format, as sshd and ssh2 read it. A secret: sealed, never logged. */
  readonly privateKey: string;
  /** One line of authorized_keys, with the comment. */
  readonly publicKey: string;
  /** Fingerprint of the public key as OpenSSH shows it: `SHA256:...`. */
  readonly sha256: string;
}

/** A new ed25519 pair. */
export function makeKeyPair(comment: string): KeyPair {
  const made = ssh2.utils.generateKeyPairSync('ed25519', { comment });
  return { privateKey: made.private, publicKey: made.public, sha256: fingerprint(made.public) };
}

/** Of a public key line (`ssh-ed25519 AAAA... comment`). */
export function fingerprint(publicKey: string): string {
  const [, encoded = ''] = publicKey.trim().split(/\s+/);
  const hash = createHash('sha256').update(Buffer.from(encoded, 'base64')).digest('base64');
  return `SHA256:${hash.replace(/=+$/, '')}`;
}
