import { type QueryClient, useQueryClient } from '@tanstack/react-query';
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
      return [readKey('deployments', 'GET /deployments/{id}/progress', { params: { id } })];
    case 'balance':
      return [['billing'], ['own-referrals']];
    case 'account':
      return [['account'], ['activity']];
    case 'support':
      return [['support'], ['conversations']];
  }
}

/** Time in which further changes are collected before what they affect is reloaded again. */
const COLLECTED_MS = 1_000;

/**
 * Returns a function that takes hints. The first reloads at once, and those of the following second together when it is
 * over, because a deployment that is being set up changes many times a second.
 */
function collector(client: QueryClient): { take: (hint: Hint) => void; stop: () => void } {
  let waiting = new Map<string, Hint>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    if (waiting.size === 0) return;
    const hints = [...waiting.values()];
    waiting = new Map();
    timer = setTimeout(flush, COLLECTED_MS);
    const keys = new Map(hints.flatMap(keysOf).map((key) => [JSON.stringify(key), key]));
    for (const key of keys.values()) reload(client, key);
    if (hints.some(({ kind }) => kind === 'account')) void loadUser().catch(() => undefined);
  };
  return {
    take(hint) {
      waiting.set(`${hint.kind}:${hint.id}`, hint);
      if (timer === undefined) flush();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Reloads changed data while the console is open. */
export function LiveHints() {
  const client = useQueryClient();
  useEffect(() => {
    const { take, stop } = collector(client);
    const close = openLive({ onHint: take, onReconnected: () => void client.invalidateQueries() });
    return () => {
      close();
      stop();
    };
  }, [client]);
  return null;
}
