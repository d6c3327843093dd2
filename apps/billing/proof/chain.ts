import { createHash } from 'node:crypto';
import type { HashedTransaction } from './history';

/** Groups consecutive transactions with the same hash, which a single statement wrote for an account. */
export function postingsOf(transactions: readonly HashedTransaction[]): HashedTransaction[][] {
  const postings: HashedTransaction[][] = [];
  for (const transaction of transactions) {
    const last = postings.at(-1);
    if (last?.[0] !== undefined && last[0].hash === transaction.hash && transaction.hash !== null)
      last.push(transaction);
    else postings.push([transaction]);
  }
  return postings;
}

/** Returns why the postings are not a chain from the previous hash to the wallet's, or null if they are. */
export function faultOfChain(
  before: string | null,
  postings: readonly (readonly HashedTransaction[])[],
  head: string | null,
): string | null {
  let previous = before;
  for (const posting of postings) {
    const [first] = posting;
    if (first === undefined) continue;
    if (first.hash === null) return `transaction ${first.id} has no hash`;
    const expected = createHash('sha256').update(Buffer.from(previous ?? '', 'hex'));
    for (const { content } of posting) expected.update(content);
    if (expected.digest('hex') !== first.hash) return `the hash of transaction ${first.id} does not match its content`;
    previous = first.hash;
  }
  return previous === head ? null : 'the last hash differs from the one in the wallet';
}

/** Hashes the transactions posted before hashes were introduced. */
export function digestOf(transactions: readonly HashedTransaction[]): string {
  const digest = createHash('sha256');
  for (const { content } of transactions) digest.update(content);
  return digest.digest('hex');
}
