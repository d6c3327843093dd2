import { z } from 'zod';
import type { Call } from './call';

const instant = z.iso.datetime();

/** Health information for operators. docs/operating.md describes each kind of alert and what to do. */
export const operatorHealth = z
  .object({
    /**
     * `attention` means that an alert is open, that the checks which open alerts have not run lately, or that a
     * transport has problems.
     */
    status: z.enum(['ok', 'attention']),
    /** Time of billing's last check for stuck, parked, unsent or late work. */
    checked_at: instant.nullable(),
    /** Time of the last ledger audit. */
    audited_at: instant.nullable(),
    /**
     * Newest daily charge run, with the times at which it began, every account had been tried, and all were charged.
     */
    daily_run: z
      .object({
        day: z.iso.date(),
        started_at: instant,
        passed_at: instant.nullable(),
        finished_at: instant.nullable(),
      })
      .nullable(),
    /** Transports for events and work in the responding process, with their current problems. */
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
    description: 'Checks the database and its schema, and Kafka and Redis if they are used.',
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
    // Built once and served unchanged, with an ETag.
    answer: null,
    errors: [],
    limit: 'api_description',
  },
} as const satisfies Record<string, Call>;
