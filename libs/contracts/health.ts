import { z } from 'zod';
import type { Call } from './call';

export const HEALTH_CALLS = {
  live: {
    method: 'GET',
    path: '/health/live',
    summary: 'The process answers',
    access: 'public',
    without_client_key: true,
    status: 200,
    answer: z.object({ status: z.literal('live') }),
    errors: [],
  },
  ready: {
    method: 'GET',
    path: '/health/ready',
    summary: 'The process can serve: its database answers and has the schema it was built for',
    access: 'public',
    without_client_key: true,
    status: 200,
    answer: z.object({ status: z.literal('ready'), schema: z.string() }),
    errors: ['SERVICE_UNAVAILABLE'],
  },
  docs: {
    method: 'GET',
    path: '/docs-json',
    summary: 'This documentation, OpenAPI 3.1',
    access: 'public',
    without_client_key: true,
    status: 200,
    answer: z.looseObject({ openapi: z.string() }),
    errors: [],
  },
} as const satisfies Record<string, Call>;
