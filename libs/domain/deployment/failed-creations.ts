import { CONSTANTS } from '../constants';
import { DomainError } from '../errors';
import { type Instant, SECOND_MS } from '../time';
import { againIn, RATE_LIMIT_MESSAGES } from '../messages/rate-limit';
import { joined } from '../messages/message';

/** When an account whose creations failed at these instants may create again; null: now. */
export function creationsPausedUntil(failedAt: readonly Instant[], at: Instant): Instant | null {
  const { failedCreationsMax: max, failedCreationsWindowMs: windowMs } = CONSTANTS;
  const counted = failedAt.filter((failed) => failed > at - windowMs).sort((a, b) => b - a);
  // as soon as the oldest one too many has left the window
  const oneTooMany = counted[max];
  return oneTooMany === undefined ? null : oneTooMany + windowMs;
}

/** RATE_LIMITED (429) while creations are paused: a failed one costs nothing, so that nobody may make them by the hundred. */
export function refuseFailedCreations(failedAt: readonly Instant[], at: Instant): void {
  const until = creationsPausedUntil(failedAt, at);
  if (until === null) return;
  const seconds = Math.max(1, Math.ceil((until - at) / SECOND_MS));
  throw new DomainError('RATE_LIMITED', joined([RATE_LIMIT_MESSAGES.failed_creations, againIn(seconds)]), {
    retry_after_s: seconds,
  });
}
