import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Hint, openLive } from './live';
import { loadUser } from './account';
import { followedKey } from './deployments';
import { reload } from './reload';
import { readKey } from './use-read';

/** Returns the query keys affected by a hint. react-admin's own keys begin with the resource's name. */
export function keysOf({ kind, id }: Hint): readonly (readonly unknown[])[] {
  switch (kind) {
    case 'deployment':
      return [
        ['deployments', 'getList'],
        ['deployments', 'all'],
        ...aboutOne(id),
        readKey('billing', 'GET /billing/runway').slice(0, 3),
      ];
    case 'step':
      return [readKey('deployments', 'GET /deployments/{id}/progress', { params: { id } })];
    case 'balance':
      return [['billing'], ['own-referrals']];
    case 'account':
      return [['account'], ['activity']];
    case 'support':
      return [['support'], ['conversations'], readKey('platform', 'GET /admin/counts').slice(0, 3)];
  }
}

/** Returns the query keys of one deployment, and of what else shows deployments besides the list. */
const aboutOne = (id: number): readonly (readonly unknown[])[] => [
  ['deployments', id],
  ['admin-deployments'],
  ['admin-incidents'],
  ['releases'],
  ['activity'],
];

/**
 * Returns the query keys to reload. A setup that this tab follows brings its own row and reloads the list itself, and
 * its changes of status also send a hint about the balance.
 */
function keysFor(client: QueryClient, hint: Hint): readonly (readonly unknown[])[] {
  const { kind, id } = hint;
  const followed = kind === 'deployment' || kind === 'step' ? followedKey(client, id) : null;
  if (followed === null) return keysOf(hint);
  return kind === 'step' ? [followed] : aboutOne(id);
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
    reload(
      client,
      hints.flatMap((hint) => keysFor(client, hint)),
    );
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
