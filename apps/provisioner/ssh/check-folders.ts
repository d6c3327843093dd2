import { createHash } from 'node:crypto';

/**
 * Returns the prefix of the folders that checks with this key create on a server. It distinguishes their leftovers from
 * the folders of other users' checks. `key` is the public key in SSH's wire format.
 */
export function checkFoldersOf(key: Buffer): string {
  return `check-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}
