import { CREDITS_MESSAGES } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';
import { newestFirst } from './fields';
import { issueText } from './message';

export const credit = z
  .object({
    id: z.int(),
    credit_type: z.enum(['signup', 'referrer', 'referred']),
    amount: z.number(),
    used_amount: z.number(),
    /** 0 from `expires_at`. */
    remaining_amount: z.number(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    /** Has a remainder, has not expired, and is not locked. */
    is_usable: z.boolean(),
    is_expired: z.boolean(),
    /** ISO 4217 currency in which it was offered. It counts 1:1 in the wallet (decision 2). */
    display_currency: z.string(),
  })
  .meta({ id: 'Credit' });
export type CreditAnswer = z.infer<typeof credit>;

const referralStats = z
  .object({
    referred_count: z.int(),
    verified_count: z.int(),
    earned_amount: z.number(),
    /** Number of referrals of the account, on either side, with credits waiting for a review. */
    waiting_count: z.int(),
  })
  .meta({ id: 'ReferralStats' });
export type ReferralStats = z.infer<typeof referralStats>;

const CODE_NEEDED = issueText(CREDITS_MESSAGES.code_missing);

export const REFERRALS_CALLS = {
  validateCode: {
    operation: 'validateReferralCode',
    method: 'GET',
    path: '/referrals/validate-code/{code}',
    summary: 'Validate a referral or credit code',
    description: 'Returns the name of the referrer, or the name of the platform for a free credit code.',
    access: 'public',
    params: z.object({ code: z.string().trim().min(1).max(64) }),
    status: 200,
    answer: z.object({
      referrer_username: z.string(),
      /** An emailed single-use code for free credits. */
      is_free_credits: z.boolean(),
    }),
    errors: ['NOT_FOUND'],
    limit: 'validate_code',
  },
  myLink: {
    operation: 'getReferralLink',
    method: 'GET',
    path: '/referrals/my-link',
    summary: 'Get your referral link and code',
    access: 'user',
    status: 200,
    answer: z.object({ referral_url: z.string(), referral_code: z.string() }),
    errors: [],
  },
  stats: {
    operation: 'getReferralStats',
    method: 'GET',
    path: '/referrals/stats',
    summary: 'Get your referral statistics',
    description: 'Number of sign-ups, verified users and referrals under review, and the credits earned.',
    access: 'user',
    status: 200,
    answer: referralStats,
    errors: [],
  },
  credits: {
    operation: 'listReferralCredits',
    method: 'GET',
    path: '/referrals/credits',
    summary: 'List your referral credits',
    description:
      'Newest first, including credits that have ended. The `X-Total-Count` header has the total, the `Link` header the other pages.',
    access: 'user',
    query: newestFirst,
    status: 200,
    answer: z.array(credit),
    errors: ['FIELDS_INVALID'],
  },
  signupCredits: {
    operation: 'listSignupCredits',
    method: 'GET',
    path: '/signup-credits',
    summary: 'List your signup credits',
    description:
      'Newest first, including credits that have ended. The `X-Total-Count` header has the total, the `Link` header the other pages.',
    access: 'user',
    query: newestFirst,
    status: 200,
    answer: z.array(credit),
    errors: ['FIELDS_INVALID'],
  },
  redeem: {
    operation: 'redeemCreditCode',
    method: 'POST',
    path: '/signup-credits/redeem',
    summary: 'Redeem a credit code',
    description: 'Takes the code from the email that approved a request for free credits.',
    access: 'verified',
    body: z.object({ code: z.string(CODE_NEEDED).trim().min(1, CODE_NEEDED).max(64) }),
    status: 201,
    answer: credit,
    errors: ['FIELDS_INVALID'],
    limit: 'validate_code',
  },
} as const satisfies Record<string, Call>;
