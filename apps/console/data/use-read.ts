import type { Route, RouteAnswer, RouteRequest } from '@moorage/contracts';
import { queryOptions, skipToken, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { api } from './api';
import type { ResourceName } from './resource-names';

/** Route that only reads. */
type ReadRoute = Extract<Route, `GET ${string}`>;

type Options<R extends ReadRoute, Data> = Pick<
  UseQueryOptions<RouteAnswer<R>, Error, Data>,
  | 'enabled'
  | 'gcTime'
  | 'initialData'
  | 'placeholderData'
  | 'refetchInterval'
  | 'refetchOnWindowFocus'
  | 'retry'
  | 'select'
  | 'staleTime'
  | 'structuralSharing'
>;

/** Request of a route. Optional if the route needs none, and null if it cannot be sent yet. */
type Given<R extends Route> =
  Record<never, never> extends RouteRequest<R> ? [request?: RouteRequest<R> | null] : [request: RouteRequest<R> | null];

/**
 * Returns the query key of a call: its resource, the ID of its record or `all`, the route, and the request. A prefix
 * selects everything about a resource or a record.
 */
export function readKey<R extends ReadRoute>(resource: ResourceName, route: R, ...[request]: Given<R>) {
  const { id = 'all' } = (request?.params ?? {}) as { readonly id?: string | number };
  // Null is a key of its own, so that a query that waits for its request shows no other answer.
  return [resource, id, route, request === undefined ? {} : request] as const;
}

/** Returns the query of a call, for prefetching and for lists of queries. */
export function readQuery<R extends ReadRoute>(resource: ResourceName, route: R, ...given: Given<R>) {
  const [request] = given;
  const call = api as unknown as (route: R, request: object) => Promise<RouteAnswer<R>>;
  return queryOptions({
    queryKey: readKey(resource, route, ...given),
    queryFn: request === null ? skipToken : ({ signal }) => call(route, { ...request, signal }),
  });
}

/** Parts of a page that appear one after the other share an answer. */
const SHARED_MS = 2_000;

/**
 * Loads what a call returns, cached under its resource. Sends nothing while `request` is null. The answer is reloaded
 * when an action changes the resource and when a live hint names it.
 */
export function useRead<R extends ReadRoute, Data = RouteAnswer<R>>(
  resource: ResourceName,
  route: R,
  request: RouteRequest<R> | null,
  options: Options<R, Data> = {},
) {
  return useQuery({
    ...readQuery(resource, route, request as never),
    staleTime: SHARED_MS,
    ...options,
  } as UseQueryOptions<RouteAnswer<R>, Error, Data>);
}
