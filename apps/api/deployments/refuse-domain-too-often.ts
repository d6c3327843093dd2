import type { DeploymentRow } from '@moorage/database';
import { againIn, CONSTANTS, DomainError, type Instant, joined, RATE_LIMIT_MESSAGES, SECOND_MS } from '@moorage/domain';

/** Throws RATE_LIMITED within 15 minutes of the last change of the domain. */
export function refuseDomainTooOften({ domain_changed_at: changedAt }: DeploymentRow, at: Instant): void {
  const next = changedAt === null ? at : changedAt + CONSTANTS.domainChangeIntervalMs;
  if (at >= next) return;
  const seconds = Math.ceil((next - at) / SECOND_MS);
  throw new DomainError('RATE_LIMITED', joined([RATE_LIMIT_MESSAGES.domain_changes, againIn(seconds)]), {
    retry_after_s: seconds,
  });
}
