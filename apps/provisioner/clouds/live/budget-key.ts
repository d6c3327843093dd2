import { createHash } from 'node:crypto';

/** Returns a fingerprint that distinguishes tokens but does not reveal them. */
export const budgetKeyOf = (token: string): string => createHash('sha256').update(token).digest('hex').slice(0, 16);
