import type { DeletedDeployment } from '@moorage/contracts';
import { partialMatchKey, type QueryClient } from '@tanstack/react-query';
import { isBroughtBySetup } from './deployments';

/**
 * Reloads once what begins with any of these keys, except deployments that this tab is removing or has taken off every
 * list. Their removal reloads what is left of them. The poll of a status has its own pace, and its record is reloaded
 * beside it. A setup brings its record.
 */
export function reload(client: QueryClient, keys: readonly (readonly unknown[])[]): void {
  const removed = removedDeployments(client);
  const isLeftAlone = ([resource, id, route]: readonly unknown[]): boolean =>
    resource === 'deployments' &&
    (removed.has(id) ||
      route === 'GET /deployments/{id}/status' ||
      (route === 'GET /deployments/{id}' && isBroughtBySetup(client, id as number)));
  void client.invalidateQueries({
    predicate: ({ queryKey }) => keys.some((key) => partialMatchKey(queryKey, key)) && !isLeftAlone(queryKey),
  });
}

function removedDeployments(client: QueryClient): ReadonlySet<unknown> {
  const cache = client.getMutationCache();
  const removals = ['remove', 'cancel'].flatMap((name) => cache.findAll({ mutationKey: ['deployments', name] }));
  return new Set(
    removals.flatMap(({ state: { status, data, variables } }) => {
      const isGone = status === 'pending' || 'message' in ((data as DeletedDeployment | undefined) ?? {});
      const { params } = variables as { readonly params: { readonly id: number } };
      return isGone ? [params.id] : [];
    }),
  );
}
