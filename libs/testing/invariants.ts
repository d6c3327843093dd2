import type { Instant } from '@moorage/domain';
import { type Breach, describeBreaches, findBreaches, type InvariantMoment, INVARIANTS } from '@moorage/ledger';
import type { TestDatabase } from './database';

/** Returns the violations in a test's database, read as its owner. */
export function breachesOf(
  database: Pick<TestDatabase, 'sql'>,
  { now, moment, canaries }: { now: Instant; moment: InvariantMoment; canaries?: readonly string[] },
): Promise<Breach[]> {
  return findBreaches((sql, params) => database.sql(sql, params.map(toPg)), INVARIANTS, {
    now,
    moment,
    ...(canaries === undefined ? {} : { canaries }),
  });
}

/**
 * Checks the invariants.
 *
 * @throws Error with every offending row when an invariant is violated.
 */
export async function checkInvariants(
  database: Pick<TestDatabase, 'sql'>,
  scope: { now: Instant; moment: InvariantMoment; canaries?: readonly string[] },
): Promise<void> {
  const breaches = await breachesOf(database, scope);
  if (breaches.length > 0) throw new Error(`${breaches.length} invariants do not hold\n${describeBreaches(breaches)}`);
}

const toPg = (value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
