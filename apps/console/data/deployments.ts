import type { AlternativeAnswer, DeletedDeployment, DeploymentAnswer, RouteAnswer } from '@moorage/contracts';
import { CONSTANTS, type DeploymentStatus, IN_FLIGHT, type SupportLevel } from '@moorage/domain';
import { type QueryClient, replaceEqualDeep, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type ListPage, newerOf, reloadsRecord, statusPollMs } from './refresh';
import { api } from './api';
import { forgetRecent } from './recent';
import { sendOnce } from './request-key';

export type Deployment = DeploymentAnswer;

export type DeploymentCounts = RouteAnswer<'GET /deployments/counts'>;
export type SupportLevelQuote = RouteAnswer<'GET /deployments/{id}/support-level'>;

/** Query keys begin with the subject of a live hint (`keysOf`). */
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

/** Loads the deployments that ended because the balance ran out, until they are dismissed. */
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

const REACHABILITY_POLL_MS = 2 * 60_000;

/** Loads a deployment. Shows the row of the list until the response arrives. */
export function useDeployment(id: number, row: Deployment | undefined) {
  return useQuery({
    queryKey: keys.record(id),
    queryFn: ({ signal }) => api('GET /deployments/{id}', { params: { id }, signal }),
    structuralSharing: (shown, answer) =>
      replaceEqualDeep(shown, newerOf(shown as Deployment | undefined, answer as Deployment)),
    // Live hints report only changed check results, and the details show the time of the last check.
    refetchInterval: ({ state: { data } }) => (data?.reachability == null ? false : REACHABILITY_POLL_MS),
    placeholderData: row,
  });
}

/**
 * Polls the status of a deployment every 5 seconds while it is being set up (specification section 4). A failed poll or
 * another status ends it. Results show immediately. Some statuses reload the full record.
 */
export function useStatusPoll(id: number, record: Deployment | undefined): void {
  const client = useQueryClient();
  const status = record?.status;
  const { data } = useQuery({
    // A key per status, because results from before a change do not apply to the next status.
    queryKey: [...keys.status(id), status],
    queryFn: ({ signal }) => api('GET /deployments/{id}/status', { params: { id }, signal }),
    enabled: statusPollMs(status, false) !== false,
    refetchInterval: ({ state }) => statusPollMs(status, state.status === 'error'),
    refetchOnWindowFocus: false,
    retry: false,
    // The record has just loaded, so the first poll is due after five seconds.
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
    // The deployment is now running or will never cost anything.
    void client.invalidateQueries({ queryKey: ['billing', 'runway'] });
    if (reloadsRecord(status, found)) void client.invalidateQueries({ queryKey: keys.record(id) });
  }, [client, data, id, status]);
}

/** Loads the live timeline. Live hints trigger a reload, and it polls while work is in progress. */
export function useProgress(id: number, status: DeploymentStatus | undefined) {
  const inFlight = status !== undefined && IN_FLIGHT.includes(status);
  return useQuery({
    queryKey: keys.progress(id),
    queryFn: ({ signal }) => api('GET /deployments/{id}/progress', { params: { id }, signal }),
    refetchInterval: inFlight ? CONSTANTS.statusPollMs : false,
    retry: false,
  });
}

const DNS_POLL_MS = 10_000;

/** Loads the DNS records and what each resolver returns. Polls while the deployment waits for them. */
export function useDns(id: number, { hasDomain, waits }: { hasDomain: boolean; waits: boolean }) {
  return useQuery({
    queryKey: keys.dns(id),
    queryFn: ({ signal }) => api('GET /deployments/{id}/dns', { params: { id }, signal }),
    enabled: hasDomain,
    refetchInterval: waits ? DNS_POLL_MS : false,
    retry: false,
  });
}

/** Loads alternatives for ordering a deployment after its size or region was refused. */
export function useAlternatives(id: number, enabled = true) {
  return useQuery({
    queryKey: keys.alternatives(id),
    queryFn: ({ signal }) => api('GET /deployments/{id}/alternatives', { params: { id }, signal }),
    enabled,
    retry: false,
  });
}

/** Orders the deployment again in the chosen place, at the price shown. */
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
      for (const queryKey of [['deployments'], ['billing']]) void client.invalidateQueries({ queryKey });
    },
    // The alternatives shown are stale.
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

/** Updates fields of a deployment everywhere it is cached. */
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

/** Removes a deployment from every cached list. */
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

/** Runs a retry or restart. Shows the response immediately and reloads everything a moment later. */
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
 * Returns whether this tab is removing the deployment or has taken it off every list. A hint may arrive before the
 * response, and there may be nothing left to load.
 */
export function isBeingRemoved(client: QueryClient, id: number): boolean {
  return client
    .getMutationCache()
    .findAll({ mutationKey: removalOf(id), exact: true })
    .some(
      ({ state }) => state.status === 'pending' || 'message' in ((state.data as DeletedDeployment | undefined) ?? {}),
    );
}

/** Kind of removal. `reason` is set when staff removes a customer's deployment. */
export type Removal = { readonly way: 'cancel' } | { readonly way: 'remove'; readonly reason: string | null };

/**
 * Cancels, deactivates or deletes a deployment. A response with a message takes it off the list. Otherwise it is
 * updated.
 */
export function useRemoveDeployment(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: removalOf(id),
    mutationFn: (requested: Removal): Promise<DeletedDeployment> =>
      sendOnce({ target: `removal ${id}`, content: requested }, (idempotencyKey) => {
        const request = { params: { id }, idempotencyKey };
        return requested.way === 'cancel'
          ? api('POST /deployments/{id}/cancel', request)
          : api('DELETE /deployments/{id}', { ...request, query: { reason: requested.reason } });
      }),
    onSuccess: async (answer, { way }) => {
      // This response has no version. A request sent earlier is older and must not overwrite it.
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
      for (const queryKey of [['deployments'], ['billing']]) void client.invalidateQueries({ queryKey });
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
      for (const queryKey of [['deployment', id], ['billing']]) void client.invalidateQueries({ queryKey });
    },
  });
}

/** Applies a change that is immediate and free, such as a name, a lock or a domain. */
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

/** Reveals the secrets. Every call is audited, and nothing of the response is cached. */
export function useRevealSecrets(id: number) {
  return useMutation({
    mutationFn: () => api('POST /deployments/{id}/reveal-secrets', { params: { id } }),
    gcTime: 0,
  });
}
