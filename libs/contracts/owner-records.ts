import {
  asciiDomain,
  checkDnsToken,
  CONFIG_VALUE_LENGTH_MAX,
  DNS_PROVIDER_NAMES,
  DNS_TOKEN_LENGTH_MAX,
  OWNER_RECORDS_MAX,
} from '@moorage/domain';
import { z } from 'zod';
import { refusedBy } from './account-fields';
import type { Call } from './call';
import { entityId, shortText } from './fields';

const providerName = z.enum(DNS_PROVIDER_NAMES);
const params = z.object({ id: entityId });
/**
 * A further domain of the deployment, or the domain that it will get. Without it, the call is about the deployment's
 * current domain.
 */
const domain = shortText(CONFIG_VALUE_LENGTH_MAX, asciiDomain);

/** An existing record at the provider that leads elsewhere. */
const existingRecord = z.object({
  type: z.string().max(10),
  name: z.string().max(255),
  value: z.string().max(500),
});

export const dnsProvider = z
  .object({
    domain: z.string(),
    /** Zone that contains the domain according to its name servers, or null if none was found. */
    zone: z.string().nullable(),
    name_servers: z.array(z.string()),
    /** Provider of these name servers whose API creates records, or null for another provider. */
    provider: providerName.nullable(),
    /**
     * Link to a page of the DNS provider (Domain Connect) on which the owner confirms the records, or null if the
     * provider does not offer it.
     */
    connect: z.object({ provider: z.string(), url: z.string() }).nullable(),
  })
  .meta({ id: 'DnsProvider' });
export type DnsProviderAnswer = z.infer<typeof dnsProvider>;

export const createdRecords = z
  .object({
    provider: providerName,
    records: z.array(
      z.object({
        type: z.enum(['A', 'AAAA']),
        fqdn: z.string(),
        value: z.string(),
        /** `unchanged` records were correct before. */
        result: z.enum(['created', 'replaced', 'unchanged']),
      }),
    ),
  })
  .meta({ id: 'CreatedDnsRecords' });
export type CreatedRecordsAnswer = z.infer<typeof createdRecords>;

/** Further field of DNS_RECORDS_DIFFER. */
export const existingRecords = z.object({
  existing: z.array(existingRecord.extend({ proxied: z.boolean() })),
});
export type ExistingRecords = z.infer<typeof existingRecords>;

export const OWNER_RECORDS_CALLS = {
  provider: {
    operation: 'getDnsProvider',
    method: 'GET',
    path: '/deployments/{id}/dns/provider',
    summary: 'Find the DNS provider of a domain',
    description:
      'Queries the name servers of the domain. Results are up to five minutes old. Returns 404 if the deployment has no domain.',
    access: 'user',
    params,
    query: z.object({ domain: domain.optional() }),
    status: 200,
    answer: dnsProvider,
    errors: ['NOT_FOUND', 'FIELDS_INVALID', 'RATE_LIMITED'],
    limit: 'dns_lookups',
  },
  create: {
    operation: 'createDnsRecords',
    method: 'POST',
    path: '/deployments/{id}/dns/records',
    summary: 'Create the DNS records at the provider',
    description:
      'Creates the records that `getDeploymentDns` lists, with a token of your DNS provider. The token is used for this call only and never stored. Correct records are left as they are. Records that lead elsewhere are listed in `existing` of DNS_RECORDS_DIFFER, and replaced only if `replace` names all of them. Owner only.',
    access: 'verified',
    params,
    body: z.object({
      provider: providerName,
      token: z
        .string()
        .max(DNS_TOKEN_LENGTH_MAX * 2, { abort: true })
        .overwrite((text) => text.trim())
        .superRefine(refusedBy(checkDnsToken)),
      domain: domain.nullish(),
      /** True if records that the deployment can do without are created as well. */
      with_optional: z.boolean().default(true),
      replace: z
        .array(existingRecord)
        .max(OWNER_RECORDS_MAX * 5)
        .default([]),
    }),
    status: 200,
    answer: createdRecords,
    errors: [
      'NOT_FOUND',
      'DEPLOYMENT_STATE',
      'DNS_RECORDS_DIFFER',
      'DNS_PROVIDER_STATE',
      'FIELDS_INVALID',
      'RATE_LIMITED',
    ],
    limit: 'dns_records',
  },
} as const satisfies Record<string, Call>;
export type NewDnsRecords = z.output<(typeof OWNER_RECORDS_CALLS)['create']['body']>;
