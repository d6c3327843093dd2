import { asciiDomain, CONFIG_VALUE_LENGTH_MAX, FURTHER_DOMAIN_STATES, FURTHER_DOMAINS_MAX } from '@moorage/domain';
import { z } from 'zod';
import { actReason } from './account-fields';
import type { Call } from './call';
import { FURTHER_DOMAIN_EXAMPLE } from './examples';
import { entityId, shortText } from './fields';
import { message } from './message';
import { hostCertificate } from './progress';

const instant = z.iso.datetime();

/** A further domain of a deployment. */
export const furtherDomain = z
  .object({
    id: z.int(),
    host: z.string(),
    kind: z.literal('redirect'),
    state: z.enum(FURTHER_DOMAIN_STATES),
    /** DNS record to set. `right` is null before the first check. */
    record: z.object({
      type: z.enum(['A', 'AAAA']),
      value: z.string().nullable(),
      right: z.boolean().nullable(),
      reason: message.nullable(),
    }),
    /** Result of the last check of its certificate, or null before the redirect is set up. */
    certificate: hostCertificate.nullable(),
    failure: message.nullable(),
    added_at: instant,
    checked_at: instant.nullable(),
  })
  .meta({ id: 'FurtherDomain', examples: [FURTHER_DOMAIN_EXAMPLE] });
export type FurtherDomainAnswer = z.infer<typeof furtherDomain>;

export const deploymentDomains = z
  .object({
    /** Address of the package, to which further domains redirect. Null for a package without a domain. */
    primary: z.object({ host: z.string(), certificate: hostCertificate }).nullable(),
    /** Whether the package supports further domains. */
    offered: z.boolean(),
    most: z.literal(FURTHER_DOMAINS_MAX),
    domains: z.array(furtherDomain),
    now: instant,
  })
  .meta({ id: 'DeploymentDomains' });
export type DeploymentDomainsAnswer = z.infer<typeof deploymentDomains>;

const params = z.object({ id: entityId });

export const FURTHER_DOMAINS_CALLS = {
  list: {
    operation: 'listDomains',
    method: 'GET',
    path: '/deployments/{id}/domains',
    summary: 'List the domains of a deployment',
    description: "The package's own address and the further domains that redirect to it.",
    access: 'user',
    params,
    status: 200,
    answer: deploymentDomains,
    errors: ['NOT_FOUND'],
  },
  add: {
    operation: 'addDomain',
    method: 'POST',
    path: '/deployments/{id}/domains',
    summary: 'Add a domain that redirects',
    description:
      "Requests to the name are redirected to the package's own address, with path and query. The redirect and its certificate are set up when the DNS record points to the server. Nothing is restarted.",
    access: 'verified',
    recent_authentication: 'administrators',
    params,
    body: z.object({ host: shortText(CONFIG_VALUE_LENGTH_MAX, asciiDomain), reason: actReason.nullish() }),
    status: 201,
    answer: furtherDomain,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'FIELDS_INVALID'],
  },
  remove: {
    operation: 'removeDomain',
    method: 'DELETE',
    path: '/deployments/{id}/domains/{domain_id}',
    summary: 'Remove a domain that redirects',
    access: 'verified',
    recent_authentication: 'administrators',
    params: params.extend({ domain_id: entityId }),
    query: z.object({ reason: actReason.optional() }),
    status: 200,
    answer: deploymentDomains,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE'],
  },
} as const satisfies Record<string, Call>;
