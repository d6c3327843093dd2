import { ACCESS_MESSAGES, asciiEmail, ACCOUNT_MESSAGES, PASSWORD_LENGTH_MAX, PASSWORD_TOO_LONG } from '@moorage/domain';
import { z } from 'zod';
import { email, linkToken, newPassword, user } from './account-fields';
import type { Call } from './call';
import { issueText, sent } from './message';

export const login = z.object({
  /** The email address (the specification sends it under this name). */
  username: z
    .string(issueText(ACCOUNT_MESSAGES.email_missing))
    .overwrite(asciiEmail)
    .min(1, issueText(ACCOUNT_MESSAGES.email_missing))
    .max(254, issueText(ACCESS_MESSAGES.email_long)),
  password: z
    .string(issueText(ACCOUNT_MESSAGES.password_missing))
    .min(1, issueText(ACCOUNT_MESSAGES.password_missing))
    .max(PASSWORD_LENGTH_MAX, issueText(PASSWORD_TOO_LONG)),
  /** A code of the authenticator app, or a recovery code; asked for with OTP_REQUIRED. */
  otp: z.string().trim().max(40).nullish(),
});

export const AUTH_CALLS = {
  login: {
    method: 'POST',
    path: '/auth/login',
    summary: 'Log in; the token goes into the Authorization header of later calls',
    access: 'public',
    form: true,
    body: login,
    status: 200,
    answer: z.object({ access_token: z.string(), token_type: z.literal('bearer') }),
    errors: ['CREDENTIALS_WRONG', 'OTP_REQUIRED', 'OTP_WRONG', 'ACCOUNT_DEACTIVATED', 'RATE_LIMITED'],
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    summary: 'End this session at once',
    access: 'user',
    session_only: true,
    status: 200,
    answer: sent,
    errors: [],
  },
  me: {
    method: 'GET',
    path: '/auth/me',
    summary: 'The account that calls',
    access: 'user',
    status: 200,
    answer: user,
    errors: [],
  },
  confirmEmail: {
    method: 'POST',
    path: '/auth/verify-email',
    summary: 'Confirm a new or changed email address with the token of the mail; grants the credits of a referral',
    access: 'public',
    body: z.object({ token: z.string(issueText(ACCESS_MESSAGES.token_missing)).pipe(linkToken) }),
    status: 200,
    answer: sent,
    errors: ['TOKEN_INVALID', 'ACCOUNT_EXISTS'],
    limit: 'link_token',
  },
  /** Changes state, which a GET should not: kept for clients that were written before the POST. */
  verifyEmail: {
    method: 'GET',
    path: '/auth/verify-email',
    summary: 'Confirm an email address as the POST does, for older clients',
    access: 'public',
    query: z.object({ token: z.string(issueText(ACCESS_MESSAGES.token_missing)).pipe(linkToken) }),
    status: 200,
    answer: sent,
    errors: ['TOKEN_INVALID', 'ACCOUNT_EXISTS'],
    limit: 'link_token',
  },
  forgotPassword: {
    method: 'POST',
    path: '/auth/forgot-password',
    summary: 'Send a link to choose a new password; answers the same whether or not the address is known',
    access: 'public',
    body: z.object({ email }),
    status: 200,
    answer: sent,
    errors: [],
    limit: 'forgot_password',
  },
  resetPassword: {
    method: 'POST',
    path: '/auth/reset-password',
    summary: 'Choose a new password with the token of the mail; ends every session of the account',
    access: 'public',
    body: z.object({ token: linkToken, new_password: newPassword }),
    status: 200,
    answer: sent,
    errors: ['TOKEN_INVALID'],
    limit: 'link_token',
  },
} as const satisfies Record<string, Call>;
