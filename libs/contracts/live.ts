import { z } from 'zod';
import type { Call } from './call';

/**
 * Notifies a browser that a resource has changed and should be fetched again if it is shown. It never contains the
 * resource.
 */
export const hint = z.object({
  kind: z.enum(['deployment', 'step', 'balance', 'account', 'support']),
  id: z.int(),
  /** Increases with each change of the resource. A response with a lower version is stale. */
  version: z.int(),
});
export type Hint = z.infer<typeof hint>;

export const LIVE_CALLS = {
  live: {
    operation: 'streamChanges',
    method: 'GET',
    path: '/live',
    summary: 'Stream changes',
    description:
      'Server-sent events of the form `{kind, id, version}`. Read them with `fetch` and the `Authorization` header.',
    access: 'user',
    status: 200,
    answer: null,
    errors: ['SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, Call>;
