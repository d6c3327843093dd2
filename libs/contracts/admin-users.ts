import { CONSTANTS, LANGUAGES, USERS_MESSAGES } from '@moorage/domain';
import { z } from 'zod';
import { session } from './account';
import { actReason, email, idParams, line, newPassword, user, username } from './account-fields';
import type { Call } from './call';
import { deployment, deploymentList } from './deployments';
import { listCursor, queryNumber } from './fields';
import { issueText, message, sent } from './message';
import { credit } from './referrals';
import { balance } from './wallet';

/** An account in the administrators' list. `balance` is the regular balance. */
export const adminUser = user
  .extend({
    deactivated_at: z.iso.datetime().nullable(),
    /** Regular balance and all unexpired credits. */
    total_balance: z.number(),
    /** Number of deployments that run or are being created. */
    active_deployments: z.int(),
    /** Maximum number of days the money lasts, from the last warning. Null if it lasts longer or nothing runs. */
    low_balance_days: z.literal([1, 3, 7]).nullable(),
  })
  .meta({ id: 'AdminUser' });
export type AdminUserAnswer = z.infer<typeof adminUser>;

export const adminUserDetails = adminUser
  .extend({
    balances: balance,
    /** Card payments since the account was created, and the part taken by refunds and disputes and not returned. */
    payments: z.object({ count: z.int(), paid: z.number(), taken_back: z.number() }),
  })
  .meta({ id: 'AdminUserDetails' });
export type AdminUserDetailsAnswer = z.infer<typeof adminUserDetails>;

export const adminCreate = z.object({
  username,
  email,
  password: newPassword,
  is_admin: z.boolean().default(false),
  /** Language of emails, by default the administrator's own. */
  language: z.enum(LANGUAGES).nullish(),
});
export type AdminCreate = z.input<typeof adminCreate>;

const deactivationCheck = z
  .object({
    can_deactivate: z.boolean(),
    issues: z.object({ has_active_deployments: z.boolean(), has_positive_balance: z.boolean() }),
    active_deployment_count: z.int(),
    /**
     * Deployments that are neither active nor gone. They are being removed or could not be removed, and block nothing.
     */
    leaving_deployment_count: z.int(),
    /** `balance` is the regular balance. */
    user: z.object({ id: z.int(), username: z.string(), balance: z.number() }),
    /** Reason why the account cannot be deactivated, or null if it can. */
    refusal: message.nullable(),
  })
  .meta({ id: 'DeactivationCheck' });
export type DeactivationCheck = z.infer<typeof deactivationCheck>;

const preparation = z
  .object({
    /** Number of deployments that this call started to remove. */
    removing: z.int(),
    /** Amount refunded to the regular balance for unused hours. */
    refunded_amount: z.number(),
    /** Remaining obstacles. */
    check: deactivationCheck,
  })
  .meta({ id: 'DeletionPreparation' });
export type DeletionPreparation = z.infer<typeof preparation>;

const userSession = session.omit({ is_current: true }).meta({ id: 'UserSession' });
export type UserSession = z.infer<typeof userSession>;

const userMail = z
  .object({
    id: z.int(),
    /** Name of the kind of email, such as `verify_email`. The content is not stored. */
    template: z.string(),
    title: message,
    created_at: z.iso.datetime(),
    /** Null if the email has not been sent. */
    sent_at: z.iso.datetime().nullable(),
    /** Null if the email was sent or is waiting. */
    given_up_at: z.iso.datetime().nullable(),
    /** The mail server rejects this recipient. */
    is_refused: z.boolean(),
  })
  .meta({ id: 'UserMail' });
export type UserMail = z.infer<typeof userMail>;

const userSupportMessage = z
  .object({
    id: z.int(),
    kind: z.enum(['contact', 'package']),
    subject: z.string(),
    message: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'UserSupportMessage' });
export type UserSupportMessage = z.infer<typeof userSupportMessage>;

const userHistory = z
  .object({
    id: z.int(),
    at: z.iso.datetime(),
    what: message,
    /** Null for an operator at the command line and for the product itself. */
    by: z.object({ id: z.int(), username: z.string() }).nullable(),
    /** Authentication of the actor. Null without a request and in records of older versions. */
    via: z.enum(['session', 'api_token', 'view']).nullable(),
    /** Reason given by staff, visible to the owner. */
    reason: z.string().nullable(),
    /** Stored for a year. */
    ip_address: z.string().nullable(),
    /** Deployment concerned, or null if the action concerned the account. */
    deployment_id: z.int().nullable(),
  })
  .meta({ id: 'UserHistory' });
export type UserHistory = z.infer<typeof userHistory>;

const impersonation = z
  .object({
    /** Grants read access to what the user sees, until `expires_at` at most. */
    access_token: z.string(),
    token_type: z.literal('bearer'),
    expires_at: z.iso.datetime(),
    user,
  })
  .meta({ id: 'View' });
export type Impersonation = z.infer<typeof impersonation>;

const impersonationReason = z
  .string(issueText(USERS_MESSAGES.view_reason_missing))
  .pipe(line(200))
  .pipe(z.string().min(1, issueText(USERS_MESSAGES.view_reason_missing)));

export const USER_SORTS = ['id', 'username', 'email', 'created_at', 'balance'] as const;
export type UserSort = (typeof USER_SORTS)[number];

const yesOrNo = z.enum(['true', 'false']);

export const adminUserList = z.object({
  /** Part of a username or email address, or an ID. */
  search: line(CONSTANTS.searchLengthMax).optional(),
  /** Exact username or email address, ignoring case. */
  name: line(254).optional(),
  show_deactivated: yesOrNo.default('false').transform((text) => text === 'true'),
  /** Limits the list to administrators, or to all others. */
  is_admin: yesOrNo.transform((text) => text === 'true').optional(),
  /** Limits the list to verified or unverified email addresses. */
  is_verified: yesOrNo.transform((text) => text === 'true').optional(),
  /** Limits the list to accounts that run out of money within seven days. */
  low_balance: z.literal('true').optional(),
  page: queryNumber(1, CONSTANTS.pagedRowsMax).optional(),
  per_page: queryNumber(1, CONSTANTS.pageSizeMax)
    .pipe(z.literal([...CONSTANTS.usersPageSizes]))
    .optional(),
  sort_by: z.enum(USER_SORTS).default('id'),
  sort_order: z.enum(['asc', 'desc']).default('asc'),
  cursor: listCursor.optional(),
});
export type AdminUserList = z.infer<typeof adminUserList>;

export const ADMIN_USERS_CALLS = {
  list: {
    operation: 'listUsers',
    method: 'GET',
    path: '/users',
    summary: 'List users',
    description:
      'Deactivated users are included only with `show_deactivated`. The `X-Total-Count` header has the total, the `Link` header the other pages.',
    access: 'admin',
    query: adminUserList,
    status: 200,
    answer: z.array(adminUser),
    errors: ['FIELDS_INVALID'],
  },
  get: {
    operation: 'getUserDetails',
    method: 'GET',
    path: '/users/{id}',
    summary: 'Get a user with all balances',
    access: 'admin',
    params: idParams,
    status: 200,
    answer: adminUserDetails,
    errors: ['NOT_FOUND'],
  },
  deployments: {
    operation: 'listDeploymentsOfUser',
    method: 'GET',
    path: '/users/{id}/deployments',
    summary: 'List the deployments of a user',
    access: 'admin',
    params: idParams,
    query: deploymentList,
    status: 200,
    answer: z.array(deployment),
    errors: ['NOT_FOUND', 'FIELDS_INVALID'],
  },
  create: {
    operation: 'createUser',
    method: 'POST',
    path: '/users/admin-create',
    summary: 'Create a user',
    description: 'Sends an email with a verification link.',
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    body: adminCreate,
    status: 201,
    answer: adminUser,
    errors: ['ACCOUNT_EXISTS'],
  },
  makeAdmin: {
    operation: 'makeAdministrator',
    method: 'PATCH',
    path: '/users/{id}/make-admin',
    summary: 'Make a user an administrator',
    description: 'Has no effect if the user is already an administrator.',
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    params: idParams,
    status: 200,
    answer: adminUser,
    errors: ['NOT_FOUND', 'ACCOUNT_STATE'],
  },
  removeAdmin: {
    operation: 'removeAdministrator',
    method: 'PATCH',
    path: '/users/{id}/remove-admin',
    summary: "Remove a user's administrator role",
    description: "Ends the user's sessions. Not possible for yourself or for the last administrator.",
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    params: idParams,
    status: 200,
    answer: adminUser,
    errors: ['NOT_FOUND', 'ACCOUNT_STATE'],
  },
  deactivationCheck: {
    operation: 'checkDeactivation',
    method: 'GET',
    path: '/users/{id}/deactivation-check',
    summary: 'Check whether a user can be deactivated',
    description: 'Returns the reason that prevents it, if any.',
    access: 'admin',
    params: idParams,
    status: 200,
    answer: deactivationCheck,
    errors: ['NOT_FOUND'],
  },
  prepareDeletion: {
    operation: 'prepareUserDeletion',
    method: 'POST',
    path: '/users/{id}/prepare-deletion',
    summary: 'Remove all deployments of a user',
    description:
      "Billing ends immediately. Cloud servers are destroyed in the background. Software stays on the user's own servers.",
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    params: idParams,
    body: z.object({ reason: actReason }),
    status: 200,
    answer: preparation,
    errors: ['NOT_FOUND', 'ACCOUNT_STATE'],
  },
  deactivate: {
    operation: 'deactivateUser',
    method: 'POST',
    path: '/users/{id}/deactivate',
    summary: 'Deactivate a user',
    description: 'Ends all sessions, revokes all tokens and blocks login. Billing records are kept.',
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    params: idParams,
    status: 200,
    answer: sent,
    errors: ['NOT_FOUND', 'ACCOUNT_STATE'],
  },
  reactivate: {
    operation: 'reactivateUser',
    method: 'POST',
    path: '/users/{id}/reactivate',
    summary: 'Reactivate a user',
    description: 'Restores the previous username.',
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    params: idParams,
    status: 200,
    answer: sent,
    errors: ['NOT_FOUND', 'ACCOUNT_STATE', 'ACCOUNT_EXISTS'],
  },
  erase: {
    operation: 'eraseUser',
    method: 'DELETE',
    path: '/users/{id}',
    summary: 'Erase the personal data of a deactivated user',
    description: 'This cannot be undone. Billing records are kept.',
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    params: idParams,
    status: 200,
    answer: sent,
    errors: ['NOT_FOUND', 'ACCOUNT_STATE'],
  },
  sessions: {
    operation: 'listSessionsOfUser',
    method: 'GET',
    path: '/users/{id}/sessions',
    summary: 'List the sessions of a user',
    description: 'Active sessions, most recently used first.',
    access: 'admin',
    params: idParams,
    status: 200,
    answer: z.array(userSession),
    errors: ['NOT_FOUND'],
  },
  endSessions: {
    operation: 'endSessionsOfUser',
    method: 'DELETE',
    path: '/users/{id}/sessions',
    summary: 'End all sessions of a user',
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    params: idParams,
    status: 200,
    answer: sent,
    errors: ['NOT_FOUND'],
  },
  credits: {
    operation: 'listCreditsOfUser',
    method: 'GET',
    path: '/users/{id}/credits',
    summary: 'List the credits of a user',
    description: 'The latest 100 credits, newest first, including those that have ended.',
    access: 'admin',
    params: idParams,
    status: 200,
    answer: z.array(credit),
    errors: ['NOT_FOUND'],
  },
  mails: {
    operation: 'listEmailsToUser',
    method: 'GET',
    path: '/users/{id}/mails',
    summary: 'List the emails sent to a user',
    description: 'The latest 100 emails, newest first. Returns kind and time, but not the text.',
    access: 'admin',
    params: idParams,
    status: 200,
    answer: z.array(userMail),
    errors: ['NOT_FOUND'],
  },
  supportMessages: {
    operation: 'listSupportMessagesOfUser',
    method: 'GET',
    path: '/users/{id}/support-messages',
    summary: 'List the support messages of a user',
    description: 'The latest 100 messages, newest first.',
    access: 'admin',
    params: idParams,
    status: 200,
    answer: z.array(userSupportMessage),
    errors: ['NOT_FOUND'],
  },
  history: {
    operation: 'getUserHistory',
    method: 'GET',
    path: '/users/{id}/history',
    summary: 'Get the activity of a user',
    description: 'The latest 100 actions on the account and its deployments, newest first.',
    access: 'admin',
    params: idParams,
    status: 200,
    answer: z.array(userHistory),
    errors: ['NOT_FOUND'],
  },
  impersonate: {
    operation: 'startImpersonation',
    method: 'POST',
    path: '/users/{id}/impersonation',
    summary: 'Start impersonating a user',
    description: 'Read-only, for at most 30 minutes. The reason is recorded. Administrators cannot be impersonated.',
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    params: idParams,
    body: z.object({ reason: impersonationReason }),
    status: 201,
    answer: impersonation,
    errors: ['NOT_FOUND', 'ACCOUNT_STATE'],
  },
  endImpersonation: {
    operation: 'endImpersonation',
    method: 'DELETE',
    path: '/users/{id}/impersonation',
    summary: 'Stop impersonating a user',
    description: 'Ends the impersonations that were started by the current session.',
    access: 'admin',
    session_only: true,
    params: idParams,
    status: 200,
    answer: sent,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Call>;
