import { z } from 'zod';
import { email, newPassword, user, username } from './account-fields';
import type { Call } from './call';
import { sent } from './message';
import { LANGUAGES } from '@moorage/domain';

export const signup = z.object({
  username,
  email,
  password: newPassword,
  /** Trimmed. Empty means none. */
  referral_code: z.string().trim().max(64).nullish(),
  /** Language of emails, by default the browser's preference (`Accept-Language`). */
  language: z.enum(LANGUAGES).nullish(),
});

/** Input of the signup screen. */
export type Signup = z.input<typeof signup>;

export const USERS_CALLS = {
  signup: {
    operation: 'signUp',
    method: 'POST',
    path: '/users',
    summary: 'Create an account',
    description: 'Sends an email with a verification link.',
    access: 'public',
    body: signup,
    status: 201,
    answer: user,
    errors: ['ACCOUNT_EXISTS'],
    limit: 'signup',
  },
  me: {
    operation: 'getMe',
    method: 'GET',
    path: '/users/me',
    summary: 'Get the current user',
    description: 'Same response as `GET /auth/me`.',
    access: 'user',
    status: 200,
    answer: user,
    errors: [],
  },
  resendVerification: {
    operation: 'resendVerificationEmail',
    method: 'POST',
    path: '/users/resend-verification',
    summary: 'Resend the verification email',
    description: 'Earlier verification links stop working.',
    access: 'user',
    session_only: true,
    status: 200,
    answer: sent,
    errors: ['ACCOUNT_STATE'],
    limit: 'resend_verification',
  },
} as const satisfies Record<string, Call>;
