import { createPrivateKey, createPublicKey } from 'node:crypto';
import { userKeyComment } from '@moorage/domain';
import type { Random, Secrets, Tx } from '@moorage/server';

/** Names under the owner `user:{id}`; the provisioner opens the private half when it goes to that user's servers. */
const PRIVATE_KEY = 'ssh_private_key';
const PUBLIC_KEY = 'ssh_public_key';

export interface UserKeys {
  /** The public key line of a user (`ssh-ed25519 AAAA... moorage-user-7`); its pair is made and sealed when there is none yet. */
  publicKey(tx: Tx, userId: number): Promise<string>;
}

export function createUserKeys({ random, secrets }: { random: Random; secrets: Secrets }): UserKeys {
  return {
    async publicKey(tx, userId) {
      const owner = `user:${userId}`;
      const known = await secrets.get(tx, owner, PUBLIC_KEY);
      if (known !== null) return known;
      // two first requests at once: the second waits here and then finds the pair of the first
      await tx.query('select id from users where id = $1 for update', [userId]);
      const made = await secrets.get(tx, owner, PUBLIC_KEY);
      if (made !== null) return made;
      const pair = ed25519Pair(random.bytes(32), { comment: userKeyComment(userId), check: random.bytes(4) });
      await secrets.put(tx, owner, PRIVATE_KEY, pair.privateKey);
      await secrets.put(tx, owner, PUBLIC_KEY, pair.publicKey);
      return pair.publicKey;
    },
  };
}

/** In front of the 32 bytes of an ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_TYPE = 'ssh-ed25519';

/** A key pair as OpenSSH writes it, from 32 random bytes; `check`: 4 bytes that the format repeats to tell a wrong passphrase. */
export function ed25519Pair(
  seed: Buffer,
  { comment, check }: { comment: string; check: Buffer },
): { readonly privateKey: string; readonly publicKey: string } {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const point = Buffer.from(String(createPublicKey(key).export({ format: 'jwk' }).x), 'base64url');
  const publicBlob = Buffer.concat([field(KEY_TYPE), field(point)]);
  const secret = Buffer.concat([check, check, publicBlob, field(Buffer.concat([seed, point])), field(comment)]);
  const padding = Buffer.from(Array.from({ length: -secret.length & 7 }, (_, index) => index + 1));
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
    publicKey: `${KEY_TYPE} ${publicBlob.toString('base64')} ${comment}`,
  };
}

function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
