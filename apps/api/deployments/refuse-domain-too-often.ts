import type { DeploymentRow } from '@moorage/database';
import {
  againIn,
  CONSTANTS,
  DomainError,
  type Instant,
  iso,
  joined,
  RATE_LIMIT_MESSAGES,
  SECOND_MS,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';

/** Throws RATE_LIMITED within 15 minutes of the last change of the domain, unless that change has failed. */
export async function refuseDomainTooOften(
  tx: Tx,
  { id, domain_changed_at: changedAt }: DeploymentRow,
  at: Instant,
): Promise<void> {
  if (changedAt === null) return;
  const next = changedAt + CONSTANTS.domainChangeIntervalMs;
  if (at >= next) return;
  const failed = await tx.query(
    `select 1 from deployment_changes where deployment_id = $1 and requested_at = $2 and state = 'failed'`,
    [id, iso(changedAt)],
  );
  if (failed.length > 0) return;
  const seconds = Math.ceil((next - at) / SECOND_MS);
  throw new DomainError('RATE_LIMITED', joined([RATE_LIMIT_MESSAGES.domain_changes, againIn(seconds)]), {
    retry_after_s: seconds,
  });
}
