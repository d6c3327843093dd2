import { createHash } from 'node:crypto';

/** Ends with the first number for which the hash is a point of the curve, which makes it a valid ed25519 key. */
const PHRASE = 'moorage: nobody has the private half of this key 1';
const TYPE = 'ssh-ed25519';

const point = createHash('sha256').update(PHRASE).digest();
const blob = Buffer.concat([Buffer.from(TYPE), point].flatMap((field) => [lengthOf(field), field]));

/**
 * A public key for providers that require a key to create a server without a password. Its private half cannot be
 * known, because the public half is a hash. The key that may log in comes with the user data.
 */
export const NOBODYS_KEY = {
  publicKey: `${TYPE} ${blob.toString('base64')}`,
  /** MD5 in the form `3b:16:...`, as used by DigitalOcean to identify keys. */
  fingerprint: (createHash('md5').update(blob).digest('hex').match(/../g) ?? []).join(':'),
} as const;

function lengthOf(field: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(field.length);
  return length;
}
