import {
  ACCESS_MESSAGES,
  ACCOUNT_MESSAGES,
  LANGUAGES,
  MAIL_KIND_NAMES,
  PASSWORD_LENGTH_MAX,
  PASSWORD_TOO_LONG,
} from '@moorage/domain';
import { z } from 'zod';
import { email, idParams, line, newPassword, user, username } from './account-fields';
import type { Call } from './call';
import { API_TOKEN_CREATED_EXAMPLE, API_TOKEN_EXAMPLE, NEW_API_TOKEN_EXAMPLE } from './examples';
import { issueText, message, sent } from './message';

/** Current password of the account. Only its length is checked here. */
const password = z
  .string(issueText(ACCOUNT_MESSAGES.password_missing))
  .min(1, issueText(ACCOUNT_MESSAGES.password_missing))
  .max(PASSWORD_LENGTH_MAX, issueText(PASSWORD_TOO_LONG));

/** An authenticator code or recovery code as entered. */
const otp = z
  .string(issueText(ACCESS_MESSAGES.otp_missing))
  .trim()
  .min(1, issueText(ACCESS_MESSAGES.otp_missing))
  .max(40);

/** Origin of a session or login as reported by the browser. Unknown values are null. */
export const device = {
  ip_address: z.string().nullable(),
  browser: z.string().nullable(),
  system: z.string().nullable(),
};

export const session = z
  .object({
    id: z.int(),
    ...device,
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    /** Session of this request. */
    is_current: z.boolean(),
  })
  .meta({ id: 'Session' });
export type SessionAnswer = z.infer<typeof session>;

/** `code_refused` means that the password was correct but the second factor was not. */
export const SIGN_IN_KINDS = ['password', 'code', 'recovery_code', 'code_refused'] as const;
export type SignInKind = (typeof SIGN_IN_KINDS)[number];

const signIn = z
  .object({ id: z.int(), ...device, at: z.iso.datetime(), kind: z.enum(SIGN_IN_KINDS) })
  .meta({ id: 'Login' });
export type SignInRecord = z.infer<typeof signIn>;

/** Scopes of a personal API token, which are read, write, and administration. */
export const TOKEN_SCOPES = ['read', 'write', 'admin'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
/** Lifetimes of a personal API token, in days. */
export const TOKEN_DAYS = [7, 30, 90, 365] as const;
export const TOKEN_DAYS_DEFAULT = 90;

const apiToken = z
  .object({
    id: z.int(),
    label: z.string(),
    /** `read` allows GET only. `admin` also allows administration. */
    scope: z.enum(TOKEN_SCOPES),
    created_at: z.iso.datetime(),
    /** Null for a token without an expiry, created by an older version. */
    expires_at: z.iso.datetime().nullable(),
    /** Accurate to about five minutes. Null if it was never used. */
    last_used_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiToken', examples: [API_TOKEN_EXAMPLE] });
export type ApiTokenAnswer = z.infer<typeof apiToken>;

const twoFactor = z
  .object({
    is_on: z.boolean(),
    since: z.iso.datetime().nullable(),
    recovery_codes_left: z.int(),
    /** This installation requires two-factor authentication for administration. */
    is_required: z.boolean(),
  })
  .meta({ id: 'TwoFactor' });
export type TwoFactorAnswer = z.infer<typeof twoFactor>;

const recoveryCodes = z.object({
  /** Returned only in this response. Each code works once. */
  recovery_codes: z.array(z.string()),
});

const notification = z.object({ kind: z.enum(MAIL_KIND_NAMES), is_on: z.boolean(), can_change: z.boolean() });
export type NotificationAnswer = z.infer<typeof notification>;

const dataExport = z
  .object({
    id: z.int(),
    state: z.enum(['preparing', 'ready', 'failed']),
    created_at: z.iso.datetime(),
    ready_at: z.iso.datetime().nullable(),
    /** Time until which the export is stored. */
    expires_at: z.iso.datetime(),
    size_bytes: z.int().nullable(),
  })
  .meta({ id: 'DataExport' });
export type DataExportAnswer = z.infer<typeof dataExport>;

const deletionCheck = z
  .object({
    can_delete: z.boolean(),
    active_deployment_count: z.int(),
    /** Regular balance that would be forfeited. */
    balance: z.number(),
    /** Credits that would be forfeited. */
    credits: z.number(),
    /** Reason why the account cannot be deleted, or null if it can. */
    refusal: message.nullable(),
  })
  .meta({ id: 'DeletionCheck' });
export type DeletionCheck = z.infer<typeof deletionCheck>;

/** Calls with which users manage their own account. */
export const ACCOUNT_CALLS = {
  setLanguage: {
    operation: 'setEmailLanguage',
    method: 'PUT',
    path: '/users/self/language',
    summary: 'Set the language of emails',
    access: 'user',
    session_only: true,
    body: z.object({ language: z.enum(LANGUAGES) }),
    status: 200,
    answer: user,
    errors: [],
  },
  changeUsername: {
    operation: 'changeUsername',
    method: 'PUT',
    path: '/users/self/username',
    summary: 'Change your username',
    access: 'verified',
    session_only: true,
    body: z.object({ username }),
    status: 200,
    answer: user,
    errors: ['ACCOUNT_EXISTS'],
    limit: 'change_account',
  },
  changeEmail: {
    operation: 'changeEmail',
    method: 'POST',
    path: '/users/self/email-change',
    summary: 'Change your email address',
    description: 'Sends a link to the new address. The current address stays active until the link is opened.',
    access: 'verified',
    session_only: true,
    recent_authentication: true,
    body: z.object({ email }),
    status: 200,
    answer: user,
    errors: ['ACCOUNT_EXISTS', 'FIELDS_INVALID'],
    limit: 'change_account',
  },
  cancelEmailChange: {
    operation: 'cancelEmailChange',
    method: 'DELETE',
    path: '/users/self/email-change',
    summary: 'Cancel a pending change of email address',
    description: 'The confirmation link stops working.',
    access: 'user',
    session_only: true,
    status: 200,
    answer: user,
    errors: ['ACCOUNT_STATE'],
  },
  changePassword: {
    operation: 'changePassword',
    method: 'PUT',
    path: '/users/self/password',
    summary: 'Change your password',
    description: 'Ends all other sessions and revokes all API tokens.',
    access: 'verified',
    session_only: true,
    recent_authentication: true,
    body: z.object({ current_password: password, new_password: newPassword }),
    status: 200,
    answer: sent,
    errors: ['FIELDS_INVALID'],
  },

  reauthenticate: {
    operation: 'reauthenticate',
    method: 'POST',
    path: '/users/self/reauthentication',
    summary: 'Confirm your password for sensitive calls',
    description:
      'If two-factor authentication is on, a code is required as well. The confirmation is valid for ten minutes.',
    access: 'user',
    session_only: true,
    /** `otp` is an authenticator code or recovery code, for accounts with two-factor authentication. */
    body: z.object({ password, otp: z.string().trim().max(40).nullish() }),
    status: 200,
    /** `recent_until` is the time until which sensitive calls are accepted. */
    answer: z.object({ recent_until: z.iso.datetime() }),
    errors: ['FIELDS_INVALID'],
  },

  listSessions: {
    operation: 'listSessions',
    method: 'GET',
    path: '/users/self/sessions',
    summary: 'List your sessions',
    description: 'Active sessions, most recently used first.',
    access: 'user',
    session_only: true,
    status: 200,
    answer: z.array(session),
    errors: [],
  },
  endSession: {
    operation: 'endSession',
    method: 'DELETE',
    path: '/users/self/sessions/{id}',
    summary: 'End another session',
    access: 'user',
    session_only: true,
    recent_authentication: true,
    params: idParams,
    status: 200,
    answer: sent,
    errors: ['NOT_FOUND', 'ACCOUNT_STATE'],
  },
  endOtherSessions: {
    operation: 'endOtherSessions',
    method: 'DELETE',
    path: '/users/self/sessions',
    summary: 'End all other sessions',
    access: 'user',
    session_only: true,
    recent_authentication: true,
    status: 200,
    answer: sent,
    errors: [],
  },
  listSignIns: {
    operation: 'listLogins',
    method: 'GET',
    path: '/users/self/sign-ins',
    summary: 'List recent logins',
    description: 'The latest 50 logins and rejected two-factor codes, newest first.',
    access: 'user',
    session_only: true,
    status: 200,
    answer: z.array(signIn),
    errors: [],
  },

  listApiTokens: {
    operation: 'listApiTokens',
    method: 'GET',
    path: '/users/self/api-tokens',
    summary: 'List your API tokens',
    description: 'Active tokens, without their values.',
    access: 'user',
    hiddenFromImpersonation: true,
    status: 200,
    answer: z.array(apiToken),
    errors: [],
  },
  makeApiToken: {
    operation: 'createApiToken',
    method: 'POST',
    path: '/users/self/api-tokens',
    summary: 'Create an API token',
    description: 'The token value is returned only in this response.',
    access: 'verified',
    session_only: true,
    recent_authentication: true,
    body: z
      .object({
        label: line(60).pipe(z.string().min(1)),
        scope: z.enum(TOKEN_SCOPES).default('write'),
        /** Default: 90. */
        expires_in_days: z.literal(TOKEN_DAYS).nullish(),
      })
      .meta({ examples: [NEW_API_TOKEN_EXAMPLE] }),
    status: 201,
    answer: apiToken.extend({ token: z.string() }).meta({ examples: [API_TOKEN_CREATED_EXAMPLE] }),
    errors: ['ACCOUNT_STATE'],
    limit: 'api_tokens',
  },
  revokeApiToken: {
    operation: 'revokeApiToken',
    method: 'DELETE',
    path: '/users/self/api-tokens/{id}',
    summary: 'Revoke an API token',
    access: 'user',
    session_only: true,
    params: idParams,
    status: 200,
    answer: sent,
    errors: ['NOT_FOUND'],
  },

  twoFactor: {
    operation: 'getTwoFactor',
    method: 'GET',
    path: '/users/self/two-factor',
    summary: 'Get your two-factor settings',
    access: 'user',
    session_only: true,
    status: 200,
    answer: twoFactor,
    errors: [],
  },
  beginTwoFactor: {
    operation: 'setUpTwoFactor',
    method: 'POST',
    path: '/users/self/two-factor',
    summary: 'Set up two-factor authentication',
    description:
      'Returns the secret for an authenticator app (TOTP). Login requires no code until the app is confirmed.',
    access: 'verified',
    session_only: true,
    recent_authentication: true,
    status: 201,
    answer: z.object({
      /** Base32, for manual entry if the QR code cannot be scanned. */
      secret: z.string(),
      /** Content of the QR code. */
      otpauth_url: z.string(),
    }),
    errors: ['ACCOUNT_STATE'],
  },
  confirmTwoFactor: {
    operation: 'confirmTwoFactor',
    method: 'POST',
    path: '/users/self/two-factor/confirm',
    summary: 'Confirm two-factor authentication',
    description: 'Takes a code from the app. Every login then requires a code.',
    access: 'verified',
    session_only: true,
    recent_authentication: true,
    body: z.object({ otp }),
    status: 200,
    answer: recoveryCodes,
    errors: ['ACCOUNT_STATE', 'FIELDS_INVALID'],
  },
  renewRecoveryCodes: {
    operation: 'replaceRecoveryCodes',
    method: 'POST',
    path: '/users/self/two-factor/recovery-codes',
    summary: 'Replace your recovery codes',
    description: 'The previous recovery codes stop working.',
    access: 'verified',
    session_only: true,
    recent_authentication: true,
    status: 200,
    answer: recoveryCodes,
    errors: ['ACCOUNT_STATE'],
  },
  endTwoFactor: {
    operation: 'disableTwoFactor',
    method: 'POST',
    path: '/users/self/two-factor/disable',
    summary: 'Turn two-factor authentication off',
    access: 'user',
    session_only: true,
    recent_authentication: true,
    status: 200,
    answer: sent,
    errors: ['ACCOUNT_STATE'],
  },

  notifications: {
    operation: 'listNotifications',
    method: 'GET',
    path: '/users/self/notifications',
    summary: 'List your notification settings',
    access: 'user',
    session_only: true,
    status: 200,
    answer: z.array(notification),
    errors: [],
  },
  setNotification: {
    operation: 'setNotification',
    method: 'PUT',
    path: '/users/self/notifications',
    summary: 'Turn a kind of email on or off',
    description: 'Emails about security and payments cannot be turned off.',
    access: 'user',
    session_only: true,
    body: z.object({ kind: z.enum(MAIL_KIND_NAMES), is_on: z.boolean() }),
    status: 200,
    answer: z.array(notification),
    errors: ['FIELDS_INVALID'],
  },

  listExports: {
    operation: 'listExports',
    method: 'GET',
    path: '/users/self/exports',
    summary: 'List your data exports',
    description: 'Exports that are still available, newest first.',
    access: 'user',
    session_only: true,
    status: 200,
    answer: z.array(dataExport),
    errors: [],
  },
  requestExport: {
    operation: 'requestExport',
    method: 'POST',
    path: '/users/self/exports',
    summary: 'Request a data export',
    description: 'Prepares your data as JSON and CSV. An email is sent when the export is ready.',
    access: 'user',
    session_only: true,
    recent_authentication: true,
    status: 202,
    answer: dataExport,
    errors: ['ACCOUNT_STATE'],
    limit: 'data_exports',
  },
  exportFile: {
    operation: 'downloadExport',
    method: 'GET',
    path: '/users/self/exports/{id}/file',
    summary: 'Download a data export',
    description: 'Returns a zip archive.',
    access: 'user',
    session_only: true,
    params: idParams,
    status: 200,
    answer: null,
    errors: ['NOT_FOUND', 'ACCOUNT_STATE'],
    limit: 'export_files',
  },

  deletionCheck: {
    operation: 'checkAccountDeletion',
    method: 'GET',
    path: '/users/self/deletion-check',
    summary: 'Check whether your account can be deleted',
    description: 'Returns the reason that prevents deletion, if any, and the money that would be forfeited.',
    access: 'user',
    session_only: true,
    status: 200,
    answer: deletionCheck,
    errors: [],
  },
  deleteAccount: {
    operation: 'deleteAccount',
    method: 'DELETE',
    path: '/users/self',
    summary: 'Delete your account',
    description: 'Deactivates the account, ends its sessions and revokes its tokens.',
    access: 'user',
    session_only: true,
    recent_authentication: true,
    status: 200,
    answer: sent,
    errors: ['ACCOUNT_STATE'],
  },
} as const satisfies Record<string, Call>;
