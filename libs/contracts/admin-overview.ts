import { ATTENTION_KINDS, CONSTANTS, METRICS_PERIODS, PLANS, URGENCIES } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';
import { INT4_MAX } from './fields';
import { message } from './message';

const instant = z.iso.datetime();

/** Numbers beside the administrators' places in the console. */
export const adminCounts = z
  .object({
    /** Matters that need attention now or today. */
    urgent: z.int(),
    /** Kinds of open alerts. */
    alerts: z.int(),
    /** Conversations that wait for a reply, and those whose promised reply is late. */
    conversations: z.object({ open: z.int(), overdue: z.int() }),
    /** Referrals and requests for free credits that wait for a decision. */
    reviews: z.int(),
    /** Deployments that failed in the last seven days and still exist. */
    failed_deployments: z.int(),
    /** Running deployments with an alarm. */
    incidents: z.int(),
    /** Payments that differ from the payment provider's records. */
    payment_differences: z.int(),
  })
  .meta({ id: 'AdminCounts' });
export type AdminCounts = z.infer<typeof adminCounts>;

const attention = z
  .object({
    kind: z.enum(ATTENTION_KINDS),
    urgency: z.enum(URGENCIES),
    /** Number of cases. For an alert, its subjects. */
    count: z.int(),
    /** Start of the oldest case, if known. */
    since: instant.nullable(),
    /** Deadline of the most urgent case. */
    due_at: instant.nullable(),
    /** Set for the kind `alert`. */
    alert: z
      .object({
        kind: z.string(),
        title: message,
        /** Recommended action, or null for an alert of another version. */
        advice: message.nullable(),
        /** Subjects of the alert, such as a provider or a consumer, oldest first, at most 5. */
        subjects: z.array(z.string()),
      })
      .nullable(),
  })
  .meta({ id: 'Attention' });
export type AttentionAnswer = z.infer<typeof attention>;

const place = {
  deployment_id: z.int(),
  client_name: z.string(),
  user_id: z.int(),
  username: z.string(),
  /** Null for own servers. */
  cloud_provider: z.string().nullable(),
  region: z.string().nullable(),
};

/** State of the platform. Amounts are JSON numbers in currency units. */
export const adminOverview = z
  .object({
    now: instant,
    period: z.enum(METRICS_PERIODS),
    /** Most urgent first. */
    attention: z.array(attention),
    /** Current numbers, each counted up to 10 001. `failed` counts the failures of the last seven days. */
    deployments: z.object({ running: z.int(), in_progress: z.int(), failed: z.int() }),
    money: z.object({
      /**
       * Charges minus refunds of unused hours in the period, and in the period of the same length before. Null if it has
       * 50 000 postings or more.
       */
      charged: z.number().nullable(),
      charged_before: z.number().nullable(),
      /** Card payments in the period. */
      paid: z.number(),
      payments: z.int(),
      /** Money taken by refunds and disputes in the period, minus what was returned. */
      taken_back: z.number(),
    }),
    /** Accounts created in the period. Counted among the newest 10 000 accounts. */
    signups: z.object({
      created: z.int(),
      verified: z.int(),
      /** Accounts that have a deployment. */
      ordered: z.int(),
    }),
    /** Daily cost of resources at providers that belong to no deployment. */
    leaks_daily: z.number(),
    checks: z.object({
      /** Time of billing's last check for stuck or late work, and whether it is late. */
      checked_at: instant.nullable(),
      is_late: z.boolean(),
      audited_at: instant.nullable(),
      /** Time of the last comparison with the payment provider. */
      compared_at: instant.nullable(),
      /** Newest daily charge run. `finished_at` is null until every account has been charged. */
      daily_run: z.object({ day: z.iso.date(), finished_at: instant.nullable() }).nullable(),
      /** Transports for events and work in the responding process, with their current problems. */
      transports: z.object({
        events: z.enum(['postgresql', 'kafka']),
        work: z.enum(['postgresql', 'bull']),
        troubles: z.array(z.string()),
      }),
    }),
    /** Runs in progress that have been in their current step the longest, at most 5. None that waits for its owner. */
    slowest: z.array(z.object({ ...place, plan: z.enum(PLANS), step: z.string(), since: instant })),
    /** Newest failures of the last seven days, at most 5. */
    failures: z.array(z.object({ ...place, package: z.string(), failure: message.nullable(), at: instant })),
  })
  .meta({ id: 'AdminOverview' });
export type AdminOverviewAnswer = z.infer<typeof adminOverview>;

/** Time at which the balance of a user is used up. */
export const balanceEnd = z
  .object({
    user_id: z.int(),
    /** Null if nothing runs or no end is foreseeable. */
    ends_at: instant.nullable(),
    /** Deployments that stop then. The others of the user stop later. */
    stops: z.array(z.int()),
  })
  .meta({ id: 'BalanceEnd' });
export type BalanceEnd = z.infer<typeof balanceEnd>;

/** IDs separated by commas, as many as a page of a list has rows. */
const userIds = z
  .string()
  .regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9})*$/)
  .transform((text) => [...new Set(text.split(',').map(Number))])
  .pipe(z.array(z.int().max(INT4_MAX)).max(CONSTANTS.pageSizeMax));

export const ADMIN_OVERVIEW_CALLS = {
  overview: {
    operation: 'getAdminOverview',
    method: 'GET',
    path: '/admin/overview',
    summary: 'Get the state of the platform',
    description: 'What needs an administrator, and figures about deployments, money, accounts and checks.',
    access: 'admin',
    query: z.object({ period: z.enum(METRICS_PERIODS).default('24h') }),
    status: 200,
    answer: adminOverview,
    errors: [],
  },
  counts: {
    operation: 'getAdminCounts',
    method: 'GET',
    path: '/admin/counts',
    summary: 'Count what needs an administrator',
    access: 'admin',
    status: 200,
    answer: adminCounts,
    errors: [],
  },
  balanceEnds: {
    operation: 'getBalanceEnds',
    method: 'GET',
    path: '/admin/balance-ends',
    summary: 'Get how long the balances of users last',
    description: 'For the owners on a page of a list, at most 100. Unknown users are left out.',
    access: 'admin',
    query: z.object({ user_ids: userIds }),
    status: 200,
    answer: z.array(balanceEnd),
    errors: [],
  },
} as const satisfies Record<string, Call>;
