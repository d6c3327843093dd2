import { ORDER_MESSAGES } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';
import { optionalText, supportLevel } from './fields';
import { issueText } from './message';

/** The specification's names, some of them in camelCase. Currency units. */
export const prices = z
  .object({
    minBalanceToDeploy: z.number(),
    /** What an account's first deployment needs. */
    minBalanceFirstDeployment: z.number(),
    byovpsDailyFee: z.number(),
    /** On the user's own server, all in. */
    supportLevel2Daily: z.number(),
    supportLevel3Daily: z.number(),
    referrals_enabled: z.boolean(),
  })
  .meta({ id: 'Prices' });
export type Prices = z.infer<typeof prices>;

/** Of the draft only what a price depends on is read. */
export const priceQuestion = z.object({
  server_type: z.enum(['new', 'vps'], issueText(ORDER_MESSAGES.server_type_missing)),
  cloud_provider: optionalText(60),
  region: optionalText(60),
  instance_type: optionalText(60),
  support_level: supportLevel.default(1),
});
export type PriceQuestionBody = z.infer<typeof priceQuestion>;

export const price = z
  .object({
    daily_cost: z.number(),
    hourly_cost: z.number(),
    monthly_cost: z.number(),
    /** Each figure per day. */
    breakdown: z.object({ instance_cost: z.number(), support_cost: z.number(), byovps_management_fee: z.number() }),
  })
  .meta({ id: 'Price' });
export type Price = z.infer<typeof price>;

export const PRICING_CALLS = {
  prices: {
    operation: 'getPricing',
    method: 'GET',
    path: '/pricing',
    summary: 'Get the prices on the pricing page',
    access: 'public',
    status: 200,
    answer: prices,
    errors: [],
  },
  calculatePrice: {
    operation: 'calculatePrice',
    method: 'POST',
    path: '/deployments/pricing/calculate',
    summary: 'Calculate the price of a draft order',
    access: 'public',
    body: priceQuestion,
    status: 200,
    answer: price,
    errors: [],
  },
} as const satisfies Record<string, Call>;
