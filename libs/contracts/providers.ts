import { BREAKER_REASONS, CLOUD_NAMES, CREDENTIAL_REFUSALS, type CloudName, PROVIDER_MODES } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';

const instant = z.iso.datetime();
const cloudName = z.enum(CLOUD_NAMES as readonly [CloudName, ...CloudName[]]);

/** The state of one right of our credentials. `unknown` means that the provider's answer proved neither. */
const right = z.object({
  /** The provider's own name. */
  name: z.string(),
  state: z.enum(['allowed', 'missing', 'unknown']),
  /** The provider's own words unless it is allowed. */
  words: z.string().nullable(),
});

/** A limit of our account. */
const quota = z.object({
  name: z.string(),
  /** null: in all regions together. */
  region: z.string().nullable(),
  limit: z.number(),
  used: z.number(),
});

/** The result of the last check of a live provider. */
export const providerCheck = z.object({
  /** Another check was requested and has not ended. */
  is_running: z.boolean(),
  checked_at: instant.nullable(),
  /** null: the last check got no answer, or there was none. */
  rights: z.array(right).nullable(),
  /** The limits we are closest to, at most 20; null: the provider does not report them. */
  quota: z.array(quota).nullable(),
});

/** The source of the credentials. Their values are never returned. */
export const providerCredentials = z.object({
  /** The fields to fill in. */
  fields: z.array(z.string()),
  /** The time since which credentials from the console are in use. Null if those of the settings are used. */
  entered_since: instant.nullable(),
  /** The last ones that were entered and are not in use. */
  entered: z
    .object({
      state: z.enum(['testing', 'refused']),
      at: instant,
      reason: z.enum(CREDENTIAL_REFUSALS).nullable(),
      /** The provider's own words, or the rights that are missing. */
      words: z.string().nullable(),
    })
    .nullable(),
});

/** A provider as administrators see it. Amounts are JSON numbers in currency units. */
export const provider = z
  .object({
    provider: cloudName,
    display_name: z.string(),
    mode: z.enum(PROVIDER_MODES),
    /** The account or project that the credentials lead to, as the provider names it. */
    project: z
      .object({
        id: z.string(),
        pinned_at: instant,
        /** The time of the confirmation by an administrator. Orders are refused while it is null. */
        confirmed_at: instant.nullable(),
      })
      .nullable(),
    /**
     * `proven`: the credentials show our project. `refused`: the provider refuses them. `create_refused`: they may not create
     * servers. `unproven`: they have not been checked yet. null: the provider is not live.
     */
    access: z
      .object({ state: z.enum(['proven', 'refused', 'create_refused', 'unproven']), since: instant.nullable() })
      .nullable(),
    /** The time and reason from which its answers are not trusted. */
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
    /** null: the provider is not live. */
    check: providerCheck.nullable(),
    /** The last call that failed, in the provider's words without secrets. */
    last_error: z.object({ kind: z.string(), words: z.string(), at: instant }).nullable(),
    /** null: the provider is not live. */
    credentials: providerCredentials.nullable(),
    servers: z.int(),
    /** The daily cost of the servers at today's list prices. */
    cost_daily: z.number(),
    /** The daily charges to customers for the servers, without support. */
    paid_daily: z.number(),
    margin_daily: z.number(),
    /** The margin as a percentage of the cost, or null without a cost. */
    margin_percent: z.number().nullable(),
  })
  .meta({ id: 'Provider' });
export type ProviderAnswer = z.infer<typeof provider>;

export const projectConfirmation = z.object({
  /** The project that the administrator was shown. */
  project_id: z.string().min(1).max(200),
});

export const enteredCredentials = z.object({
  /** Values by the names of the settings, such as `HETZNER_TOKEN`. Exactly the fields of the provider. */
  values: z.record(z.string().max(60), z.string().max(10_000)),
});
export type EnteredCredentialsBody = z.infer<typeof enteredCredentials>;

const params = z.object({ provider: cloudName });

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
  check: {
    operation: 'checkProvider',
    method: 'POST',
    path: '/admin/providers/{provider}/check',
    summary: 'Check rights and quotas at a provider',
    description: 'The check runs in the background. Read its result from `listProviders`.',
    access: 'admin',
    params,
    status: 202,
    answer: provider,
    errors: ['PROVIDER_STATE'],
  },
  confirm: {
    operation: 'confirmProviderProject',
    method: 'POST',
    path: '/admin/providers/{provider}/confirm',
    summary: "Confirm a provider's project",
    description:
      'Nothing can be ordered at a live provider before. A change of the project takes the confirmation back.',
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    params,
    body: projectConfirmation,
    status: 200,
    answer: provider,
    errors: ['PROVIDER_STATE'],
  },
  enterCredentials: {
    operation: 'enterProviderCredentials',
    method: 'PUT',
    path: '/admin/providers/{provider}/credentials',
    summary: "Enter a provider's credentials",
    description:
      'They are tested in the background and used only if they pass; until then the old ones stay in use. They win over those of the settings. They are never returned.',
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    params,
    body: enteredCredentials,
    status: 202,
    answer: provider,
    errors: ['PROVIDER_STATE', 'FIELDS_INVALID'],
  },
  removeCredentials: {
    operation: 'removeProviderCredentials',
    method: 'DELETE',
    path: '/admin/providers/{provider}/credentials',
    summary: "Remove a provider's entered credentials",
    description: 'The credentials of the settings are in use again, if there are any.',
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    params,
    status: 200,
    answer: provider,
    errors: ['PROVIDER_STATE'],
  },
} as const satisfies Record<string, Call>;
