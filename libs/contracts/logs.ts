import { CONTAINER_NAME, LOG_LEVELS, LOG_SEARCH_LENGTH_MAX, LOG_SEARCH_LENGTH_MIN } from '@moorage/domain';
import { z } from 'zod';
import { actReason } from './account-fields';
import type { Call } from './call';
import { entityId } from './fields';
import { message } from './message';

const instant = z.iso.datetime();
const name = z.string().regex(CONTAINER_NAME);

/** A line that a container wrote. Known passwords and keys are replaced before it is stored. */
export const logLine = z
  .object({
    /** Increases with each line of a deployment, as long as its logs are being read. */
    seq: z.int(),
    at: instant,
    container: z.string(),
    level: z.enum(LOG_LEVELS),
    /** At most 2,000 characters. */
    text: z.string(),
  })
  .meta({ id: 'LogLine' });
export type LogLineAnswer = z.infer<typeof logLine>;

export const container = z
  .object({
    name: z.string(),
    /** State as Docker names it, such as `running`, `restarting` or `exited`. */
    state: z.string(),
    /** `healthy`, `unhealthy`, `starting`, or `none` if the container has no health check. */
    health: z.string(),
    /** How often Docker has restarted it after it ended. */
    restarts: z.int(),
    started_at: instant.nullable(),
    /** Used memory, or null if the server does not report it. */
    memory_bytes: z.int().nullable(),
    /** Whether it can be restarted alone. */
    is_restartable: z.boolean(),
    /** Last restart that was requested in the past hour. */
    restart: z
      .object({ state: z.enum(['asked', 'done', 'failed']), requested_at: instant, failure: message.nullable() })
      .nullable(),
  })
  .meta({ id: 'Container' });
export type ContainerAnswer = z.infer<typeof container>;

export const LOG_STATES = ['connecting', 'following', 'unreachable', 'over'] as const;

export const deploymentLogs = z
  .object({
    /** `unreachable` is tried again as long as the logs are read. `over` is a deployment that does not run. */
    state: z.enum(LOG_STATES),
    reason: message.nullable(),
    lines: z.array(logLine),
    containers: z.array(container),
    /** More lines are stored. Read again after the last one. */
    has_more: z.boolean(),
    /** Number of lines that were written too fast to be read since the follow began. */
    left_out: z.int(),
    /** Begins again when the logs are followed anew. Discard the lines of an earlier one, and read from the beginning. */
    followed_since: instant.nullable(),
  })
  .meta({ id: 'DeploymentLogs' });
export type DeploymentLogsAnswer = z.infer<typeof deploymentLogs>;

export const logSearch = z
  .object({
    state: z.enum(['searching', 'done', 'failed', 'over']),
    /** The newest lines of the last seven days, oldest first. `seq` counts them. */
    lines: z.array(logLine),
    /** Older lines that also contain the text. */
    left_out: z.int(),
  })
  .meta({ id: 'LogSearch' });
export type LogSearchAnswer = z.infer<typeof logSearch>;

const params = z.object({ id: entityId });
const contains = z.string().trim().min(1).max(LOG_SEARCH_LENGTH_MAX);

export const LOGS_CALLS = {
  read: {
    operation: 'readLogs',
    method: 'GET',
    path: '/deployments/{id}/logs',
    summary: 'Read the logs of a deployment',
    description:
      'Returns the newest lines of all containers, oldest first, and the state of each container. The first call connects to the server. Call again every two seconds with the `seq` of the last line. Up to 2,000 lines are stored until 30 seconds after the last call. Known passwords and keys are hidden.',
    access: 'user',
    params,
    query: z.object({
      after: z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number)
        .meta({ type: 'integer', minimum: 0 })
        .optional(),
      container: name.optional(),
      log_level: z.enum(LOG_LEVELS).optional(),
      contains: contains.optional(),
    }),
    status: 200,
    answer: deploymentLogs,
    errors: ['NOT_FOUND'],
  },
  search: {
    operation: 'searchLogs',
    method: 'GET',
    path: '/deployments/{id}/logs/search',
    summary: 'Search older logs on the server',
    description:
      'Searches the logs of the last seven days on the server, and returns at most 500 lines. Call again while `state` is `searching`.',
    access: 'user',
    params,
    query: z.object({ contains: contains.min(LOG_SEARCH_LENGTH_MIN) }),
    status: 200,
    answer: logSearch,
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    limit: 'log_searches',
  },
  restart: {
    operation: 'restartContainer',
    method: 'POST',
    path: '/deployments/{id}/containers/{container}/restart',
    summary: 'Restart a container',
    description:
      'The container is restarted within seconds, and so are containers that use its network. `restart` of the container in the logs shows the result. Possible once a minute for each container, and not while the deployment is being changed or its server is switched off.',
    access: 'verified',
    params: z.object({ id: entityId, container: name }),
    body: z.object({ reason: actReason.nullish() }),
    optional_body: true,
    status: 202,
    answer: z.object({ container: z.string(), requested_at: instant }),
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'FIELDS_INVALID', 'RATE_LIMITED'],
    limit: 'container_restarts',
  },
} as const satisfies Record<string, Call>;
