import { z } from 'zod';
import { device } from './account';
import type { Call } from './call';
import { queryNumber } from './fields';
import { message } from './message';
import { numberedPages, pageNumber } from './numbered-pages';

/** Subject of an action. */
export const ACTIVITY_KINDS = ['account', 'deployments', 'money', 'support'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** Actor, which is the owner in a session, the owner by an API token, staff, or the product itself. */
export const ACTIVITY_ACTORS = ['you', 'token', 'support', 'system'] as const;

const activity = z
  .object({
    id: z.int(),
    at: z.iso.datetime(),
    what: message,
    by: z.enum(ACTIVITY_ACTORS),
    /** Label of the API token. Null if no token was used or it no longer exists. */
    token: z.string().nullable(),
    deployment: z.object({ id: z.int(), name: z.string() }).nullable(),
    /** Reason given by staff. */
    reason: z.string().nullable(),
    /** Set for the user's own actions only, and stored for a year. */
    ...device,
  })
  .meta({ id: 'Activity' });
export type ActivityAnswer = z.infer<typeof activity>;

/** A UTC day of the years 2000 to 9998. */
const day = z.iso.date().refine((text) => text >= '2000-01-01' && text <= '9998-12-31');

const query = z.object({
  page: pageNumber,
  per_page: queryNumber(1, 100).default(25),
  kind: z.enum(ACTIVITY_KINDS).optional(),
  deployment_id: queryNumber(1, 999_999_999).optional(),
  /** UTC days, both inclusive. */
  from: day.optional(),
  to: day.optional(),
});
export type ActivityQuery = z.output<typeof query>;

export const ACTIVITY_CALLS = {
  list: {
    operation: 'listActivity',
    method: 'GET',
    path: '/users/self/activity',
    summary: 'List activity on your account',
    description: 'Actions on your account and deployments, newest first.',
    access: 'user',
    session_only: true,
    hiddenFromImpersonation: true,
    query,
    status: 200,
    answer: z.object({ activity: z.array(activity), ...numberedPages }),
    errors: [],
  },
} as const satisfies Record<string, Call>;
