import { CREDITS_MESSAGES } from '../messages/credits';
import type { Message } from '../messages/message';
import { DAY_MS, type Instant } from '../time';

export const FREE_CREDIT_TERMS = {
  /** Validity of an emailed code. */
  codeMs: 30 * DAY_MS,
} as const;

interface FreeCreditCode {
  readonly isUsed: boolean;
  readonly expiresAt: Instant;
}

/** Returns why a code for free credits cannot be redeemed, or null if it can. */
export function refusalOfCode({ isUsed, expiresAt }: FreeCreditCode, at: Instant): Message | null {
  if (isUsed) return CREDITS_MESSAGES.code_used;
  return expiresAt <= at ? CREDITS_MESSAGES.code_ended : null;
}
