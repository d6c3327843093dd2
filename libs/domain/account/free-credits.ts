import { CREDITS_MESSAGES } from '../messages/credits';
import type { Message } from '../messages/message';
import { DAY_MS, type Instant } from '../time';

export const FREE_CREDIT_TERMS = {
  /** How long the code that was mailed can be used. */
  codeMs: 30 * DAY_MS,
} as const;

interface FreeCreditCode {
  readonly isUsed: boolean;
  readonly expiresAt: Instant;
}

/** Why a code for free credits pays nothing, or null. */
export function refusalOfCode({ isUsed, expiresAt }: FreeCreditCode, at: Instant): Message | null {
  if (isUsed) return CREDITS_MESSAGES.code_used;
  return expiresAt <= at ? CREDITS_MESSAGES.code_ended : null;
}
