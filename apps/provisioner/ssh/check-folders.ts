import { createHash } from 'node:crypto';

/**
 * The prefix of the folder names that checks with this key make on a server: what one of them left behind is told from what
 * others' checks use there. `key`: the public key in SSH's wire format.
 */
export function checkFoldersOf(key: Buffer): string {
  return `check-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}
