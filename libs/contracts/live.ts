import { z } from 'zod';
import type { Call } from './call';

/** What a browser is told: something of this kind has changed, look again if you show it. Never the thing itself. */
export const hint = z.object({
  kind: z.enum(['deployment', 'step', 'balance', 'account', 'support']),
  id: z.int(),
  /** Grows with the thing; an answer older than it is stale. */
  version: z.int(),
});
export type Hint = z.infer<typeof hint>;

export const LIVE_CALLS = {
  live: {
    operation: 'streamChanges',
    method: 'GET',
    path: '/live',
    summary: 'Stream changes',
    description: 'Server-sent events `{kind, id, version}`. Read them with `fetch` and the `Authorization` header.',
    access: 'user',
    status: 200,
    answer: null,
    errors: ['SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, Call>;
