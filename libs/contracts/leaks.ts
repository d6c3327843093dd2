import {
  CLOUD_NAMES,
  type CloudName,
  HOLDING_KINDS,
  type HoldingKind,
  LEAK_FAILURES,
  LEAK_MESSAGES,
  LEAK_STATES,
  LEAK_FILTERS,
} from '@moorage/domain';
import { z } from 'zod';
import { idParams, line } from './account-fields';
import type { Call } from './call';
import { queryNumber } from './fields';
import { issueText } from './message';
import { numberedPages, pageNumber } from './numbered-pages';

const instant = z.iso.datetime();
const cloudName = z.enum(CLOUD_NAMES as readonly [CloudName, ...CloudName[]]);

/** A resource at a provider that belongs to no deployment. Amounts are JSON numbers in currency units. */
export const leak = z
  .object({
    id: z.int(),
    provider: cloudName,
    /** A simulated server of this installation. */
    is_simulated: z.boolean(),
    kind: z.enum(HOLDING_KINDS as readonly [HoldingKind, ...HoldingKind[]]),
    /** Empty for a resource without a region. */
    region: z.string(),
    /** Provider's ID of the resource. */
    provider_id: z.string(),
    name: z.string(),
    labels: z.record(z.string(), z.string()),
    /** Deployment named by its labels, or null if it is unknown. */
    deployment_id: z.int().nullable(),
    /** Null if its price is unknown. */
    cost_daily: z.number().nullable(),
    state: z.enum(LEAK_STATES),
    first_seen_at: instant,
    last_seen_at: instant,
    /** Time from which a further sighting confirms the leak. Null once it is confirmed or decided. */
    confirmed_from: instant.nullable(),
    /** Its deployment lost a server that it can replace. */
    is_adoptable: z.boolean(),
    decision: z.object({ by: z.string(), at: instant, reason: z.string() }).nullable(),
    /** Reason why the last decision was not carried out, with the provider's message. */
    failure: z.object({ reason: z.enum(LEAK_FAILURES), words: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'Leak' });
export type LeakAnswer = z.infer<typeof leak>;

const leakPage = z
  .object({
    leaks: z.array(leak),
    /** Daily cost of all undecided leaks. */
    cost_daily: z.number(),
    /** Providers with an incomplete last check, and their messages. */
    failures: z.array(z.object({ provider: cloudName, words: z.string() })),
    /** Time of the oldest of the last complete checks, or null if no provider has been checked. */
    looked_at: instant.nullable(),
    ...numberedPages,
  })
  .meta({ id: 'LeakPage' });
export type LeakPageAnswer = z.infer<typeof leakPage>;

const REASON = issueText(LEAK_MESSAGES.reason_missing);
const decision = z.object({ reason: z.string(REASON).pipe(line(300)).pipe(z.string().min(1, REASON)) });

const decided = {
  method: 'POST',
  access: 'admin',
  recent_authentication: true,
  params: idParams,
  body: decision,
  status: 200,
  answer: leak,
  errors: ['NOT_FOUND', 'LEAK_STATE'],
} as const;

export const LEAKS_CALLS = {
  list: {
    operation: 'listLeaks',
    method: 'GET',
    path: '/admin/leaks',
    summary: 'List leaked resources at the providers',
    description: 'Servers, disks, addresses and other resources that carry our label but belong to no deployment.',
    access: 'admin',
    query: z.object({
      page: pageNumber,
      per_page: queryNumber(1, 100).default(25),
      /** `open` lists undecided leaks, highest cost first. `kept` and `ended` list the newest decision first. */
      show: z.enum(LEAK_FILTERS).default('open'),
    }),
    status: 200,
    answer: leakPage,
    errors: [],
  },
  remove: {
    ...decided,
    operation: 'removeLeak',
    path: '/admin/leaks/{id}/remove',
    summary: 'Remove a leak',
    description: 'Checks the provider and our records again first. The resource is kept if it is needed by then.',
  },
  keep: {
    ...decided,
    operation: 'keepLeak',
    path: '/admin/leaks/{id}/keep',
    summary: 'Keep a leak',
    description: 'Marks the resource as intended, so that it no longer counts as a leak.',
  },
  adopt: {
    ...decided,
    operation: 'adoptLeak',
    path: '/admin/leaks/{id}/adopt',
    summary: 'Adopt a server',
    description: 'The server replaces the one that its deployment lost.',
  },
} as const satisfies Record<string, Call>;
