import type { AppControllerRoute } from '@bull-board/api/typings/app';
import type { FastifyPluginCallback } from 'fastify';
import type { OnError } from '../types';
import { BULL_PREFIX, redisOptions } from './redis';
import type { RedisServer } from './servers';

export interface BullBoardOptions {
  readonly server: RedisServer;
  /** Kinds of work. Each has a queue of the same name. */
  readonly kinds: readonly string[];
  /** Path at which `routes` will be mounted, without a trailing slash. */
  readonly path: string;
  readonly title: string;
  readonly onError: OnError;
}

export interface BullBoard {
  /** The board's page, its files and its API, read-only. The code that registers the routes decides who has access. */
  readonly routes: FastifyPluginCallback;
  close(): void;
}

/** Longer than a reachable Redis needs, because a user waits for the response. */
const ANSWER_MS_MAX = 5_000;

/**
 * Opens Bull Board on its own queues, which share one connection. It is opened on the first visit, so neither start-up
 * nor shutdown waits for Redis.
 */
export async function openBullBoard({ server, kinds, path, title, onError }: BullBoardOptions): Promise<BullBoard> {
  const [{ default: Bull }, { Redis }, { createBullBoard }, { BullAdapter }, { FastifyAdapter }] = await Promise.all([
    import('bull'),
    import('ioredis'),
    import('@bull-board/api'),
    import('@bull-board/api/bullAdapter'),
    import('@bull-board/fastify'),
  ]);

  class ReadingAdapter extends FastifyAdapter {
    override setApiRoutes(routes: AppControllerRoute[]) {
      return super.setApiRoutes(routes.filter(({ method }) => method === 'get'));
    }

    /** Replaces an error handler that passes on the messages of Redis and its client. */
    override setErrorHandler() {
      return super.setErrorHandler((error) => {
        // The transport reports a Redis outage, once.
        if (error.name !== 'MaxRetriesPerRequestError')
          onError(new Error(`queue could not be read (${error.name})`), { at: 'queues.read' });
        const message = 'The queues cannot be read. Is Redis reachable?';
        return { status: 500, body: { error: { key: 'ERRORS.INTERNAL_SERVER_ERROR' }, message } };
      });
    }
  }

  const client = new Redis({
    ...redisOptions(server),
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    commandTimeout: ANSWER_MS_MAX,
    // The client keeps the process alive this long even if there was no connection.
    disconnectTimeout: 100,
  });
  // Each command reports the error to its caller as well.
  client.on('error', () => undefined);
  client.setMaxListeners(0);
  // Bull's types do not include `skipVersionCheck`, which avoids a version check at creation.
  const options = { prefix: BULL_PREFIX, createClient: () => client, skipVersionCheck: true };
  const adapter = new ReadingAdapter();
  createBullBoard({
    queues: kinds.map((kind) => new BullAdapter(new Bull(kind, options), { readOnlyMode: true })),
    serverAdapter: adapter.setBasePath(path),
    // Connections shared by workers have no names to distinguish them by.
    options: { uiConfig: { boardTitle: title, hideDocsLink: true, showWorkers: false } },
  });
  return { routes: adapter.registerPlugin(), close: () => client.disconnect() };
}
