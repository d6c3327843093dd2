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
import { issueText, message, sent } from './message';

/** The password that the account has: only its size is looked at. */
const password = z
  .string(issueText(ACCOUNT_MESSAGES.password_missing))
  .min(1, issueText(ACCOUNT_MESSAGES.password_missing))
  .max(PASSWORD_LENGTH_MAX, issueText(PASSWORD_TOO_LONG));

/** A code of the authenticator app or a recovery code, as it was typed. */
const otp = z
  .string(issueText(ACCESS_MESSAGES.otp_missing))
  .trim()
  .min(1, issueText(ACCESS_MESSAGES.otp_missing))
  .max(40);

/** Where a session or a sign-in came from, as far as its browser said; null: nothing that is known. */
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
    /** The one that asks. */
    is_current: z.boolean(),
  })
  .meta({ id: 'Session' });
export type SessionAnswer = z.infer<typeof session>;

/** `code_refused`: the password was right, the second factor was not. */
export const SIGN_IN_KINDS = ['password', 'code', 'recovery_code', 'code_refused'] as const;
export type SignInKind = (typeof SIGN_IN_KINDS)[number];

const signIn = z
  .object({ id: z.int(), ...device, at: z.iso.datetime(), kind: z.enum(SIGN_IN_KINDS) })
  .meta({ id: 'SignIn' });
export type SignInRecord = z.infer<typeof signIn>;

/** What a personal API token may do: read, also write, or also administer. */
export const TOKEN_SCOPES = ['read', 'write', 'admin'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
/** The lifetimes of a personal API token, in days. */
export const TOKEN_DAYS = [7, 30, 90, 365] as const;
export const TOKEN_DAYS_DEFAULT = 90;

const apiToken = z
  .object({
    id: z.int(),
    label: z.string(),
    /** `read`: GET only. `admin`: also what administrators may do. */
    scope: z.enum(TOKEN_SCOPES),
    created_at: z.iso.datetime(),
    /** null: created by an older version, without an end. */
    expires_at: z.iso.datetime().nullable(),
    /** To about five minutes; null: never. */
    last_used_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiToken' });
export type ApiTokenAnswer = z.infer<typeof apiToken>;

const twoFactor = z
  .object({
    is_on: z.boolean(),
    since: z.iso.datetime().nullable(),
    recovery_codes_left: z.int(),
    /** Administrators of this installation must have it on before they can administer. */
    is_required: z.boolean(),
  })
  .meta({ id: 'TwoFactor' });
export type TwoFactorAnswer = z.infer<typeof twoFactor>;

const recoveryCodes = z.object({
  /** In this answer and nowhere else; each works once. */
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
    /** Until when it is kept. */
    expires_at: z.iso.datetime(),
    size_bytes: z.int().nullable(),
  })
  .meta({ id: 'DataExport' });
export type DataExportAnswer = z.infer<typeof dataExport>;

const deletionCheck = z
  .object({
    can_delete: z.boolean(),
    active_deployment_count: z.int(),
    /** The regular balance that would be left behind. */
    balance: z.number(),
    /** Credits that would be left behind. */
    credits: z.number(),
    /** Why not; null: it can be deleted. */
    refusal: message.nullable(),
  })
  .meta({ id: 'DeletionCheck' });
export type DeletionCheck = z.infer<typeof deletionCheck>;

/** What people do with their own account. */
export const ACCOUNT_CALLS = {
  setLanguage: {
    method: 'PUT',
    path: '/users/self/language',
    summary: 'Choose the language of mails',
    access: 'user',
    session_only: true,
    body: z.object({ language: z.enum(LANGUAGES) }),
    status: 200,
    answer: user,
    errors: [],
  },
  changeUsername: {
    method: 'PUT',
    path: '/users/self/username',
    summary: 'Choose another username',
    access: 'verified',
    session_only: true,
    body: z.object({ username }),
    status: 200,
    answer: user,
    errors: ['ACCOUNT_EXISTS'],
    limit: 'change_account',
  },
  changeEmail: {
    method: 'POST',
    path: '/users/self/email-change',
    summary: 'Ask for another email address: a link is sent to it, and the old one stays until it is opened',
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
    method: 'DELETE',
    path: '/users/self/email-change',
    summary: 'Take back a change of the email address that is not confirmed yet; its link stops working',
    access: 'user',
    session_only: true,
    status: 200,
    answer: user,
    errors: ['ACCOUNT_STATE'],
  },
  changePassword: {
    method: 'PUT',
    path: '/users/self/password',
    summary: 'Choose another password; ends every other session and revokes every personal API token',
    access: 'verified',
    session_only: true,
    recent_authentication: true,
    body: z.object({ current_password: password, new_password: newPassword }),
    status: 200,
    answer: sent,
    errors: ['FIELDS_INVALID'],
  },

  reauthenticate: {
    method: 'POST',
    path: '/users/self/reauthentication',
    summary: 'Confirm that it is you, for sensitive calls',
    access: 'user',
    session_only: true,
    /** `otp`: where the account has two-factor authentication, a code of its app or a recovery code. */
    body: z.object({ password, otp: z.string().trim().max(40).nullish() }),
    status: 200,
    /** `recent_until`: until then sensitive calls pass. */
    answer: z.object({ recent_until: z.iso.datetime() }),
    errors: ['FIELDS_INVALID'],
  },

  listSessions: {
    method: 'GET',
    path: '/users/self/sessions',
    summary: 'The sessions in force, the last used first',
    access: 'user',
    session_only: true,
    status: 200,
    answer: z.array(session),
    errors: [],
  },
  endSession: {
    method: 'DELETE',
    path: '/users/self/sessions/{id}',
    summary: 'End another session at once',
    access: 'user',
    session_only: true,
    recent_authentication: true,
    params: idParams,
    status: 200,
    answer: sent,
    errors: ['NOT_FOUND', 'ACCOUNT_STATE'],
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/users/self/sessions',
    summary: 'End every session but this one',
    access: 'user',
    session_only: true,
    recent_authentication: true,
    status: 200,
    answer: sent,
    errors: [],
  },
  listSignIns: {
    method: 'GET',
    path: '/users/self/sign-ins',
    summary: 'The latest fifty sign-ins, and second factors that were refused, newest first',
    access: 'user',
    session_only: true,
    status: 200,
    answer: z.array(signIn),
    errors: [],
  },

  listApiTokens: {
    method: 'GET',
    path: '/users/self/api-tokens',
    summary: 'The personal API tokens in force, without their values',
    access: 'user',
    private: true,
    status: 200,
    answer: z.array(apiToken),
    errors: [],
  },
  makeApiToken: {
    method: 'POST',
    path: '/users/self/api-tokens',
    summary: 'Create a personal API token',
    access: 'verified',
    session_only: true,
    recent_authentication: true,
    body: z.object({
      label: line(60).pipe(z.string().min(1)),
      scope: z.enum(TOKEN_SCOPES).default('write'),
      /** Left out or null: 90. */
      expires_in_days: z.literal(TOKEN_DAYS).nullish(),
    }),
    status: 201,
    answer: apiToken.extend({ token: z.string() }),
    errors: ['ACCOUNT_STATE'],
    limit: 'api_tokens',
  },
  revokeApiToken: {
    method: 'DELETE',
    path: '/users/self/api-tokens/{id}',
    summary: 'Revoke a personal API token at once',
    access: 'user',
    session_only: true,
    params: idParams,
    status: 200,
    answer: sent,
    errors: ['NOT_FOUND'],
  },

  twoFactor: {
    method: 'GET',
    path: '/users/self/two-factor',
    summary: 'Whether a code is asked for at login',
    access: 'user',
    session_only: true,
    status: 200,
    answer: twoFactor,
    errors: [],
  },
  beginTwoFactor: {
    method: 'POST',
    path: '/users/self/two-factor',
    summary: 'Make the secret of an authenticator app (TOTP); nothing is asked for at login before it is confirmed',
    access: 'verified',
    session_only: true,
    recent_authentication: true,
    status: 201,
    answer: z.object({
      /** Base32, to be typed in where no code can be scanned. */
      secret: z.string(),
      /** What the QR code says. */
      otpauth_url: z.string(),
    }),
    errors: ['ACCOUNT_STATE'],
  },
  confirmTwoFactor: {
    method: 'POST',
    path: '/users/self/two-factor/confirm',
    summary: 'Confirm the app with a code: from now on login asks for one',
    access: 'verified',
    session_only: true,
    recent_authentication: true,
    body: z.object({ otp }),
    status: 200,
    answer: recoveryCodes,
    errors: ['ACCOUNT_STATE', 'FIELDS_INVALID'],
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/users/self/two-factor/recovery-codes',
    summary: 'New recovery codes; the earlier ones stop working',
    access: 'verified',
    session_only: true,
    recent_authentication: true,
    status: 200,
    answer: recoveryCodes,
    errors: ['ACCOUNT_STATE'],
  },
  endTwoFactor: {
    method: 'POST',
    path: '/users/self/two-factor/disable',
    summary: 'Stop asking for a code at login',
    access: 'user',
    session_only: true,
    recent_authentication: true,
    status: 200,
    answer: sent,
    errors: ['ACCOUNT_STATE'],
  },

  notifications: {
    method: 'GET',
    path: '/users/self/notifications',
    summary: 'Which kinds of mails are sent to you',
    access: 'user',
    session_only: true,
    status: 200,
    answer: z.array(notification),
    errors: [],
  },
  setNotification: {
    method: 'PUT',
    path: '/users/self/notifications',
    summary: 'Switch a kind of mails on or off; those about security and money stay on',
    access: 'user',
    session_only: true,
    body: z.object({ kind: z.enum(MAIL_KIND_NAMES), is_on: z.boolean() }),
    status: 200,
    answer: z.array(notification),
    errors: ['FIELDS_INVALID'],
  },

  listExports: {
    method: 'GET',
    path: '/users/self/exports',
    summary: 'Exports of your data that are kept, newest first',
    access: 'user',
    session_only: true,
    status: 200,
    answer: z.array(dataExport),
    errors: [],
  },
  askExport: {
    method: 'POST',
    path: '/users/self/exports',
    summary: 'Have your data prepared as JSON and CSV; a mail says when it can be fetched',
    access: 'user',
    session_only: true,
    recent_authentication: true,
    status: 202,
    answer: dataExport,
    errors: ['ACCOUNT_STATE'],
    limit: 'data_exports',
  },
  exportFile: {
    method: 'GET',
    path: '/users/self/exports/{id}/file',
    summary: 'An export that is ready, as a zip archive',
    access: 'user',
    session_only: true,
    params: idParams,
    status: 200,
    answer: null,
    errors: ['NOT_FOUND', 'ACCOUNT_STATE'],
    limit: 'export_files',
  },

  deletionCheck: {
    method: 'GET',
    path: '/users/self/deletion-check',
    summary: 'Whether you can delete your account, and what would be left behind',
    access: 'user',
    session_only: true,
    status: 200,
    answer: deletionCheck,
    errors: [],
  },
  deleteAccount: {
    method: 'DELETE',
    path: '/users/self',
    summary: 'Deactivate your own account; ends its sessions and revokes its tokens',
    access: 'user',
    session_only: true,
    recent_authentication: true,
    status: 200,
    answer: sent,
    errors: ['ACCOUNT_STATE'],
  },
} as const satisfies Record<string, Call>;
