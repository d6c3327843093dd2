import type { DeletedDeployment } from '@moorage/contracts';
import type { QueryClient } from '@tanstack/react-query';

/**
 * Reloads what begins with this key, except deployments that this tab is removing or has taken off every list. Their
 * removal reloads what is left of them. The poll of a status has its own pace, and its record is reloaded beside it.
 */
export function reload(client: QueryClient, queryKey: readonly unknown[]): void {
  const removed = removedDeployments(client);
  void client.invalidateQueries({
    queryKey,
    predicate: ({ queryKey: [resource, id, route] }) =>
      resource !== 'deployments' || !(removed.has(id) || route === 'GET /deployments/{id}/status'),
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
