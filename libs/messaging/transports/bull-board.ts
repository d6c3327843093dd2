import type { AppControllerRoute } from '@bull-board/api/typings/app';
import type { FastifyPluginCallback } from 'fastify';
import type { OnError } from '../types';
import { BULL_PREFIX, redisOptions } from './redis';
import type { RedisServer } from './servers';

export interface BullBoardOptions {
  readonly server: RedisServer;
  /** Of work: each has a queue of its name. */
  readonly kinds: readonly string[];
  /** Where `routes` will be, without a trailing slash. */
  readonly path: string;
  readonly title: string;
  readonly onError: OnError;
}

export interface BullBoard {
  /** Its page, its files and what the page asks: it only reads. Who may look is for whoever registers it to decide. */
  readonly routes: FastifyPluginCallback;
  close(): void;
}

/** Longer than a Redis that is there needs; whoever looks waits. */
const ANSWER_MS_MAX = 5_000;

/**
 * Bull Board over queues of its own, which share one connection. It is opened when somebody looks for the first time, so
 * neither a start nor a stop waits for Redis.
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

    /** In place of one that passes on what Redis and its client say. */
    override setErrorHandler() {
      return super.setErrorHandler((error) => {
        // that Redis is away the transport tells, once
        if (error.name !== 'MaxRetriesPerRequestError')
          onError(new Error(`a queue could not be read (${error.name})`), { at: 'queues.read' });
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
    // it keeps the process for this long even where there was no connection
    disconnectTimeout: 100,
  });
  // each command says so too, to whoever asked
  client.on('error', () => undefined);
  client.setMaxListeners(0);
  // Bull's types do not know that its look at the version, a command at once, can be left out
  const options = { prefix: BULL_PREFIX, createClient: () => client, skipVersionCheck: true };
  const adapter = new ReadingAdapter();
  createBullBoard({
    queues: kinds.map((kind) => new BullAdapter(new Bull(kind, options), { readOnlyMode: true })),
    serverAdapter: adapter.setBasePath(path),
    // the connections that workers share have no names to tell them by
    options: { uiConfig: { boardTitle: title, hideDocsLink: true, showWorkers: false } },
  });
  return { routes: adapter.registerPlugin(), close: () => client.disconnect() };
}
