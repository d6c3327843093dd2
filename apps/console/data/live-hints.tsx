import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Hint, openLive } from './live';
import { loadUser } from './account';
import { isBeingRemoved } from './deployments';

/** Query keys by what a hint is about; react-admin's own begin with the resource's name. */
export function keysOf({ kind, id }: Hint): readonly (readonly unknown[])[] {
  switch (kind) {
    case 'deployment':
      return [['deployments'], ['deployment', id], ['runway']];
    case 'step':
      return [['deployment', id]];
    case 'balance':
      return [['balance'], ['runway'], ['transactions'], ['credits']];
    case 'account':
      return [['account']];
    case 'support':
      return [['support']];
  }
}

/** While the console is open, what has changed is asked for again. */
export function LiveHints() {
  const client = useQueryClient();
  useEffect(
    () =>
      openLive({
        onHint(hint) {
          for (const queryKey of keysOf(hint)) {
            // whoever removes it looks again with the answer
            if (queryKey[0] === 'deployment' && isBeingRemoved(client, hint.id)) continue;
            void client.invalidateQueries({ queryKey });
          }
          if (hint.kind === 'account') void loadUser().catch(() => undefined);
        },
        onReconnected: () => void client.invalidateQueries(),
      }),
    [client],
  );
  return null;
}
