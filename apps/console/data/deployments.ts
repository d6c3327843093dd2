import type { DeploymentAnswer, DeploymentSetupAnswer, RouteAnswer } from '@moorage/contracts';
import { CONSTANTS, type DeploymentStatus, groupOf, IN_FLIGHT, POLLED, type SupportLevel } from '@moorage/domain';
import { type QueryClient, replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from './api';
import { forgetRecent } from './recent';
import { type ListPage, newerOf, reloadsRecord, statusPollMs } from './refresh';
import { readKey, useRead } from './use-read';

export type Deployment = DeploymentAnswer;
export type DeploymentSizes = RouteAnswer<'GET /deployments/{id}/sizes'>;
export type ResizeQuote = RouteAnswer<'GET /deployments/{id}/resize'>;
export type SupportLevelQuote = RouteAnswer<'GET /deployments/{id}/support-level'>;

const recordKey = (id: number) => readKey('deployments', 'GET /deployments/{id}', { params: { id } });
const progressKey = (id: number) => readKey('deployments', 'GET /deployments/{id}/progress', { params: { id } });
const dnsKey = (id: number) => readKey('deployments', 'GET /deployments/{id}/dns', { params: { id } });

const setupKey = (id: number) => readKey('deployments', 'GET /deployments/{id}/setup', { params: { id } });

const UNPAID_ENDINGS = 'GET /deployments/unpaid-endings';
export const unpaidEndingsKey = readKey('deployments', UNPAID_ENDINGS, {});

/** Loads the deployments that ended because the balance ran out, until they are dismissed. */
export const useUnpaidEndings = () => useRead('deployments', UNPAID_ENDINGS, {}, { retry: false });

const REACHABILITY_POLL_MS = 2 * 60_000;

/** Loads a deployment. Shows the row of the list until the response arrives. */
export function useDeployment(id: number, row: Deployment | undefined) {
  return useRead(
    'deployments',
    'GET /deployments/{id}',
    { params: { id } },
    {
      structuralSharing: (shown, answer) =>
        replaceEqualDeep(shown, newerOf(shown as Deployment | undefined, answer as Deployment)),
      // Live hints report only changed check results, and the details show the time of the last check.
      refetchInterval: ({ state: { data } }) => (data?.reachability == null ? false : REACHABILITY_POLL_MS),
      placeholderData: row,
    },
  );
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
    queryKey: [...readKey('deployments', 'GET /deployments/{id}/status', { params: { id } }), status],
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
    void client.invalidateQueries({ queryKey: progressKey(id) });
    void client.invalidateQueries({ queryKey: dnsKey(id) });
    // The deployment is now running or will never cost anything.
    void client.invalidateQueries({ queryKey: readKey('billing', 'GET /billing/runway', {}) });
    if (reloadsRecord(status, found)) void client.invalidateQueries({ queryKey: recordKey(id) });
  }, [client, data, id, status]);
}

/**
 * Follows the setup of a deployment. One answer brings the record, the progress and the DNS records, and updates them
 * wherever they are cached. Returns false without a setup, or if the answer failed and each part loads by itself.
 */
function useSetup(id: number, status: DeploymentStatus | undefined): boolean {
  const client = useQueryClient();
  const isSetUp = status !== undefined && POLLED.includes(status);
  const { isError } = useQuery({
    queryKey: setupKey(id),
    queryFn: async ({ signal }) => {
      const answer = await api('GET /deployments/{id}/setup', { params: { id }, signal });
      // The removal of a deployment cancels what was requested before it.
      signal.throwIfAborted();
      showSetup(client, id, answer);
      return answer;
    },
    enabled: isSetUp,
    refetchInterval: CONSTANTS.statusPollMs,
    retry: false,
  });
  return isSetUp && !isError;
}

/** Returns the key of the answer that updates a deployment everywhere while its setup is followed, or null. */
export function followedKey(client: QueryClient, id: number): readonly unknown[] | null {
  const queryKey = setupKey(id);
  const query = client.getQueryCache().find({ queryKey });
  return query?.isActive() === true && query.state.status !== 'error' ? queryKey : null;
}

/** Shows a new deployment, and reloads the lists. */
export function showOrdered(client: QueryClient, deployment: Deployment): void {
  client.setQueryData(recordKey(deployment.id), deployment);
  reloadLists(client);
}

function reloadLists(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['deployments', 'getList'] });
  void client.invalidateQueries({ queryKey: readKey('deployments', 'GET /deployments/counts').slice(0, 3) });
}

/** Returns whether this deployment is being set up, and its setup brings the record. */
export function isBroughtBySetup(client: QueryClient, id: number): boolean {
  const status = client.getQueryData<Deployment>(recordKey(id))?.status;
  return status !== undefined && POLLED.includes(status) && client.getQueryState(setupKey(id))?.status !== 'error';
}

/** Tabs of the list that a deployment is in, as far as a setup changes them. */
const tabsOf = ({ status, progress }: Deployment): string =>
  [groupOf(status), progress?.action_required === true].join(' ');

function showSetup(client: QueryClient, id: number, { deployment, progress, dns }: DeploymentSetupAnswer): void {
  const before = client.getQueryData<Deployment>(recordKey(id));
  if (before !== undefined && newerOf(before, deployment) === before) return;
  client.setQueryData(recordKey(id), deployment);
  client.setQueryData(progressKey(id), progress);
  if (dns !== null) client.setQueryData(dnsKey(id), dns);
  patchDeployment(client, id, deployment);
  if (before === undefined || tabsOf(before) !== tabsOf(deployment)) reloadLists(client);
}

/** Loads the live timeline. Live hints trigger a reload, and it polls while work is in progress. */
export function useProgress(id: number, status: DeploymentStatus | undefined) {
  const isInFlight = status !== undefined && IN_FLIGHT.includes(status);
  const isBrought = useSetup(id, status);
  return useRead(
    'deployments',
    'GET /deployments/{id}/progress',
    { params: { id } },
    { enabled: !isBrought, refetchInterval: isInFlight ? CONSTANTS.statusPollMs : false, retry: false },
  );
}

const DNS_POLL_MS = 10_000;

/** Loads the DNS records and what each resolver returns. Polls while the deployment waits for them. */
export function useDns(
  { id, status }: Pick<Deployment, 'id' | 'status'>,
  { hasDomain, waits }: { hasDomain: boolean; waits: boolean },
) {
  const isBrought = useSetup(id, status);
  return useRead(
    'deployments',
    'GET /deployments/{id}/dns',
    { params: { id } },
    { enabled: hasDomain && !isBrought, refetchInterval: waits ? DNS_POLL_MS : false, retry: false },
  );
}

/** Finds the DNS provider of a domain, by default the deployment's. */
export const useDnsProvider = (id: number, domain: string | null) =>
  useRead(
    'deployments',
    'GET /deployments/{id}/dns/provider',
    { params: { id }, query: domain === null ? {} : { domain } },
    { retry: false, refetchOnWindowFocus: false },
  );

export const domainsKey = (id: number) => readKey('deployments', 'GET /deployments/{id}/domains', { params: { id } });

/** Loads the domains of a deployment, and reloads them while one is being set up or removed. */
export const useDomains = (id: number, enabled: boolean) =>
  useRead(
    'deployments',
    'GET /deployments/{id}/domains',
    { params: { id } },
    {
      enabled,
      retry: false,
      refetchInterval: ({ state }) =>
        state.data?.domains.some((one) => one.state === 'setting_up' || one.state === 'removing') === true
          ? DNS_POLL_MS
          : false,
    },
  );

/** Loads alternatives for ordering a deployment after its size or region was refused. */
export const useAlternatives = (id: number, enabled = true) =>
  useRead('deployments', 'GET /deployments/{id}/alternatives', { params: { id } }, { enabled, retry: false });

/** Loads the values of the package. */
export const useConfiguration = (id: number) =>
  useRead('deployments', 'GET /deployments/{id}/configuration', { params: { id } });

/** Loads the price of a support level. Null disables the query. */
export const useLevelQuote = (id: number, level: SupportLevel | null) =>
  useRead(
    'deployments',
    'GET /deployments/{id}/support-level',
    level === null ? null : { params: { id }, query: { level } },
    { retry: false, gcTime: 0 },
  );

/** Loads the sizes of the server's region. Each has its price or the reason why the server can't get it. */
export const useDeploymentSizes = (id: number) =>
  useRead('deployments', 'GET /deployments/{id}/sizes', { params: { id } }, { retry: false, gcTime: 0 });

/** Loads the effects of another size. Null disables the query. */
export const useResizeQuote = (id: number, wanted: { instance_type: string; grow_disk: boolean } | null) =>
  useRead(
    'deployments',
    'GET /deployments/{id}/resize',
    wanted === null
      ? null
      : { params: { id }, query: { ...wanted, grow_disk: wanted.grow_disk ? ('true' as const) : ('false' as const) } },
    { retry: false, gcTime: 0 },
  );

/** Updates fields of a deployment everywhere it is cached. */
export function patchDeployment(client: QueryClient, id: number, fields: Partial<Deployment>): void {
  client.setQueryData<Deployment>(recordKey(id), (record) =>
    record === undefined ? record : { ...record, ...fields },
  );
  client.setQueriesData<ListPage>({ queryKey: ['deployments', 'getList'] }, (page) =>
    page === undefined
      ? page
      : { ...page, data: page.data.map((row) => (row.id === id ? { ...row, ...fields } : row)) },
  );
}

/** Removes a deployment from every cached list, and from the recent records. */
export function forgetDeployment(client: QueryClient, id: number): void {
  client.setQueriesData<ListPage>({ queryKey: ['deployments', 'getList'] }, (page) => {
    if (page === undefined || !page.data.some((row) => row.id === id)) return page;
    const total = page.total === undefined ? undefined : page.total - 1;
    return { ...page, data: page.data.filter((row) => row.id !== id), total };
  });
  forgetRecent({ kind: 'deployment', id });
}
