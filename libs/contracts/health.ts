import { z } from 'zod';
import type { Call } from './call';

const instant = z.iso.datetime();

/** What operators are told of; which kinds there are, and what to do, stands in docs/operating.md. */
export const operatorHealth = z
  .object({
    /** `attention`: an alert is open, the checks that open them have not run lately, or a transport is in trouble. */
    status: z.enum(['ok', 'attention']),
    /** When billing last looked for what is stuck, parked, unsent or late. */
    checked_at: instant.nullable(),
    /** When the books were last audited. */
    audited_at: instant.nullable(),
    /** The newest night: when it began, when every account had been tried, when all were charged. */
    daily_run: z
      .object({
        day: z.iso.date(),
        started_at: instant,
        passed_at: instant.nullable(),
        finished_at: instant.nullable(),
      })
      .nullable(),
    /** What carries events and work in the process that answers, and what is wrong with it now. */
    transports: z.object({
      events: z.enum(['postgresql', 'kafka']),
      work: z.enum(['postgresql', 'bull']),
      troubles: z.array(z.string()),
    }),
    alerts: z.array(
      z.object({
        kind: z.string(),
        title: z.string(),
        subject: z.string(),
        facts: z.looseObject({}),
        first_seen_at: instant,
        last_seen_at: instant,
        mailed_at: instant.nullable(),
      }),
    ),
  })
  .meta({ id: 'OperatorHealth' });
export type OperatorHealthAnswer = z.infer<typeof operatorHealth>;

export const HEALTH_CALLS = {
  live: {
    operation: 'getLiveness',
    method: 'GET',
    path: '/health/live',
    summary: 'Check that the process is running',
    access: 'public',
    without_client_key: true,
    status: 200,
    answer: z.object({ status: z.literal('live') }),
    errors: [],
  },
  ready: {
    operation: 'getReadiness',
    method: 'GET',
    path: '/health/ready',
    summary: 'Check that the process can serve requests',
    description: 'Checks the database, its schema, and Kafka and Redis where they are used.',
    access: 'public',
    without_client_key: true,
    status: 200,
    answer: z.object({ status: z.literal('ready'), schema: z.string() }),
    errors: ['SERVICE_UNAVAILABLE'],
  },
  details: {
    operation: 'getOperatorHealth',
    method: 'GET',
    path: '/health/details',
    summary: 'Get open alerts and recent checks',
    access: 'admin',
    status: 200,
    answer: operatorHealth,
    errors: [],
  },
  docs: {
    operation: 'getApiDescription',
    method: 'GET',
    path: '/docs-json',
    summary: 'Get this API description',
    description: 'OpenAPI 3.1.',
    access: 'public',
    without_client_key: true,
    status: 200,
    // built once and served as it is, with an ETag
    answer: null,
    errors: [],
    limit: 'api_description',
  },
} as const satisfies Record<string, Call>;
