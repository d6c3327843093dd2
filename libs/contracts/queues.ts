import { z } from 'zod';
import type { Call } from './call';

export const queueSession = z
  .object({
    /** Path of the queue board on this installation. The cookie of this response grants access to it. */
    path: z.string(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'QueueSession' });

export const QUEUES_CALLS = {
  session: {
    operation: 'openQueueBoard',
    method: 'POST',
    path: '/admin/queues/session',
    summary: 'Start a session of the queue board',
    description: "Grants an administrator's browser access for ten minutes.",
    access: 'admin',
    session_only: true,
    status: 201,
    answer: queueSession,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Call>;
