import { SHAPE_MESSAGES } from '@moorage/domain';
import { z } from 'zod';
import { RUNWAY_EXAMPLE } from './examples';
import { issueText, refused } from './message';

/** A deployment that stops. Amounts are JSON numbers in currency units, and days are UTC days. */
const stop = z.object({
  /** Null for the hypothetical order. */
  deployment_id: z.int().nullable(),
  client_name: z.string().nullable(),
});

/** A day with the remainder of each bucket after its charge. Today shows the current state. */
export const runwayDay = z.object({
  date: z.iso.date(),
  regular: z.number(),
  referral: z.number(),
  signup: z.number(),
  total: z.number(),
  /** Charge of the day for the deployments still running then. */
  charged: z.number(),
  /** Everything that runs now is still paid for on this day. */
  lasts: z.boolean(),
});

export const runway = z
  .object({
    /**
     * First 00:00 UTC that cannot be paid, or the due time of a charge in a grace period. Null if nothing runs or is
     * being created, or if the end is beyond the forecast.
     */
    ends_at: z.iso.datetime().nullable(),
    stops_first: stop.nullable(),
    /** Every deployment that stops at that instant, in order. */
    stops: z.array(stop),
    /**
     * `none` means that nothing runs or is being created, `week` at most 7 days, and `days` at most 3 days or an
     * uncovered charge.
     */
    level: z.enum(['none', 'calm', 'week', 'days']),
    /** Daily cost of everything that runs or is being created. */
    daily_cost: z.number(),
    /** Number of deployments that run or are being created, including the order of `order_hourly`. */
    running: z.int(),
    /**
     * Number of these that are still being created. They count as if they started now, and cost nothing until they
     * start.
     */
    starting: z.int(),
    /** Days from today, at most 14. Empty if nothing runs. */
    days: z.array(runwayDay),
    /** Charges in a grace period, in the order in which they are due. */
    grace_periods: z.array(
      z.object({
        deployment_id: z.int(),
        client_name: z.string(),
        /** Amount of the charge. */
        amount: z.number(),
        /** Smallest payment that covers it, including what the account owes. */
        needed: z.number(),
        grace_period_ends_at: z.iso.datetime(),
      }),
    ),
    /**
     * Smallest useful top-up in whole cents, at least 1.00, and the time until which everything then runs. It covers
     * all charges in a grace period, otherwise it adds 7 days at the levels `week` and `days`. Null if none is needed
     * or no single top-up is enough.
     */
    saving: z.object({ amount: z.number(), runs_until: z.iso.datetime().nullable() }).nullable(),
    /**
     * Larger top-up during a grace period, with which everything runs for 7 more days than with `saving`. Null if no
     * charge is in its grace period or no single top-up is enough.
     */
    longer: z.object({ amount: z.number(), runs_until: z.iso.datetime().nullable() }).nullable(),
    /**
     * Smallest top-up in whole cents, for `keep_until`, with which everything counted here runs until the end of that
     * UTC day, and the time until which it then runs. `amount` is 0 if none is needed. Null if no single top-up is
     * enough.
     */
    keep_until: z.object({ amount: z.number(), runs_until: z.iso.datetime().nullable() }).nullable(),
    /** Credits that are locked at the end and therefore do not count. */
    locked_credits: z.number(),
    /**
     * Credits locked now, the amount missing from the regular balance to unlock them (0 if none is locked), and the
     * balance required.
     */
    locked_now: z.number(),
    unlock_needs: z.number(),
    unlock_balance: z.number(),
    /** Price of the order of `order_hourly` for the rest of today. */
    order_today: z.number().nullable(),
    /**
     * Reason why the order of `order_hourly` is not possible now, with the money it requires, or null if it is
     * possible.
     */
    order_refusal: z
      .object({
        code: z.enum(['BALANCE_OWED', 'BALANCE_TOO_LOW', 'CREDIT_ONLY_LIMIT']),
        ...refused.shape,
        needed: z.number(),
        available: z.number(),
        owed: z.number(),
      })
      .nullable(),
    /** Server time. */
    now: z.iso.datetime(),
  })
  .meta({ id: 'Runway', examples: [RUNWAY_EXAMPLE] });
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

/** The parameters can be combined. */
export const runwayQuestion = z.object({
  /** Amount of a hypothetical top-up now. */
  add_amount: decimal(2, { from: 1, to: ADD_MAX })
    .optional()
    .meta({ examples: ['25.00'] }),
  /** Hourly price of a hypothetical deployment that starts now. */
  order_hourly: decimal(6, { from: 0, to: HOURLY_MAX })
    .optional()
    .meta({ examples: ['0.0356'] }),
  /** UTC day to whose end everything should keep running. */
  keep_until: z.iso
    .date()
    .optional()
    .meta({ examples: ['2026-12-31'] }),
});
export type RunwayQuestion = z.infer<typeof runwayQuestion>;
