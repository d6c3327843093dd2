import type { IncidentAnswer, IncidentsAnswer, MetricsAnswer, MetricsPoint } from '@moorage/contracts';
import {
  remedyMessage,
  DAY_MS,
  INCIDENT_RULES,
  type IncidentFacts,
  type IncidentKind,
  incidentMessage,
  METRICS_PERIOD,
  SECOND_MS,
} from '@moorage/domain';

/** Time of the last check, and end of the period. */
const CHECKED_AT = '2026-11-21T14:17:20.000Z';
const TO = '2026-11-21T14:18:00.000Z';

const isoOf = (at: number): string => new Date(at).toISOString();

const pointOf = (at: string, over: Partial<MetricsPoint> = {}): MetricsPoint => ({
  at,
  checks: 5,
  failed: 0,
  response_ms: 180,
  cpu_percent: 12,
  load: 0.4,
  memory_used_mb: 1_400,
  disk_used_mb: 18_120,
  ...over,
});

/** Points of a period, the oldest first. `of` changes one, or omits it with null. */
export function pointsOf(
  period: MetricsAnswer['period'] = '24h',
  of: (index: number) => Partial<MetricsPoint> | null = () => ({}),
): MetricsPoint[] {
  const { ms, span_ms: span } = METRICS_PERIOD[period];
  const end = Math.floor(Date.parse(TO) / span) * span;
  return Array.from({ length: ms / span }, (_, index) => {
    const over = of(index);
    return over === null ? [] : [pointOf(isoOf(end - ms + (index + 1) * span), over)];
  }).flat();
}

type Host = NonNullable<MetricsAnswer['latest']['host']>;

export const hostOf = (over: Partial<Host> = {}): Host => ({
  checked_at: '2026-11-21T14:15:00.000Z',
  cpus: 2,
  cpu_percent: 12,
  load: 0.4,
  memory_mb: 3_814,
  memory_used_mb: 1_400,
  disk_mb: 76_293,
  disk_used_mb: 18_120,
  logs_mb: 1_144,
  uptime_s: 864_000,
  containers: [],
  ...over,
});

export const containerOf = (name: string, memory_mb: number | null): Host['containers'][number] => ({
  name,
  state: 'running',
  health: 'healthy',
  restarts: 0,
  started_at: '2026-11-11T14:15:00.000Z',
  memory_mb,
});

type Latest = MetricsAnswer['latest'];

export const latestOf = (over: Partial<Latest> = {}): Latest => ({
  checked_at: CHECKED_AT,
  response_ms: 182,
  host: hostOf(),
  host_failure: null,
  certificate: {
    host: 'admin.harbour-lights.example',
    verdict: 'good',
    issuer: "C=US, O=Let's Encrypt, CN=R11",
    expires_at: '2027-01-21T15:00:00.000Z',
    days_left: 61,
    checked_at: CHECKED_AT,
  },
  server: { is_running: true, seen_at: CHECKED_AT },
  disk_full_in_days: null,
  ...over,
});

/** Metrics as returned by the API. By default a day without events of a deployment that is well. */
export function metricsOf(over: Partial<MetricsAnswer> = {}): MetricsAnswer {
  const period = over.period ?? '24h';
  const { ms, span_ms: span } = METRICS_PERIOD[period];
  return {
    period,
    from: isoOf(Date.parse(TO) - ms),
    to: TO,
    span_s: span / SECOND_MS,
    points: pointsOf(period),
    latest: latestOf(),
    marks: [],
    ...over,
  };
}

/** Metrics of a deployment that was not checked yet. */
export const uncheckedMetrics = (): MetricsAnswer =>
  metricsOf({
    points: [],
    latest: latestOf({ checked_at: null, response_ms: null, host: null, certificate: null, server: null }),
  });

/** Incident as returned by the API, with the texts and the action of its kind. It is open by default. */
export function incidentOf(
  kind: IncidentKind,
  { facts = {}, ended_at = null, ...over }: Partial<IncidentAnswer> & { facts?: IncidentFacts } = {},
): IncidentAnswer {
  const { severity, action } = INCIDENT_RULES[kind];
  return {
    id: 1,
    kind,
    severity,
    subject: null,
    message: incidentMessage({ kind, facts, ended_at }),
    remedy: remedyMessage({ kind, facts }),
    began_at: '2026-11-21T12:04:00.000Z',
    ended_at,
    returned: 0,
    is_explained: false,
    action,
    ...over,
  };
}

/** Incidents as returned by the API. By default 30 days without any. */
export function incidentsOf(
  over: Partial<IncidentsAnswer> = {},
  dayOf: (date: string) => Partial<IncidentsAnswer['days'][number]> = () => ({}),
): IncidentsAnswer {
  const today = Date.parse(TO);
  return {
    reachable_percent: 99.98,
    days: Array.from({ length: 30 }, (_, index) => {
      const date = isoOf(today - (29 - index) * DAY_MS).slice(0, 10);
      return { date, state: 'good' as const, reachable_percent: 100, ...dayOf(date) };
    }),
    incidents: [],
    ...over,
  };
}
