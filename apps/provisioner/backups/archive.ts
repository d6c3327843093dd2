import { createCipheriv, pbkdf2 } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { ARCHIVE_ROUNDS } from '@moorage/domain';

const KEY_BYTES = 32;
const BLOCK_BYTES = 16;
export const SALT_BYTES = 8;
const derive = promisify(pbkdf2);

/** Thrown when an archive exceeds its maximum size. */
export class ArchiveTooLarge extends Error {
  override readonly name = 'ArchiveTooLarge';
}

/**
 * Compresses a tar and writes it to a file in the format of `openssl enc -aes-256-cbc -pbkdf2`: the bytes `Salted__`,
 * the salt, then the ciphertext (https://docs.openssl.org/master/man1/openssl-enc/). Resolves with the number of bytes
 * written.
 */
export async function writeArchive(
  tar: Readable,
  {
    path,
    password,
    salt,
    bytesMax,
    signal,
  }: { path: string; password: string; salt: Buffer; bytesMax: number; signal: AbortSignal },
): Promise<number> {
  const derived = await derive(password, salt, ARCHIVE_ROUNDS, KEY_BYTES + BLOCK_BYTES, 'sha256');
  const cipher = createCipheriv('aes-256-cbc', derived.subarray(0, KEY_BYTES), derived.subarray(KEY_BYTES));
  let bytes = 0;
  const head = Buffer.concat([Buffer.from('Salted__'), salt]);
  const bounded = new Transform({
    construct(ready) {
      this.push(head);
      bytes = head.length;
      ready();
    },
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > bytesMax) return done(new ArchiveTooLarge());
      done(null, chunk);
    },
  });
  await pipeline(tar, createGzip(), cipher, bounded, createWriteStream(path, { mode: 0o600 }), { signal });
  return bytes;
}
