import type {
  IncidentAnswer,
  IncidentsAnswer,
  MetricsAnswer,
  OpenIncidentsAnswer,
  RouteRequest,
} from '@moorage/contracts';
import { MINUTE_MS } from '@moorage/domain';
import { useRead } from './use-read';

export type Incident = IncidentAnswer;
export type Incidents = IncidentsAnswer;
export type Metrics = MetricsAnswer;
export type OpenIncidents = OpenIncidentsAnswer;

/** Interval of the checks. Live hints announce only changed results. */
const CHECKED_MS = MINUTE_MS;

/** Loads the figures of a period with the last results. Keeps showing the previous period until they arrive. */
export const useMetrics = (id: number, period: Metrics['period'], enabled = true) =>
  useRead(
    'deployments',
    'GET /deployments/{id}/metrics',
    { params: { id }, query: { period } },
    {
      enabled,
      refetchInterval: CHECKED_MS,
      // The panel goes on to another deployment, whose figures are not those of the one before.
      placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
      retry: false,
    },
  );

/** Loads the incidents of the last 30 days and the reachability of each day. */
export const useIncidents = (id: number, enabled = true) =>
  useRead(
    'deployments',
    'GET /deployments/{id}/incidents',
    { params: { id } },
    { enabled, refetchInterval: CHECKED_MS, retry: false },
  );

/** Loads the open incidents of all deployments. */
export const useOpenIncidents = (query: RouteRequest<'GET /admin/incidents'>['query']) =>
  useRead(
    'admin-incidents',
    'GET /admin/incidents',
    { query },
    { refetchInterval: CHECKED_MS, placeholderData: (before) => before, retry: false },
  );
