import { action } from '../action';

/** A decision creates credits and changes the number of pending items, which is a read of the referrals. */
const decision = { changes: ['referrals', 'referral-credits'] } as const;

/** Decisions about referrals. */
export const REFERRALS = {
  approve: action('POST /referrals/admin/referrals/{id}/approve', decision),
  reject: action('POST /referrals/admin/referrals/{id}/reject', decision),
} as const;

/** Decisions about requests for free credits. */
export const CREDIT_REQUESTS = {
  approve: action('POST /support/referral-requests/{id}/approve', decision),
  reject: action('POST /support/referral-requests/{id}/reject', decision),
} as const;

export const REFERRAL_CREDITS = {
  adjust: action('PATCH /referrals/admin/credits/{id}/adjust'),
} as const;
