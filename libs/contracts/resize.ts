import { z } from 'zod';
import { actReason } from './account-fields';
import type { Call } from './call';
import { deployment } from './deployments';
import { entityId, shortText } from './fields';
import { message } from './message';
import { amount } from './wallet';

const params = z.object({ id: entityId });
const instant = z.iso.datetime();
const sizeName = shortText(60);

/** Sizes to which the server of a deployment can change, and those to which it can't, with the reason. */
export const deploymentSizes = z
  .object({
    /** Current size. */
    instance_type: z.string(),
    /** Current disk in GB, or null if unknown. */
    disk_gb: z.number().nullable(),
    /**
     * What happens to the disk. `optional` grows only on request, `always` with every larger size, and `separate` keeps
     * its size.
     */
    disk: z.enum(['optional', 'always', 'separate']),
    /** Sizes of the region in catalogue order, including the current size. */
    sizes: z.array(
      z.object({
        name: z.string(),
        display_name: z.string(),
        cpu: z.number(),
        memory: z.number(),
        disk_gb: z.number().nullable(),
        /** Price of the deployment with this size, including its support level. */
        hourly_cost: z.number(),
        daily_cost: z.number(),
        /** Reason why the server can't get this size, or null. */
        refusal: message.nullable(),
      }),
    ),
  })
  .meta({ id: 'DeploymentSizes' });
export type DeploymentSizesAnswer = z.infer<typeof deploymentSizes>;

export const resizeQuote = z
  .object({
    instance_type: z.string(),
    hourly_cost: z.number(),
    daily_cost: z.number(),
    /** Positive if charged immediately, negative if credited. */
    today: z.number(),
    needed: z.number(),
    available: z.number(),
    /**
     * Time until which everything of the account is paid for, now and with the new size. Null if it is beyond the
     * forecast. If the size is not affordable, `then` includes the smallest top-up that makes it so, in whole cents
     * and at least 1.00. It is null if the account owes money.
     */
    runs_until: z.object({ now: instant.nullable(), then: instant.nullable() }),
    /** A backup is taken before. */
    backs_up: z.boolean(),
    /** Expected time in seconds during which the deployment can't be reached. */
    unreachable_s: z.int(),
    /** The server may get another address, so the DNS records may have to be changed. */
    address_may_change: z.boolean(),
    /** Disk afterwards in GB, or null if unknown. */
    disk_gb: z.number().nullable(),
    /** The server can get its current size again. */
    way_back: z.boolean(),
  })
  .meta({ id: 'ResizeQuote' });
export type ResizeQuoteAnswer = z.infer<typeof resizeQuote>;

export const RESIZE_CALLS = {
  sizes: {
    operation: 'listDeploymentSizes',
    method: 'GET',
    path: '/deployments/{id}/sizes',
    summary: 'List the sizes for a deployment',
    description: 'Sizes of its region, each with its price, or with the reason why the server cannot get it.',
    access: 'user',
    params,
    status: 200,
    answer: deploymentSizes,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE'],
  },
  quote: {
    operation: 'quoteResize',
    method: 'GET',
    path: '/deployments/{id}/resize',
    summary: 'Preview another size of a deployment',
    description: 'Returns the new price, the amount charged or credited today, and what else changes.',
    access: 'user',
    params,
    query: z.object({
      instance_type: sizeName,
      grow_disk: z
        .enum(['true', 'false'])
        .default('false')
        .transform((text) => text === 'true'),
    }),
    status: 200,
    answer: resizeQuote,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'FIELDS_INVALID', 'RATE_LIMITED'],
  },
  resize: {
    operation: 'resizeDeployment',
    method: 'POST',
    path: '/deployments/{id}/resize',
    summary: 'Change the size of a deployment',
    description:
      'Backs up the data if backups are on, stops the server, changes its size and starts it. The new price begins when the provider confirms the size. If it does not, the previous size and price stay. At most once per clock hour.',
    access: 'verified',
    recent_authentication: 'administrators',
    idempotency_key: true,
    params,
    body: z.object({
      instance_type: sizeName,
      /** Whether the disk grows too, where that is optional. A disk that has grown can't be reduced again. */
      grow_disk: z.boolean().default(false),
      /** Price from the quote. If the actual price differs, nothing changes (PRICE_CHANGED). */
      expected_hourly_cost: amount.nonnegative(),
      reason: actReason.nullish(),
    }),
    status: 200,
    answer: deployment,
    errors: [
      'NOT_FOUND',
      'DEPLOYMENT_STATE',
      'FIELDS_INVALID',
      'PRICE_CHANGED',
      'BALANCE_TOO_LOW',
      'BALANCE_OWED',
      'CREDIT_ONLY_LIMIT',
      'RATE_LIMITED',
    ],
  },
} as const satisfies Record<string, Call>;
