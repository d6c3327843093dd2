import { z } from 'zod';
import type { Call } from './call';
import { newestFirst } from './fields';

export const credit = z
  .object({
    id: z.int(),
    credit_type: z.enum(['signup', 'referrer', 'referred']),
    amount: z.number(),
    used_amount: z.number(),
    /** 0 from `expires_at` on. */
    remaining_amount: z.number(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    /** Has something left, has not expired, and is not locked. */
    is_usable: z.boolean(),
    is_expired: z.boolean(),
  })
  .meta({ id: 'Credit' });
export type CreditAnswer = z.infer<typeof credit>;

export const REFERRALS_CALLS = {
  validateCode: {
    method: 'GET',
    path: '/referrals/validate-code/{code}',
    summary: 'Whose referral code this is',
    access: 'public',
    params: z.object({ code: z.string().trim().min(1).max(64) }),
    status: 200,
    answer: z.object({ referrer_username: z.string() }),
    errors: ['NOT_FOUND'],
    limit: 'validate_code',
  },
  myLink: {
    method: 'GET',
    path: '/referrals/my-link',
    summary: 'The link and code by which the account refers others',
    access: 'user',
    status: 200,
    answer: z.object({ referral_url: z.string(), referral_code: z.string() }),
    errors: [],
  },
  stats: {
    method: 'GET',
    path: '/referrals/stats',
    summary: 'How many came by the link, how many of them are verified, and what that has earned',
    access: 'user',
    status: 200,
    answer: z.object({ referred_count: z.int(), verified_count: z.int(), earned_amount: z.number() }),
    errors: [],
  },
  credits: {
    method: 'GET',
    path: '/referrals/credits',
    summary:
      'The referral credits of the account, newest first, ended ones included. X-Total-Count counts them, Link leads on',
    access: 'user',
    query: newestFirst,
    status: 200,
    answer: z.array(credit),
    errors: ['FIELDS_INVALID'],
  },
  signupCredits: {
    method: 'GET',
    path: '/signup-credits',
    summary:
      'The signup credits of the account, newest first, ended ones included. X-Total-Count counts them, Link leads on',
    access: 'user',
    query: newestFirst,
    status: 200,
    answer: z.array(credit),
    errors: ['FIELDS_INVALID'],
  },
} as const satisfies Record<string, Call>;
