import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import type { Random } from './random';

/** PostgreSQL's own default. */
const ITERATIONS = 4096;

/**
 * Returns the verifier that PostgreSQL stores for a password (RFC 5803, as accepted by `create role ... password`). The
 * password itself then never appears in a statement, which a server may log.
 */
export function scramVerifier(password: string, random: Random): string {
  const salt = random.bytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256');
  const keyed = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}
