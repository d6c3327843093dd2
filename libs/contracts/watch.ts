import {
  CERTIFICATE_VERDICTS,
  CONTAINER_HEALTHS,
  DAY_STATES,
  INCIDENT_KINDS,
  METRICS_PERIODS,
  PLANS,
} from '@moorage/domain';
import { z } from 'zod';
import { actReason } from './account-fields';
import type { Call } from './call';
import { deployment } from './deployments';
import { entityId, queryNumber } from './fields';
import { message } from './message';
import { incident } from './incident';
import { numberedPages, pageNumber } from './numbered-pages';

const instant = z.iso.datetime();
const params = z.object({ id: entityId });

export const incidents = z
  .object({
    /** Share of successful checks in the last 30 days, cut to two decimals. Null before the first check. */
    reachable_percent: z.number().nullable(),
    /** The last 30 days (UTC), the oldest first. */
    days: z.array(
      z.object({
        date: z.iso.date(),
        /** `down`: it did not respond for a while. `trouble`: another incident. `none`: it was not checked. */
        state: z.enum(DAY_STATES),
        reachable_percent: z.number().nullable(),
      }),
    ),
    /** Open incidents first, the most important first, then ended ones, the newest first. At most 100. */
    incidents: z.array(incident),
  })
  .meta({ id: 'Incidents' });
export type IncidentsAnswer = z.infer<typeof incidents>;

const container = z.object({
  name: z.string(),
  /** State as Docker reports it, such as `running`, `restarting` or `exited`. */
  state: z.string(),
  health: z.enum(CONTAINER_HEALTHS),
  restarts: z.int(),
  started_at: instant.nullable(),
  memory_mb: z.int().nullable(),
});

/** Sizes are in MiB, shares in percent. */
export const metrics = z
  .object({
    period: z.enum(METRICS_PERIODS),
    from: instant,
    to: instant,
    /** Length of the span of a point. */
    span_s: z.int(),
    /** Oldest first. A span without any check has no point. */
    points: z.array(
      z.object({
        /** Start of the span. */
        at: instant,
        /** Requests to the deployment's address, and those without a response. */
        checks: z.int(),
        failed: z.int(),
        /** Median. */
        response_ms: z.int().nullable(),
        cpu_percent: z.number().nullable(),
        load: z.number().nullable(),
        memory_used_mb: z.int().nullable(),
        disk_used_mb: z.int().nullable(),
      }),
    ),
    /** Last results. */
    latest: z.object({
      checked_at: instant.nullable(),
      /** Null if the last check failed. */
      response_ms: z.int().nullable(),
      /** Figures that the server reported last, every five minutes. */
      host: z
        .object({
          checked_at: instant,
          cpus: z.int(),
          /** Null at the first check and after a boot. */
          cpu_percent: z.number().nullable(),
          load: z.number(),
          memory_mb: z.int(),
          memory_used_mb: z.int(),
          disk_mb: z.int(),
          disk_used_mb: z.int(),
          /** Space taken by logs of containers. */
          logs_mb: z.int(),
          uptime_s: z.int(),
          containers: z.array(container),
        })
        .nullable(),
      /** Reason why the server's figures are missing or old. */
      host_failure: message.nullable(),
      /** Certificate that expires first. */
      certificate: z
        .object({
          host: z.string(),
          verdict: z.enum(CERTIFICATE_VERDICTS),
          issuer: z.string().nullable(),
          expires_at: instant.nullable(),
          days_left: z.int().nullable(),
          checked_at: instant,
        })
        .nullable(),
      /** State of the server at its provider. Null for own servers and before the first comparison. */
      server: z.object({ is_running: z.boolean(), seen_at: instant }).nullable(),
      /** Null if the disk does not grow noticeably. */
      disk_full_in_days: z.int().nullable(),
    }),
    /** Events of the deployment in the period, oldest first, at most 100. */
    marks: z.array(
      z.object({
        at: instant,
        what: z.enum([...PLANS, 'backup']),
        /** Null while it runs. */
        ended_at: instant.nullable(),
        succeeded: z.boolean().nullable(),
      }),
    ),
  })
  .meta({ id: 'Metrics' });
export type MetricsAnswer = z.infer<typeof metrics>;
export type MetricsPoint = MetricsAnswer['points'][number];
export type MetricsMark = MetricsAnswer['marks'][number];

/** An open incident with its deployment, for administrators. */
export const openIncident = incident
  .extend({
    deployment: z.object({
      id: z.int(),
      client_name: z.string(),
      package: z.string(),
      server_type: z.enum(['new', 'vps']),
      cloud_provider: z.string().nullable(),
      region: z.string().nullable(),
      support_level: z.int(),
      user_id: z.int(),
      username: z.string(),
    }),
  })
  .meta({ id: 'OpenIncident' });
export type OpenIncidentAnswer = z.infer<typeof openIncident>;

export const openIncidents = z
  .object({
    /**
     * Incidents that are not explained by another, by provider and kind. The largest group comes first, then the most
     * important.
     */
    groups: z.array(
      z.object({
        /** Null for own servers. */
        provider: z.string().nullable(),
        kind: z.enum(INCIDENT_KINDS),
        count: z.int(),
        /** Beginning of the oldest. */
        since: instant,
        /** Running deployments of this provider. */
        deployments: z.int(),
      }),
    ),
    /** Incidents that are not explained by another, the most important first, then the oldest first. */
    incidents: z.array(openIncident),
    ...numberedPages,
  })
  .meta({ id: 'OpenIncidents' });
export type OpenIncidentsAnswer = z.infer<typeof openIncidents>;

export const WATCH_CALLS = {
  metrics: {
    operation: 'getMetrics',
    method: 'GET',
    path: '/deployments/{id}/metrics',
    summary: 'Get the metrics of a deployment',
    description:
      'Response time every minute, CPU, memory and disk every five minutes, with the last results and the events of the period. Stored for 30 days, the first day in spans of five minutes, then in hours.',
    access: 'user',
    params,
    query: z.object({ period: z.enum(METRICS_PERIODS).default('24h') }),
    status: 200,
    answer: metrics,
    errors: ['NOT_FOUND'],
  },
  incidents: {
    operation: 'listIncidents',
    method: 'GET',
    path: '/deployments/{id}/incidents',
    summary: 'List the incidents of a deployment',
    description: 'Open ones and those of the last 30 days, with reachability by day.',
    access: 'user',
    params,
    status: 200,
    answer: incidents,
    errors: ['NOT_FOUND'],
  },
  startServer: {
    operation: 'startServer',
    method: 'POST',
    path: '/deployments/{id}/start-server',
    summary: 'Start a server that is switched off',
    description:
      'Starts the server at its provider, waits for its software and checks it. Possible while the incident `server_off` is open. The price does not change.',
    access: 'verified',
    params,
    body: z.object({ reason: actReason.nullish() }),
    optional_body: true,
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'FIELDS_INVALID'],
  },
  open: {
    operation: 'listOpenIncidents',
    method: 'GET',
    path: '/admin/incidents',
    summary: 'List all open incidents',
    description: 'Groups by provider and kind show whether several deployments have the same cause.',
    access: 'admin',
    query: z.object({
      page: pageNumber,
      per_page: queryNumber(1, 100).default(25),
      /** Name of a provider, or `byovps` for own servers. The groups are not filtered. */
      provider: z.string().max(60).optional(),
      kind: z.enum(INCIDENT_KINDS).optional(),
    }),
    status: 200,
    answer: openIncidents,
    errors: [],
  },
} as const satisfies Record<string, Call>;
