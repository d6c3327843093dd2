import type { AlternativeAnswer, DeletedDeployment, DeploymentAnswer, RouteAnswer } from '@moorage/contracts';
import {
  ACTIVE_DEPLOYMENT,
  CONSTANTS,
  type DeploymentStatus,
  type Draft,
  IN_FLIGHT,
  type SupportLevel,
} from '@moorage/domain';
import { type QueryClient, replaceEqualDeep, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type ListPage, newerOf, reloadsRecord, statusPollMs } from '../deployments/refresh';
import { api } from './api';
import { forgetRecent } from './recent';
import { sendOnce } from './request-key';
import { currentSession } from './session';

export type Deployment = DeploymentAnswer;

export type DeploymentCounts = RouteAnswer<'GET /deployments/counts'>;
export type SupportLevelQuote = RouteAnswer<'GET /deployments/{id}/support-level'>;

/** Keys begin with what a live hint is about (`keysOf`). */
const keys = {
  record: (id: number) => ['deployment', id, 'record'] as const,
  status: (id: number) => ['deployment', id, 'status'] as const,
  progress: (id: number) => ['deployment', id, 'progress'] as const,
  dns: (id: number) => ['deployment', id, 'dns'] as const,
  alternatives: (id: number) => ['deployment', id, 'alternatives'] as const,
  log: (id: number) => ['deployment', id, 'log'] as const,
  quote: (id: number, level: number) => ['deployment', id, 'quote', level] as const,
};

export function useDeploymentCounts(filter: { search: string; user: string }, refreshMs: number | false) {
  return useQuery({
    queryKey: ['deployments', 'counts', filter],
    queryFn: ({ signal }) => api('GET /deployments/counts', { query: filter, signal }),
    placeholderData: (before) => before,
    refetchInterval: refreshMs,
    retry: false,
  });
}

const SAME_DOMAIN_MAX = 20;

/** Returns the account's own active deployments that have this address. */
export function useDeploymentsAt({ domain, subdomain }: { domain: string; subdomain: string }) {
  const own = currentSession()?.user?.id;
  return useQuery({
    queryKey: ['deployments', 'at', domain, subdomain],
    enabled: domain !== '',
    queryFn: ({ signal }) =>
      api('GET /deployments', { query: { search: domain, page: 1, per_page: SAME_DOMAIN_MAX }, signal }),
    select: (found) =>
      found.filter(
        (one) =>
          one.user_id === own &&
          one.domain === domain &&
          (one.admin_subdomain ?? '') === subdomain &&
          ACTIVE_DEPLOYMENT.includes(one.status),
      ),
  });
}

/** Those that the end of the money has ended, until they are dismissed. */
export function useUnpaidEndings() {
  return useQuery({
    queryKey: ['deployments', 'unpaid-endings'],
    queryFn: ({ signal }) => api('GET /deployments/unpaid-endings', { signal }),
    retry: false,
  });
}

export function useDismissEnding() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api('POST /deployments/{id}/dismiss-ending', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['deployments', 'unpaid-endings'] }),
  });
}

/** For an act that needs the whole record once. */
export const readDeployment = (id: number) => api('GET /deployments/{id}', { params: { id } });

const REACHABILITY_LOOK_MS = 2 * 60_000;

/** One deployment; the row of the list stands in until the answer has come. */
export function useDeployment(id: number, row: Deployment | undefined) {
  return useQuery({
    queryKey: keys.record(id),
    queryFn: ({ signal }) => api('GET /deployments/{id}', { params: { id }, signal }),
    structuralSharing: (shown, answer) =>
      replaceEqualDeep(shown, newerOf(shown as Deployment | undefined, answer as Deployment)),
    // checks tell only what has changed, and the details say when the last one was
    refetchInterval: ({ state: { data } }) => (data?.reachability == null ? false : REACHABILITY_LOOK_MS),
    placeholderData: row,
  });
}

/**
 * The poll of a single deployment while it is being set up (specification section 4): every 5 seconds; a failed poll or
 * another status ends it. What it finds is shown at once; some statuses make the whole record be loaded again.
 */
export function useStatusPoll(id: number, record: Deployment | undefined): void {
  const client = useQueryClient();
  const status = record?.status;
  const { data } = useQuery({
    // a key per status: what was found before it changed says nothing about the next
    queryKey: [...keys.status(id), status],
    queryFn: ({ signal }) => api('GET /deployments/{id}/status', { params: { id }, signal }),
    enabled: statusPollMs(status, false) !== false,
    refetchInterval: ({ state }) => statusPollMs(status, state.status === 'error'),
    refetchOnWindowFocus: false,
    retry: false,
    // the record has just come, so the first look is due in five seconds and not at once
    initialData: record,
    staleTime: CONSTANTS.statusPollMs,
    gcTime: 0,
  });
  useEffect(() => {
    if (data === undefined || status === undefined || data.status === status) return;
    const { status: found, failure_reason, failure, deleted_at, instance_ip, vps_ip_address, version } = data;
    patchDeployment(client, id, {
      status: found,
      failure_reason,
      failure,
      deleted_at,
      instance_ip,
      vps_ip_address,
      version,
    });
    void client.invalidateQueries({ queryKey: keys.progress(id) });
    void client.invalidateQueries({ queryKey: keys.dns(id) });
    // what was on its way runs, or will never cost anything
    void client.invalidateQueries({ queryKey: ['runway'] });
    if (reloadsRecord(status, found)) void client.invalidateQueries({ queryKey: keys.record(id) });
  }, [client, data, id, status]);
}

/** The live timeline: hints bring what is new; while something is at work it is also asked for. */
export function useProgress(id: number, status: DeploymentStatus | undefined) {
  const inFlight = status !== undefined && IN_FLIGHT.includes(status);
  return useQuery({
    queryKey: keys.progress(id),
    queryFn: ({ signal }) => api('GET /deployments/{id}/progress', { params: { id }, signal }),
    refetchInterval: inFlight ? CONSTANTS.statusPollMs : false,
    retry: false,
  });
}

const DNS_LOOK_MS = 10_000;

/** The records and what each resolver sees; looks again by itself while they are waited for. */
export function useDns(id: number, { hasDomain, waits }: { hasDomain: boolean; waits: boolean }) {
  return useQuery({
    queryKey: keys.dns(id),
    queryFn: ({ signal }) => api('GET /deployments/{id}/dns', { params: { id }, signal }),
    enabled: hasDomain,
    refetchInterval: waits ? DNS_LOOK_MS : false,
    retry: false,
  });
}

/** Places where a deployment can be ordered again after its size or region was refused. */
export function useAlternatives(id: number, enabled = true) {
  return useQuery({
    queryKey: keys.alternatives(id),
    queryFn: ({ signal }) => api('GET /deployments/{id}/alternatives', { params: { id }, signal }),
    enabled,
    retry: false,
  });
}

/** Orders it again in one of these places, at the price that was shown. */
export function useRetryElsewhere(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ region, instance_type, hourly_cost }: AlternativeAnswer) => {
      const body = { region, instance_type, expected_hourly_cost: hourly_cost };
      return sendOnce({ target: `retry ${id}`, content: body }, (idempotencyKey) =>
        api('POST /deployments/{id}/retry', { params: { id }, body, idempotencyKey }),
      );
    },
    onSuccess: () => {
      for (const queryKey of [['deployments'], ['runway'], ['balance']]) void client.invalidateQueries({ queryKey });
    },
    // what was shown is not what there is
    onError: () => client.invalidateQueries({ queryKey: keys.alternatives(id) }),
  });
}

export function useStepLog(id: number, enabled: boolean) {
  return useQuery({
    queryKey: keys.log(id),
    queryFn: ({ signal }) => api('GET /deployments/{id}/steps', { params: { id }, signal }),
    enabled,
    retry: false,
  });
}

export function useLevelQuote(id: number, level: SupportLevel | null) {
  return useQuery({
    queryKey: keys.quote(id, level ?? 0),
    queryFn: ({ signal }) =>
      api('GET /deployments/{id}/support-level', { params: { id }, query: { level: level ?? 1 }, signal }),
    enabled: level !== null,
    retry: false,
    gcTime: 0,
  });
}

/** Fields of one deployment, wherever it is shown. */
export function patchDeployment(client: QueryClient, id: number, fields: Partial<Deployment>): void {
  client.setQueryData<Deployment>(keys.record(id), (record) =>
    record === undefined ? record : { ...record, ...fields },
  );
  client.setQueriesData<ListPage>({ queryKey: ['deployments', 'getList'] }, (page) =>
    page === undefined
      ? page
      : { ...page, data: page.data.map((row) => (row.id === id ? { ...row, ...fields } : row)) },
  );
}

/** Takes one deployment off every list. */
export function forgetDeployment(client: QueryClient, id: number): void {
  client.setQueriesData<ListPage>({ queryKey: ['deployments', 'getList'] }, (page) => {
    if (page === undefined || !page.data.some((row) => row.id === id)) return page;
    const total = page.total === undefined ? undefined : page.total - 1;
    return { ...page, data: page.data.filter((row) => row.id !== id), total };
  });
}

function refreshAll(client: QueryClient, id: number): void {
  void client.invalidateQueries({ queryKey: ['deployments'] });
  void client.invalidateQueries({ queryKey: ['deployment', id] });
}

/** Retry and restart: the entry shows the answer at once, and everything is looked at again a moment later. */
function useRepair(
  id: number,
  route: 'POST /deployments/{id}/restart' | 'POST /deployments/{id}/retry-dns-validation',
  refreshMs: number,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api(route, { params: { id } }),
    onSuccess: (answer) => {
      patchDeployment(client, id, answer);
      setTimeout(() => refreshAll(client, id), refreshMs);
    },
  });
}

export const useRetryDns = (id: number) =>
  useRepair(id, 'POST /deployments/{id}/retry-dns-validation', CONSTANTS.dnsRetryRefreshMs);
export const useRestart = (id: number) => useRepair(id, 'POST /deployments/{id}/restart', CONSTANTS.restartRefreshMs);

const removalOf = (id: number) => ['deployment-removal', id] as const;

/**
 * Whether this tab is removing the deployment or has taken it off every list: a hint may come before the answer, and
 * there may be nothing left to ask for.
 */
export function isBeingRemoved(client: QueryClient, id: number): boolean {
  return client
    .getMutationCache()
    .findAll({ mutationKey: removalOf(id), exact: true })
    .some(
      ({ state }) => state.status === 'pending' || 'message' in ((state.data as DeletedDeployment | undefined) ?? {}),
    );
}

/** `reason`: why staff removes a customer's deployment. */
export type Removal = { readonly way: 'cancel' } | { readonly way: 'remove'; readonly reason: string | null };

/** Cancels, deactivates or deletes: an answer with a message takes the entry off the list, another one marks it. */
export function useRemoveDeployment(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: removalOf(id),
    mutationFn: (asked: Removal): Promise<DeletedDeployment> =>
      sendOnce({ target: `removal ${id}`, content: asked }, (idempotencyKey) => {
        const request = { params: { id }, idempotencyKey };
        return asked.way === 'cancel'
          ? api('POST /deployments/{id}/cancel', request)
          : api('DELETE /deployments/{id}', { ...request, query: { reason: asked.reason } });
      }),
    onSuccess: async (answer, { way }) => {
      // this answer has no version: what was asked for before it is older, and must not come after it
      await Promise.all([['deployments'], keys.record(id)].map((queryKey) => client.cancelQueries({ queryKey })));
      if ('message' in answer) {
        forgetDeployment(client, id);
        forgetRecent({ kind: 'deployment', id });
      } else {
        const { status, deleted_at } = answer;
        patchDeployment(client, id, {
          status,
          deleted_at,
          ...(way === 'cancel' ? { cancelling: true } : { progress: null }),
        });
      }
      for (const queryKey of [['deployments'], ['runway'], ['balance'], ['transactions'], ['credits']])
        void client.invalidateQueries({ queryKey });
      if ('message' in answer) return;
      for (const queryKey of [keys.record(id), keys.progress(id)]) void client.invalidateQueries({ queryKey });
    },
  });
}

export function useChangeLevel(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ level, reason }: { level: SupportLevel; reason: string | null }) => {
      const body = { support_level: level, ...(reason === null ? {} : { reason }) };
      return sendOnce({ target: `level ${id}`, content: body }, (idempotencyKey) =>
        api('PATCH /deployments/{id}', { params: { id }, body, idempotencyKey }),
      );
    },
    onSuccess: (answer) => {
      patchDeployment(client, id, answer);
      for (const queryKey of [['deployment', id], ['runway'], ['balance'], ['transactions'], ['credits']])
        void client.invalidateQueries({ queryKey });
    },
  });
}

/** What is shown at once and costs nothing: a name, a lock, a domain. */
function useChange<Change>(id: number, send: (change: Change) => Promise<Deployment>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      patchDeployment(client, id, answer);
      for (const queryKey of [['deployments'], ['deployment', id]]) void client.invalidateQueries({ queryKey });
    },
  });
}

export const useRename = (id: number) =>
  useChange(id, (name: string) => api('PUT /deployments/{id}/name', { params: { id }, body: { name } }));
export const useSetDeletionLock = (id: number) =>
  useChange(id, (locked: boolean) => api('PUT /deployments/{id}/deletion-lock', { params: { id }, body: { locked } }));
export const useChangeDomain = (id: number) =>
  useChange(id, (domain: string) => api('PUT /deployments/{id}/domain', { params: { id }, body: { domain } }));

export type Secret = RouteAnswer<'POST /deployments/{id}/reveal-secrets'>['secrets'][number];

/** Each call is recorded; nothing of the answer is kept beyond the screen that asked. */
export function useRevealSecrets(id: number) {
  return useMutation({
    mutationFn: () => api('POST /deployments/{id}/reveal-secrets', { params: { id } }),
    gcTime: 0,
  });
}

/** The draft with the names and the database fields that come with it (decisions 24, 25). */
export type OrderBody = Draft & {
  readonly client_name: string;
  readonly client_id: string;
  readonly postgres_host: string | null;
  readonly github_repo: string;
  /** What was shown: at another price nothing is ordered. */
  readonly expected_hourly_cost?: number;
};

/** The same key is the same order, however often it is sent. */
export function createDeployment(body: OrderBody, idempotencyKey: string) {
  return api('POST /deployments', { body, idempotencyKey });
}
