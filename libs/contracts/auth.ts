import { ACCESS_MESSAGES, asciiEmail, ACCOUNT_MESSAGES, PASSWORD_LENGTH_MAX, PASSWORD_TOO_LONG } from '@moorage/domain';
import { z } from 'zod';
import { email, linkToken, newPassword, user } from './account-fields';
import type { Call } from './call';
import { issueText, sent } from './message';

export const login = z.object({
  /** Email address. The specification uses this field name. */
  username: z
    .string(issueText(ACCOUNT_MESSAGES.email_missing))
    .overwrite(asciiEmail)
    .min(1, issueText(ACCOUNT_MESSAGES.email_missing))
    .max(254, issueText(ACCESS_MESSAGES.email_long)),
  password: z
    .string(issueText(ACCOUNT_MESSAGES.password_missing))
    .min(1, issueText(ACCOUNT_MESSAGES.password_missing))
    .max(PASSWORD_LENGTH_MAX, issueText(PASSWORD_TOO_LONG)),
  /** An authenticator code or recovery code, required after OTP_REQUIRED. */
  otp: z.string().trim().max(40).nullish(),
});

export const AUTH_CALLS = {
  login: {
    operation: 'logIn',
    method: 'POST',
    path: '/auth/login',
    summary: 'Log in',
    description: 'Returns a session token. Send it in the `Authorization` header of later calls.',
    access: 'public',
    form: true,
    body: login,
    status: 200,
    answer: z.object({ access_token: z.string(), token_type: z.literal('bearer') }),
    errors: ['CREDENTIALS_WRONG', 'OTP_REQUIRED', 'OTP_WRONG', 'ACCOUNT_DEACTIVATED', 'RATE_LIMITED'],
  },
  logout: {
    operation: 'logOut',
    method: 'POST',
    path: '/auth/logout',
    summary: 'Log out',
    description: 'Ends the current session immediately.',
    access: 'user',
    session_only: true,
    status: 200,
    answer: sent,
    errors: [],
  },
  me: {
    operation: 'getCurrentUser',
    method: 'GET',
    path: '/auth/me',
    summary: 'Get the current user',
    access: 'user',
    status: 200,
    answer: user,
    errors: [],
  },
  confirmEmail: {
    operation: 'confirmEmail',
    method: 'POST',
    path: '/auth/verify-email',
    summary: 'Confirm an email address',
    description:
      'Takes the token from the verification email. Confirming the first address of an account also grants its referral credits.',
    access: 'public',
    body: z.object({ token: z.string(issueText(ACCESS_MESSAGES.token_missing)).pipe(linkToken) }),
    status: 200,
    answer: sent,
    errors: ['TOKEN_INVALID', 'ACCOUNT_EXISTS'],
    limit: 'link_token',
  },
  /** Changes state, which a GET should not do. Retained for clients older than the POST. */
  verifyEmail: {
    operation: 'confirmEmailByLink',
    method: 'GET',
    path: '/auth/verify-email',
    summary: 'Confirm an email address by link',
    description: 'Same as the POST call. Retained for older clients.',
    access: 'public',
    query: z.object({ token: z.string(issueText(ACCESS_MESSAGES.token_missing)).pipe(linkToken) }),
    status: 200,
    answer: sent,
    errors: ['TOKEN_INVALID', 'ACCOUNT_EXISTS'],
    limit: 'link_token',
  },
  forgotPassword: {
    operation: 'requestPasswordReset',
    method: 'POST',
    path: '/auth/forgot-password',
    summary: 'Request a password reset link',
    description: 'The response is the same whether or not the email address is known.',
    access: 'public',
    body: z.object({ email }),
    status: 200,
    answer: sent,
    errors: [],
    limit: 'forgot_password',
  },
  resetPassword: {
    operation: 'resetPassword',
    method: 'POST',
    path: '/auth/reset-password',
    summary: 'Reset a password',
    description: 'Takes the token from the email. Ends all sessions of the user.',
    access: 'public',
    body: z.object({ token: linkToken, new_password: newPassword }),
    status: 200,
    answer: sent,
    errors: ['TOKEN_INVALID'],
    limit: 'link_token',
  },
} as const satisfies Record<string, Call>;
