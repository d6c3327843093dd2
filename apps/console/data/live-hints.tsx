import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Hint, openLive } from './live';
import { loadUser } from './account';
import { reload } from './reload';
import { readKey } from './use-read';

/** Returns the query keys affected by a hint. react-admin's own keys begin with the resource's name. */
export function keysOf({ kind, id }: Hint): readonly (readonly unknown[])[] {
  switch (kind) {
    case 'deployment':
      return [
        ['deployments', 'getList'],
        ['deployments', 'all'],
        ['deployments', id],
        ['admin-deployments'],
        ['admin-incidents'],
        ['releases'],
        ['activity'],
        readKey('billing', 'GET /billing/runway').slice(0, 3),
      ];
    case 'step':
      return [['deployments', id]];
    case 'balance':
      return [['billing'], ['own-referrals']];
    case 'account':
      return [['account'], ['activity']];
    case 'support':
      return [['support'], ['conversations']];
  }
}

/** Reloads changed data while the console is open. */
export function LiveHints() {
  const client = useQueryClient();
  useEffect(
    () =>
      openLive({
        onHint(hint) {
          for (const queryKey of keysOf(hint)) reload(client, queryKey);
          if (hint.kind === 'account') void loadUser().catch(() => undefined);
        },
        onReconnected: () => void client.invalidateQueries(),
      }),
    [client],
  );
  return null;
}
