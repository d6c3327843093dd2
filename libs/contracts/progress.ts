import { CERTIFICATE_STATES, DEPLOYMENT_STATUSES, PLANS, PROGRESS_STATES, PROGRESS_STEPS } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';
import { deployment } from './deployments';
import { entityId } from './fields';
import { message } from './message';

const instant = z.iso.datetime();
const params = z.object({ id: entityId });

export const progressStep = z
  .object({
    /** A key that the console translates. */
    name: z.enum(PROGRESS_STEPS),
    /** `cleanup` marks the steps after a failure of the run. */
    part: z.enum(['run', 'cleanup']),
    /**
     * `action_required` means that the owner has to do something. DNS records are shown as soon as the address is
     * known, before their turn.
     */
    state: z.enum(PROGRESS_STATES),
    started_at: instant.nullable(),
    ended_at: instant.nullable(),
    duration_ms: z.int().nullable(),
    /** Recent durations of this step. Null if the duration depends on users or too little is known. */
    usually_ms: z.object({ median: z.int(), p95: z.int() }).nullable(),
    /** Latest message for the customer. */
    message: message.nullable(),
    /** 0 for a step that has not started. */
    attempts: z.int(),
  })
  .meta({ id: 'ProgressStep' });
export type ProgressStepAnswer = z.infer<typeof progressStep>;

export const progress = z
  .object({
    deployment_id: z.int(),
    status: z.enum(DEPLOYMENT_STATUSES),
    version: z.int(),
    /** Null if no run was ever started. */
    run: z.enum(PLANS).nullable(),
    steps: z.array(progressStep),
    /** Position of the current step, starting at 1, or null if there is none. */
    number: z.int().nullable(),
    of: z.int(),
    /** Provisioning takes longer than the usual 5 minutes. */
    overdue: z.boolean(),
    /** Server time from which elapsed times are computed. */
    now: instant,
  })
  .meta({ id: 'Progress' });
export type ProgressAnswer = z.infer<typeof progress>;

/** Result of the last check of a host name's certificate. */
export const hostCertificate = z
  .object({
    /**
     * `waiting_for_dns` means that no certificate is requested before the record is correct. `issuing` is being
     * requested. `pending` has none, and none is being requested. `refused` was rejected by the authority, for the
     * reason in `reason`. `wrong` was issued by another authority or for another name. The last check of `unknown` is
     * so old that the certificate it found has expired.
     */
    state: z.enum(CERTIFICATE_STATES),
    /** Problem and its solution. Null if the certificate is good or has not been checked. */
    reason: message.nullable(),
    /** Original message of the authority. Null unless `refused`. */
    authority_words: z.string().nullable(),
    issuer: z.string().nullable(),
    expires_at: instant.nullable(),
    /** Null before the first check. */
    checked_at: instant.nullable(),
  })
  .meta({ id: 'HostCertificate' });
export type HostCertificateAnswer = z.infer<typeof hostCertificate>;

export const dnsRecord = z
  .object({
    type: z.enum(['A', 'AAAA']),
    /** Name below the domain, `@` for the domain itself, or `*` for every name. */
    name: z.string(),
    fqdn: z.string(),
    /** Null if the server's address is not known yet. */
    value: z.string().nullable(),
    required: z.boolean(),
    right: z.boolean(),
    /** Required change. Null if the record is correct or has not been checked. */
    reason: message.nullable(),
    /** Response of each resolver at the last check. Empty before the first check. */
    seen: z.array(
      z.object({
        /** Address of the resolver, `zone` or `sandbox`. */
        resolver: z.string(),
        /** `zone` is the domain's own name server. */
        kind: z.enum(['public', 'zone']),
        values: z.array(z.string()),
        cname: z.string().nullable(),
        /** Error such as `NXDOMAIN`, `SERVFAIL` or `TIMEOUT`, or null after a response. */
        error: z.string().nullable(),
      }),
    ),
    /** Null if this name needs no certificate. */
    certificate: hostCertificate.nullable(),
  })
  .meta({ id: 'DnsRecord' });
export type DnsRecordAnswer = z.infer<typeof dnsRecord>;

export const deploymentDns = z
  .object({
    domain: z.string(),
    address: z.string().nullable(),
    /** The domain is a name below the platform's, whose records we set. */
    managed: z.boolean(),
    records: z.array(dnsRecord),
    right_count: z.int(),
    /** Every required record is correct. */
    all_right: z.boolean(),
    /** Time of the last DNS check, or null if there was none. */
    checked_at: instant.nullable(),
    /** Time of the next DNS check, or null if none is planned. */
    next_check_at: instant.nullable(),
    /** Time until which restarts and retries are rejected, or null if they are accepted. */
    next_repair_at: instant.nullable(),
    now: instant,
  })
  .meta({ id: 'DeploymentDns' });
export type DeploymentDnsAnswer = z.infer<typeof deploymentDns>;

/** Everything that changes while a deployment is being set up, read at one moment. */
export const deploymentSetup = z
  .object({
    deployment,
    progress,
    /** Null if the deployment has no domain. */
    dns: deploymentDns.nullable(),
  })
  .meta({ id: 'DeploymentSetup' });
export type DeploymentSetupAnswer = z.infer<typeof deploymentSetup>;

export const PROGRESS_CALLS = {
  progress: {
    operation: 'getProgress',
    method: 'GET',
    path: '/deployments/{id}/progress',
    summary: 'Get the progress of a deployment',
    description: 'Lists finished, current and pending steps, and what the owner has to do.',
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
      'Returns the required records, the latest answer of each resolver and the certificate of each name. Returns 404 if the deployment has no domain.',
    access: 'user',
    params,
    status: 200,
    answer: deploymentDns,
    errors: ['NOT_FOUND'],
  },
  setup: {
    operation: 'getDeploymentSetup',
    method: 'GET',
    path: '/deployments/{id}/setup',
    summary: 'Get a deployment with its progress and DNS status',
    description: 'Follows a setup with one request instead of three.',
    access: 'user',
    params,
    status: 200,
    answer: deploymentSetup,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Call>;
