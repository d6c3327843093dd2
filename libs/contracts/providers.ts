import { BREAKER_REASONS, CLOUD_NAMES, type CloudName, PROVIDER_MODES } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';

const instant = z.iso.datetime();
const cloudName = z.enum(CLOUD_NAMES as readonly [CloudName, ...CloudName[]]);

/** A provider as administrators see it. Amounts are JSON numbers in currency units. */
export const provider = z
  .object({
    provider: cloudName,
    display_name: z.string(),
    mode: z.enum(PROVIDER_MODES),
    /** The account or project that the credentials lead to, as the provider names it. */
    project: z.object({ id: z.string(), pinned_at: instant }).nullable(),
    /**
     * `proven`: the credentials show our project. `refused`: the provider refuses them. `create_refused`: they may not create
     * servers. `unproven`: they have not been checked yet. null: the provider is not live.
     */
    access: z
      .object({ state: z.enum(['proven', 'refused', 'create_refused', 'unproven']), since: instant.nullable() })
      .nullable(),
    /** Since when its answers are not believed, and why. */
    distrusted: z.object({ since: instant, reason: z.enum(BREAKER_REASONS) }).nullable(),
    /** The provider takes no request before this instant. */
    paused_until: instant.nullable(),
    /** null: the provider is off. */
    catalogue: z
      .object({
        /** `live`: its own prices. `built_in`: the product's list. */
        source: z.enum(['live', 'built_in']),
        refreshed_at: instant.nullable(),
        due_at: instant.nullable(),
        sizes: z.int(),
        sold_out: z.int(),
      })
      .nullable(),
    servers: z.int(),
    /** What the servers cost us in a day at today's list prices. */
    cost_daily: z.number(),
    /** What customers are charged for the servers in a day, without support. */
    paid_daily: z.number(),
    margin_daily: z.number(),
    /** Of the cost; null: there is none. */
    margin_percent: z.number().nullable(),
  })
  .meta({ id: 'Provider' });
export type ProviderAnswer = z.infer<typeof provider>;

export const PROVIDERS_CALLS = {
  list: {
    operation: 'listProviders',
    method: 'GET',
    path: '/admin/providers',
    summary: 'List the cloud providers',
    description:
      'Every provider with its mode, project, prices, servers, and the cost of a day beside what customers pay.',
    access: 'admin',
    status: 200,
    answer: z.array(provider),
    errors: [],
  },
} as const satisfies Record<string, Call>;
