import { z } from 'zod';
import { email, idParams, line, newPassword, user, username } from './account-fields';
import type { Call } from './call';
import { sent } from './message';
import { LANGUAGES } from '@moorage/domain';

export const signup = z.object({
  username,
  email,
  password: newPassword,
  /** Trimmed; empty means none. */
  referral_code: z.string().trim().max(64).nullish(),
  /** Of mails; left out: what the browser prefers (`Accept-Language`). */
  language: z.enum(LANGUAGES).nullish(),
});

/** What the screen sends. */
export type Signup = z.input<typeof signup>;

const apiToken = z.object({
  id: z.int(),
  label: z.string(),
  created_at: z.iso.datetime(),
});

export const USERS_CALLS = {
  signup: {
    method: 'POST',
    path: '/users',
    summary: 'Make an account; a mail with a verification link follows',
    access: 'public',
    body: signup,
    status: 201,
    answer: user,
    errors: ['ACCOUNT_EXISTS'],
    limit: 'signup',
  },
  me: {
    method: 'GET',
    path: '/users/me',
    summary: 'The account that calls',
    access: 'user',
    status: 200,
    answer: user,
    errors: [],
  },
  setLanguage: {
    method: 'PUT',
    path: '/users/self/language',
    summary: 'Choose the language of mails',
    access: 'user',
    body: z.object({ language: z.enum(LANGUAGES) }),
    status: 200,
    answer: user,
    errors: [],
  },
  resendVerification: {
    method: 'POST',
    path: '/users/resend-verification',
    summary: 'Send the verification mail again; earlier links stop working',
    access: 'user',
    status: 200,
    answer: sent,
    errors: ['ACCOUNT_STATE'],
    limit: 'resend_verification',
  },
  listApiTokens: {
    method: 'GET',
    path: '/users/self/api-tokens',
    summary: 'The personal API tokens in force, without their values',
    access: 'user',
    status: 200,
    answer: z.array(apiToken),
    errors: [],
  },
  makeApiToken: {
    method: 'POST',
    path: '/users/self/api-tokens',
    summary: 'Make a personal API token; its value is in this answer and nowhere else',
    access: 'verified',
    body: z.object({ label: line(60).pipe(z.string().min(1)) }),
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
    params: idParams,
    status: 200,
    answer: sent,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Call>;
