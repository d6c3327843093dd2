import { CONSTANTS } from '../constants';
import { DomainError } from '../errors';
import { type Instant, SECOND_MS } from '../time';
import { againIn, RATE_LIMIT_MESSAGES } from '../messages/rate-limit';
import { joined } from '../messages/message';

/** Returns until when creations are paused after failures at these instants, or null if they are not paused. */
export function creationsPausedUntil(failedAt: readonly Instant[], at: Instant): Instant | null {
  const { failedCreationsMax: max, failedCreationsWindowMs: windowMs } = CONSTANTS;
  const counted = failedAt.filter((failed) => failed > at - windowMs).sort((a, b) => b - a);
  // Creations resume as soon as the newest failure above the limit has left the window.
  const oneTooMany = counted[max];
  return oneTooMany === undefined ? null : oneTooMany + windowMs;
}

/**
 * Rejects creations while they are paused. Failed creations cost the customer nothing, so their number is limited.
 *
 * @throws DomainError `RATE_LIMITED` (429) with `retry_after_s`
 */
export function refuseFailedCreations(failedAt: readonly Instant[], at: Instant): void {
  const until = creationsPausedUntil(failedAt, at);
  if (until === null) return;
  const seconds = Math.max(1, Math.ceil((until - at) / SECOND_MS));
  throw new DomainError('RATE_LIMITED', joined([RATE_LIMIT_MESSAGES.failed_creations, againIn(seconds)]), {
    retry_after_s: seconds,
  });
}
