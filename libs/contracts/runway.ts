import { SHAPE_MESSAGES } from '@moorage/domain';
import { z } from 'zod';
import { issueText, refused } from './message';

/** Amounts are JSON numbers in currency units; days are UTC days. */
const stop = z.object({
  /** null: the order that is only asked about. */
  deployment_id: z.int().nullable(),
  client_name: z.string().nullable(),
});

/** A day and what is left of each pot when its charge has been paid; today as it stands now. */
export const runwayDay = z.object({
  date: z.iso.date(),
  regular: z.number(),
  referral: z.number(),
  signup: z.number(),
  total: z.number(),
  /** What the day costs of what still runs then. */
  charged: z.number(),
  /** Everything that runs now is paid for on this day. */
  lasts: z.boolean(),
});

export const runway = z
  .object({
    /** The first 00:00 UTC that cannot be paid (in a grace period: the instant already due). null: nothing runs or is on its way, or it lasts longer than is looked ahead. */
    ends_at: z.iso.datetime().nullable(),
    stops_first: stop.nullable(),
    /** Everything that stops at that instant, in order. */
    stops: z.array(stop),
    /** `none`: nothing runs or is on its way; `week`: at most 7 days; `days`: at most 3, or a charge waits already. */
    level: z.enum(['none', 'calm', 'week', 'days']),
    /** Of everything that runs or is on its way. */
    daily_cost: z.number(),
    /** What is counted: what runs, what is on its way, and with `order_hourly` the order. */
    running: z.int(),
    /** How many of these are still being created: they count as if they started now, and cost nothing until they do. */
    starting: z.int(),
    /** From today on, at most 14; empty when nothing runs. */
    days: z.array(runwayDay),
    /** Charges that wait for money, in the order in which they are due. */
    grace_periods: z.array(
      z.object({
        deployment_id: z.int(),
        client_name: z.string(),
        /** The charge. */
        amount: z.number(),
        /** The least payment that covers it, what is owed included. */
        needed: z.number(),
        grace_period_ends_at: z.iso.datetime(),
      }),
    ),
    /**
     * The least top-up that helps, in whole cents and at least 1.00, and until when everything then runs: while charges wait
     * for money, what covers them all; at the levels `week` and `days` else, what adds 7 days. null: nothing has to be done,
     * or no single top-up is enough.
     */
    saving: z.object({ amount: z.number(), runs_until: z.iso.datetime().nullable() }).nullable(),
    /**
     * Only with `keep_until`: the least top-up, in whole cents, with which everything counted here runs until the end of that
     * UTC day, and until when it then runs. `amount` 0: it does without one. null: no single top-up is enough.
     */
    keep_until: z.object({ amount: z.number(), runs_until: z.iso.datetime().nullable() }).nullable(),
    /** Credits that are there but locked at the end, and so do not help. */
    locked_credits: z.number(),
    /** Credits that are locked now; what the regular balance lacks to unlock them (0: nothing is locked), and what it must be. */
    locked_now: z.number(),
    unlock_needs: z.number(),
    unlock_balance: z.number(),
    /** Only with `order_hourly`: what it would cost for the rest of today. */
    order_today: z.number().nullable(),
    /** Only with `order_hourly`: why it could not be ordered now, and what that needs; null: it could. */
    order_refusal: z
      .object({
        code: z.enum(['BALANCE_OWED', 'BALANCE_TOO_LOW', 'CREDIT_ONLY_LIMIT']),
        ...refused.shape,
        needed: z.number(),
        available: z.number(),
        owed: z.number(),
      })
      .nullable(),
    /** The server's time. */
    now: z.iso.datetime(),
  })
  .meta({ id: 'Runway' });
export type RunwayAnswer = z.infer<typeof runway>;

const ADD_MAX = 1_000;
const HOURLY_MAX = 1_000;

const decimal = (decimals: number, { from, to }: { from: number; to: number }) => {
  const sentence = issueText(SHAPE_MESSAGES.decimals_between({ from, to, decimals }));
  return z
    .string()
    .regex(new RegExp(`^\\d{1,4}(\\.\\d{1,${decimals}})?$`), sentence)
    .transform(Number)
    .pipe(z.number().min(from, sentence).max(to, sentence));
};

/** All can be asked together. */
export const runwayQuestion = z.object({
  /** As if this much were paid in now. */
  add_amount: decimal(2, { from: 1, to: ADD_MAX }).optional(),
  /** As if one more deployment, of this hourly price, started now. */
  order_hourly: decimal(6, { from: 0, to: HOURLY_MAX }).optional(),
  /** What it takes to keep everything running until the end of this UTC day. */
  keep_until: z.iso.date().optional(),
});
export type RunwayQuestion = z.infer<typeof runwayQuestion>;
