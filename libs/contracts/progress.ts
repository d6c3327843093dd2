import { CERTIFICATE_STATES, DEPLOYMENT_STATUSES, PLANS, PROGRESS_STATES, PROGRESS_STEPS } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';
import { entityId } from './fields';
import { message } from './message';

const instant = z.iso.datetime();
const params = z.object({ id: entityId });

export const progressStep = z
  .object({
    /** A key that the console translates. */
    name: z.enum(PROGRESS_STEPS),
    /** `cleanup`: what was done after the failure of the run. */
    part: z.enum(['run', 'cleanup']),
    /** `action_required`: the owner has to do something; DNS records as soon as the address is known, before their turn. */
    state: z.enum(PROGRESS_STATES),
    started_at: instant.nullable(),
    ended_at: instant.nullable(),
    duration_ms: z.int().nullable(),
    /** From what this step took here lately; null where people set the pace or too little is known. */
    usually_ms: z.object({ median: z.int(), p95: z.int() }).nullable(),
    /** What was said last, in words for the customer. */
    message: message.nullable(),
    /** 0 for a step that has not begun. */
    attempts: z.int(),
  })
  .meta({ id: 'ProgressStep' });
export type ProgressStepAnswer = z.infer<typeof progressStep>;

export const progress = z
  .object({
    deployment_id: z.int(),
    status: z.enum(DEPLOYMENT_STATUSES),
    version: z.int(),
    /** null: nothing was ever begun. */
    run: z.enum(PLANS).nullable(),
    steps: z.array(progressStep),
    /** The step that is on, 1 for the first; null when none is. */
    number: z.int().nullable(),
    of: z.int(),
    /** Being set up for longer than the usual 5 minutes. */
    overdue: z.boolean(),
    /** The server's time: what passes is counted from it. */
    now: instant,
  })
  .meta({ id: 'Progress' });
export type ProgressAnswer = z.infer<typeof progress>;

/** What the last check of a host name's certificate found. */
export const hostCertificate = z
  .object({
    /**
     * `waiting_for_dns`: nobody asks the authority before the record is right. `issuing`: it is being asked. `pending`:
     * there is none, and nothing is at work. `refused`: the authority gave none, `reason` says why. `wrong`: another
     * authority's, or for another name. `unknown`: checked so long ago that the certificate of then has expired.
     */
    state: z.enum(CERTIFICATE_STATES),
    /** What is wrong and what to do; null when good or not checked yet. */
    reason: message.nullable(),
    /** What the authority said, in its own words; null unless `refused`. */
    authority_words: z.string().nullable(),
    issuer: z.string().nullable(),
    expires_at: instant.nullable(),
    /** null: not yet. */
    checked_at: instant.nullable(),
  })
  .meta({ id: 'HostCertificate' });
export type HostCertificateAnswer = z.infer<typeof hostCertificate>;

export const dnsRecord = z
  .object({
    type: z.enum(['A', 'AAAA']),
    /** Below the domain; `@` for the domain itself, `*` for every name. */
    name: z.string(),
    fqdn: z.string(),
    /** null: the address of the server is not known yet. */
    value: z.string().nullable(),
    required: z.boolean(),
    right: z.boolean(),
    /** What to change; null when right or not checked yet. */
    reason: message.nullable(),
    /** What each resolver answered at the last look; empty before the first. */
    seen: z.array(
      z.object({
        /** Its address, `zone` or `sandbox`. */
        resolver: z.string(),
        /** `zone`: the domain's own name server. */
        kind: z.enum(['public', 'zone']),
        values: z.array(z.string()),
        cname: z.string().nullable(),
        /** `NXDOMAIN`, `SERVFAIL`, `TIMEOUT`, ...; null when it answered. */
        error: z.string().nullable(),
      }),
    ),
    /** null: none is wanted for this name. */
    certificate: hostCertificate.nullable(),
  })
  .meta({ id: 'DnsRecord' });
export type DnsRecordAnswer = z.infer<typeof dnsRecord>;

export const deploymentDns = z
  .object({
    domain: z.string(),
    address: z.string().nullable(),
    records: z.array(dnsRecord),
    right_count: z.int(),
    /** Every required record is right. */
    all_right: z.boolean(),
    /** When the resolvers were last asked; null: not yet. */
    checked_at: instant.nullable(),
    /** When they are asked next; null: nobody waits for them. */
    next_check_at: instant.nullable(),
    /** Until then a restart and a retry are refused; null: they are not. */
    next_repair_at: instant.nullable(),
    now: instant,
  })
  .meta({ id: 'DeploymentDns' });
export type DeploymentDnsAnswer = z.infer<typeof deploymentDns>;

export const PROGRESS_CALLS = {
  progress: {
    operation: 'getProgress',
    method: 'GET',
    path: '/deployments/{id}/progress',
    summary: 'Get the progress of a deployment',
    description: 'Lists finished, current and coming steps and what the owner has to do.',
    access: 'user',
    params,
    status: 200,
    answer: progress,
    errors: ['NOT_FOUND'],
  },
  dns: {
    operation: 'getDeploymentDns',
    method: 'GET',
    path: '/deployments/{id}/dns',
    summary: 'Get the DNS status of a deployment',
    description:
      'Lists the required records, the latest answer of each resolver and the certificate of each name. 404 if the deployment has no domain.',
    access: 'user',
    params,
    status: 200,
    answer: deploymentDns,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Call>;
