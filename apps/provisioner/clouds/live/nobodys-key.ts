import { createHash } from 'node:crypto';

/** The first number with which the hash is a point of the curve: a valid ed25519 key. */
const PHRASE = 'moorage: nobody has the private half of this key 1';
const TYPE = 'ssh-ed25519';

const point = createHash('sha256').update(PHRASE).digest();
const blob = Buffer.concat([Buffer.from(TYPE), point].flatMap((field) => [lengthOf(field), field]));

/**
 * For providers that want a key before they make a server without a password. The key that may log in comes with the user
 * data; of this one nobody can have the private half, because its public half is a hash.
 */
export const NOBODYS_KEY = {
  publicKey: `${TYPE} ${blob.toString('base64')}`,
  /** MD5, `3b:16:...`, as DigitalOcean names keys. */
  fingerprint: (createHash('md5').update(blob).digest('hex').match(/../g) ?? []).join(':'),
} as const;

function lengthOf(field: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(field.length);
  return length;
}
