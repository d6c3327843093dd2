import { BREAKER_REASONS, CLOUD_NAMES, CREDENTIAL_REFUSALS, type CloudName, PROVIDER_MODES } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';

const instant = z.iso.datetime();
const cloudName = z.enum(CLOUD_NAMES as readonly [CloudName, ...CloudName[]]);

/** State of a permission of the credentials. `unknown` means that the provider's response was inconclusive. */
const right = z.object({
  /** Provider's name of the permission. */
  name: z.string(),
  state: z.enum(['allowed', 'missing', 'unknown']),
  /** Original message of the provider. Null if the permission is granted. */
  words: z.string().nullable(),
});

/** A limit of the platform's account. */
const quota = z.object({
  name: z.string(),
  /** Null if the limit covers all regions. */
  region: z.string().nullable(),
  limit: z.number(),
  used: z.number(),
});

/** Result of the last check of a live provider. */
export const providerCheck = z.object({
  /** A check was requested and has not ended. */
  is_running: z.boolean(),
  checked_at: instant.nullable(),
  /** Null if the last check received no response or there was none. */
  rights: z.array(right).nullable(),
  /** Limits with the highest usage, at most 20. Null if the provider does not report them. */
  quota: z.array(quota).nullable(),
});

/** Source of the credentials. Their values are never returned. */
export const providerCredentials = z.object({
  /** Fields to fill in. */
  fields: z.array(z.string()),
  /** Time since which credentials from the console have been in use. Null if those of the settings are used. */
  entered_since: instant.nullable(),
  /** Last credentials entered that are not in use. */
  entered: z
    .object({
      state: z.enum(['testing', 'refused']),
      at: instant,
      reason: z.enum(CREDENTIAL_REFUSALS).nullable(),
      /** Original message of the provider, or the missing permissions. */
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
    /** Account or project of the credentials, named as at the provider. */
    project: z
      .object({
        id: z.string(),
        pinned_at: instant,
        /** Time of the confirmation by an administrator. Orders are rejected while it is null. */
        confirmed_at: instant.nullable(),
      })
      .nullable(),
    /**
     * `proven` credentials give access to the expected project. `refused` credentials are rejected by the provider.
     * `create_refused` credentials may not create servers. `unproven` credentials have not been checked yet. Null if
     * the provider is not live.
     */
    access: z
      .object({ state: z.enum(['proven', 'refused', 'create_refused', 'unproven']), since: instant.nullable() })
      .nullable(),
    /** Time and reason from which its responses are not trusted. */
    distrusted: z.object({ since: instant, reason: z.enum(BREAKER_REASONS) }).nullable(),
    /** Time until which the provider accepts no requests. */
    paused_until: instant.nullable(),
    /** Null if the provider is off. */
    catalogue: z
      .object({
        /** `live` means the provider's own prices, `built_in` the catalogue file. */
        source: z.enum(['live', 'built_in']),
        refreshed_at: instant.nullable(),
        due_at: instant.nullable(),
        sizes: z.int(),
        sold_out: z.int(),
      })
      .nullable(),
    /** Null if the provider is not live. */
    check: providerCheck.nullable(),
    /** Last failed call, with the provider's message without secrets. */
    last_error: z.object({ kind: z.string(), words: z.string(), at: instant }).nullable(),
    /** Null if the provider is not live. */
    credentials: providerCredentials.nullable(),
    servers: z.int(),
    /** Daily cost of the servers at today's list prices. */
    cost_daily: z.number(),
    /** Daily charges to customers for the servers, without support. */
    paid_daily: z.number(),
    margin_daily: z.number(),
    /** Margin as a percentage of the cost, or null if the cost is zero. */
    margin_percent: z.number().nullable(),
  })
  .meta({ id: 'Provider' });
export type ProviderAnswer = z.infer<typeof provider>;

export const projectConfirmation = z.object({
  /** Project that was shown to the administrator. */
  project_id: z.string().min(1).max(200),
});

export const enteredCredentials = z.object({
  /** Values by setting name, such as `HETZNER_TOKEN`. They must be exactly the fields of the provider. */
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
      'Every provider with its mode, project, prices, servers, and daily cost compared with what customers pay.',
    access: 'admin',
    status: 200,
    answer: z.array(provider),
    errors: [],
  },
  check: {
    operation: 'checkProvider',
    method: 'POST',
    path: '/admin/providers/{provider}/check',
    summary: 'Check permissions and quotas at a provider',
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
      'Required before anything can be ordered at a live provider. Changing the project revokes the confirmation.',
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
      'Tests the credentials in the background and uses them only if they pass. Until then, the old credentials stay in use. They take precedence over the credentials in the settings and are never returned.',
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
    description: 'The credentials from the settings, if any, are used again.',
    access: 'admin',
    session_only: true,
    recent_authentication: true,
    params,
    status: 200,
    answer: provider,
    errors: ['PROVIDER_STATE'],
  },
} as const satisfies Record<string, Call>;
