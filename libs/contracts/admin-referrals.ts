import { CONSTANTS, CREDITS_MESSAGES, REFERRAL_DOUBTS } from '@moorage/domain';
import { z } from 'zod';
import { idParams, line } from './account-fields';
import type { Call } from './call';
import { queryNumber, shortText } from './fields';
import { issueText, message } from './message';
import { numberedPages, pageNumber } from './numbered-pages';
import { credit } from './referrals';
import { amount } from './wallet';

const side = z.object({ id: z.int(), username: z.string(), email: z.string(), is_deactivated: z.boolean() });

/** A credit of any account as administrators see it. */
export const adminCredit = credit
  .extend({
    user_id: z.int(),
    user_username: z.string(),
    user_email: z.string(),
    /** IP address of the referred account's signup. Null if it is unknown or has been erased. */
    ip_address: z.string().nullable(),
    /** Other user of the referral. Null for a signup credit or if there is none. */
    referral_user_username: z.string().nullable(),
    referral_user_email: z.string().nullable(),
  })
  .meta({ id: 'AdminCredit' });
export type AdminCreditAnswer = z.infer<typeof adminCredit>;

export const ADMIN_CREDIT_SORTS = ['created_at', 'user_email', 'amount', 'ip_address'] as const;
export type AdminCreditSort = (typeof ADMIN_CREDIT_SORTS)[number];

export const adminCreditList = z.object({
  page: pageNumber,
  per_page: queryNumber(1, CONSTANTS.pageSizeMax).default(CONSTANTS.adminCreditsPerPage),
  sort_by: z.enum(ADMIN_CREDIT_SORTS).default('created_at'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
  /**
   * Limits the list to credits with an address in this network, such as `203.0.113.0/24`, or of accounts that signed up
   * from it.
   */
  network: z.union([z.cidrv4(), z.cidrv6()]).optional(),
  /** Limits the list to credits of accounts with an address at this mail domain. */
  mail_domain: shortText(253).optional(),
});
export type AdminCreditList = z.infer<typeof adminCreditList>;

const adminCreditPage = z.object({ credits: z.array(adminCredit), ...numberedPages }).meta({ id: 'AdminCreditPage' });
export type AdminCreditPage = z.infer<typeof adminCreditPage>;

const cluster = z
  .object({
    /** A network such as `203.0.113.0/24`, or a mail domain. */
    key: z.string(),
    /** Number of accounts from there that were referred or received free credits. */
    accounts: z.int(),
    /** Number of their referrals waiting for a review. */
    waiting: z.int(),
    /** Credits granted to them and their referrers. */
    granted_amount: z.number(),
    newest_at: z.iso.datetime(),
  })
  .meta({ id: 'ReferralCluster' });
export type ReferralCluster = z.infer<typeof cluster>;

const decision = {
  decided_at: z.iso.datetime().nullable(),
  decided_by: z.object({ id: z.int(), username: z.string() }).nullable(),
  /** Reason for the rejection. */
  rejection: z.string().nullable(),
};

export const adminReferral = z
  .object({
    id: z.int(),
    state: z.enum(['waiting', 'granted', 'rejected']),
    referred: side,
    referrer: side,
    network: z.string().nullable(),
    ip_address: z.string().nullable(),
    /** Reasons for the review. Empty if the credits were granted immediately. */
    doubts: z.array(z.object({ kind: z.enum(REFERRAL_DOUBTS), text: message })),
    verified_at: z.iso.datetime(),
    granted_at: z.iso.datetime().nullable(),
    ...decision,
  })
  .meta({ id: 'AdminReferral' });
export type AdminReferralAnswer = z.infer<typeof adminReferral>;

const adminReferralPage = z
  .object({ referrals: z.array(adminReferral), ...numberedPages })
  .meta({ id: 'AdminReferralPage' });
export type AdminReferralPage = z.infer<typeof adminReferralPage>;

export const adminCreditRequest = z
  .object({
    id: z.int(),
    state: z.enum(['waiting', 'approved', 'rejected']),
    email: z.string(),
    reason: z.string(),
    ip_address: z.string().nullable(),
    created_at: z.iso.datetime(),
    /** Deadline for the decision, 24 hours after the request. */
    due_at: z.iso.datetime(),
    /** Waiting after `due_at`. */
    is_overdue: z.boolean(),
    /** Account with this address. Null if there is none, in which case an approval emails a code. */
    account: side.extend({ is_verified: z.boolean() }).nullable(),
    /** The same mailbox received free credits before. They are granted only once. */
    had_before: z.boolean(),
    /** Expiry of the emailed code, or null if none was sent. */
    code_expires_at: z.iso.datetime().nullable(),
    /** Time at which the credit was granted. */
    credited_at: z.iso.datetime().nullable(),
    ...decision,
  })
  .meta({ id: 'AdminCreditRequest' });
export type AdminCreditRequestAnswer = z.infer<typeof adminCreditRequest>;

const adminCreditRequestPage = z
  .object({ requests: z.array(adminCreditRequest), ...numberedPages })
  .meta({ id: 'AdminCreditRequestPage' });
export type AdminCreditRequestPage = z.infer<typeof adminCreditRequestPage>;

const waiting = z
  .object({
    referrals: z.int(),
    requests: z.int(),
    /** Number of requests that have waited longer than 24 hours. */
    overdue_requests: z.int(),
  })
  .meta({ id: 'ReferralReviews' });
export type ReferralReviews = z.infer<typeof waiting>;

const AMOUNT = issueText(CREDITS_MESSAGES.amount_invalid);
const creditAmount = z
  .number(AMOUNT)
  .pipe(amount)
  .refine((units) => units >= 0, AMOUNT);

const REASON = issueText(CREDITS_MESSAGES.reason_missing);
const rejection = z.object({ reason: z.string(REASON).pipe(line(300)).pipe(z.string().min(1, REASON)) });

export const ADMIN_REFERRALS_CALLS = {
  credits: {
    operation: 'listAllCredits',
    method: 'GET',
    path: '/referrals/admin/credits',
    summary: 'List credits of all users',
    description: 'Sort by IP address to find users who share an address.',
    access: 'admin',
    query: adminCreditList,
    status: 200,
    answer: adminCreditPage,
    errors: ['FIELDS_INVALID'],
  },
  adjust: {
    operation: 'adjustCredit',
    method: 'PATCH',
    path: '/referrals/admin/credits/{id}/adjust',
    summary: 'Adjust the amount of a credit',
    description: 'The amount cannot fall below what has been used. The difference is posted to the ledger.',
    access: 'admin',
    recent_authentication: true,
    params: idParams,
    body: z.object({ amount: creditAmount }),
    status: 200,
    answer: adminCredit,
    errors: ['NOT_FOUND', 'CREDIT_STATE'],
  },
  clusters: {
    operation: 'listReferralClusters',
    method: 'GET',
    path: '/referrals/admin/clusters',
    summary: 'List networks and email domains with several credited users',
    description: 'Largest first.',
    access: 'admin',
    query: z.object({ by: z.enum(['network', 'mail_domain']).default('network') }),
    status: 200,
    answer: z.array(cluster),
    errors: ['FIELDS_INVALID'],
  },
  waiting: {
    operation: 'countReferralReviews',
    method: 'GET',
    path: '/referrals/admin/waiting',
    summary: 'Count pending referral decisions',
    access: 'admin',
    status: 200,
    answer: waiting,
    errors: [],
  },
  referrals: {
    operation: 'listReferrals',
    method: 'GET',
    path: '/referrals/admin/referrals',
    summary: 'List referrals of verified users',
    description: 'Pending referrals, oldest first, or decided ones, newest first.',
    access: 'admin',
    query: z.object({ state: z.enum(['waiting', 'granted', 'rejected']).default('waiting'), page: pageNumber }),
    status: 200,
    answer: adminReferralPage,
    errors: ['FIELDS_INVALID'],
  },
  approveReferral: {
    operation: 'approveReferral',
    method: 'POST',
    path: '/referrals/admin/referrals/{id}/approve',
    summary: 'Approve a referral',
    description: 'Grants the referral credits.',
    access: 'admin',
    recent_authentication: true,
    params: idParams,
    status: 200,
    answer: adminReferral,
    errors: ['NOT_FOUND', 'CREDIT_STATE'],
  },
  rejectReferral: {
    operation: 'rejectReferral',
    method: 'POST',
    path: '/referrals/admin/referrals/{id}/reject',
    summary: 'Reject a referral',
    description: 'Grants no credits. Only administrators see the reason.',
    access: 'admin',
    recent_authentication: true,
    params: idParams,
    body: rejection,
    status: 200,
    answer: adminReferral,
    errors: ['NOT_FOUND', 'CREDIT_STATE'],
  },
  requests: {
    operation: 'listCreditRequests',
    method: 'GET',
    path: '/support/referral-requests',
    summary: 'List requests for free credits',
    description: 'Pending requests, oldest first, or decided ones, newest first.',
    access: 'admin',
    query: z.object({ state: z.enum(['waiting', 'approved', 'rejected']).default('waiting'), page: pageNumber }),
    status: 200,
    answer: adminCreditRequestPage,
    errors: ['FIELDS_INVALID'],
  },
  approveRequest: {
    operation: 'approveCreditRequest',
    method: 'POST',
    path: '/support/referral-requests/{id}/approve',
    summary: 'Approve a request for free credits',
    description:
      'Grants a signup credit to the user with this email address. If no such user exists, emails a single-use code instead.',
    access: 'admin',
    recent_authentication: true,
    params: idParams,
    status: 200,
    answer: adminCreditRequest,
    errors: ['NOT_FOUND', 'CREDIT_STATE'],
  },
  rejectRequest: {
    operation: 'rejectCreditRequest',
    method: 'POST',
    path: '/support/referral-requests/{id}/reject',
    summary: 'Reject a request for free credits',
    description: 'Emails the reason to the applicant.',
    access: 'admin',
    recent_authentication: true,
    params: idParams,
    body: rejection,
    status: 200,
    answer: adminCreditRequest,
    errors: ['NOT_FOUND', 'CREDIT_STATE'],
  },
} as const satisfies Record<string, Call>;
