import { BREAKER_REASONS, CLOUD_NAMES, CREDENTIAL_REFUSALS, type CloudName, PROVIDER_MODES } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';

const instant = z.iso.datetime();
const cloudName = z.enum(CLOUD_NAMES as readonly [CloudName, ...CloudName[]]);

/** Whether our credentials have a right. `unknown`: the provider gave no answer that says so. */
const right = z.object({
  /** As the provider names it. */
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

/** What the last check of a live provider found. */
export const providerCheck = z.object({
  /** Another check was requested and has not ended. */
  is_running: z.boolean(),
  checked_at: instant.nullable(),
  /** null: the last check got no answer, or there was none. */
  rights: z.array(right).nullable(),
  /** The limits we are closest to, at most 20; null: the provider does not report them. */
  quota: z.array(quota).nullable(),
});

/** Where the credentials come from. Their values are never returned. */
export const providerCredentials = z.object({
  /** The fields to fill in. */
  fields: z.array(z.string()),
  /** Since when credentials entered in the console are in use; null: those of the settings are, if there are any. */
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
        /** When an administrator let us create servers there; null: nobody has, so nothing can be ordered. */
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
    /** null: the provider is not live. */
    check: providerCheck.nullable(),
    /** The last call that failed, in the provider's words without secrets. */
    last_error: z.object({ kind: z.string(), words: z.string(), at: instant }).nullable(),
    /** null: the provider is not live. */
    credentials: providerCredentials.nullable(),
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

export const projectConfirmation = z.object({
  /** The project that the administrator was shown. */
  project_id: z.string().min(1).max(200),
});

export const enteredCredentials = z.object({
  /** By the names of the settings: `HETZNER_TOKEN`. All of the provider's fields and no others. */
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
