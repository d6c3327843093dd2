import { ORDER_MESSAGES } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';
import { cloudProvider, instanceType, region } from './catalogue';
import { optionalText, supportLevel } from './fields';
import { issueText } from './message';

/** Field names of the specification, some of them in camelCase. Amounts are in currency units. */
export const prices = z
  .object({
    minBalanceToDeploy: z.number(),
    /** Minimum balance for an account's first deployment. */
    minBalanceFirstDeployment: z.number(),
    byovpsDailyFee: z.number(),
    /** All-inclusive price on the customer's own server. */
    supportLevel2Daily: z.number(),
    supportLevel3Daily: z.number(),
    referrals_enabled: z.boolean(),
  })
  .meta({ id: 'Prices' });
export type Prices = z.infer<typeof prices>;

/** Fields of the draft that determine its price. Other fields are ignored. */
export const priceQuestion = z.object({
  server_type: z.enum(['new', 'vps'], issueText(ORDER_MESSAGES.server_type_missing)),
  cloud_provider: optionalText(60),
  region: optionalText(60),
  instance_type: optionalText(60),
  support_level: supportLevel.default(1),
});
export type PriceQuestionBody = z.infer<typeof priceQuestion>;

/** Server that a price is for, as the catalogue lists it. */
export const pricedServer = z
  .object({ provider: cloudProvider, region, size: instanceType })
  .meta({ id: 'PricedServer' });

export const price = z
  .object({
    daily_cost: z.number(),
    hourly_cost: z.number(),
    monthly_cost: z.number(),
    /** Components per day. */
    breakdown: z.object({ instance_cost: z.number(), support_cost: z.number(), byovps_management_fee: z.number() }),
    /** Null for the customer's own server. */
    server: pricedServer.nullable(),
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
