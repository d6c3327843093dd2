import { BullModule, getQueueToken } from '@nestjs/bull';
import { LazyModuleLoader, NestFactory } from '@nestjs/core';
import type { Queue } from 'bull';
import { Redis, type RedisOptions } from 'ioredis';
import type { Clock } from '@moorage/server';
import type { createTroubleTeller } from '../trouble';
import { isReply, redisAddress, redisOptions, redisTrouble } from './redis';
import type { RedisServer } from './servers';

/** The data of a job. `due_at` in milliseconds. */
export interface Signal {
  readonly key: string;
  readonly due_at: number;
}

/** Bull's queues of one process, one per kind of work; a queue is made when it is first asked for. */
export interface BullQueues {
  readonly ready: () => boolean;
  readonly queue: (kind: string) => Promise<Queue<Signal>>;
  /** The queue, when Redis allows what serving it needs; rejects when it does not, or is away. */
  readonly servable: (kind: string) => Promise<Queue<Signal>>;
  /** A command failed. Tells that Redis refused it, or did not answer; all else was told by the connection. */
  readonly failed: (error: unknown) => void;
  /** Fetches no more jobs. Those that run may end, and may signal. */
  readonly stop: () => Promise<void>;
  /** Settles in a few seconds, with Redis or without. */
  readonly close: () => Promise<void>;
}

const COMMAND_MS = 2_000;
const PING_EVERY_MS = 5_000;
const SILENT_MS = 15_000;
/** All counts as well again when Redis has refused nothing for so long. */
const REFUSING_MS = 15_000;

/** Connects in the background. What a process on PostgreSQL need not load is imported here and nowhere else. */
export async function openBullQueues({
  server,
  prefix,
  clock,
  trouble,
  onReady,
}: {
  server: RedisServer;
  prefix: string;
  clock: Clock;
  trouble: ReturnType<typeof createTroubleTeller>;
  /** Redis answers, for the first time or again, and every few seconds as long as it does. */
  onReady: (again: boolean) => void;
}): Promise<BullQueues> {
  const address = redisAddress(server);
  const connections: Redis[] = [];
  const queues = new Map<string, Promise<Queue<Signal>>>();
  let refused_at = -Infinity;
  let closing = false;

  function connect(own: RedisOptions = {}): Redis {
    const connection = new Redis({ ...redisOptions(server), ...own });
    connection.setMaxListeners(0); // each queue adds its own
    connection.on('error', () => undefined);
    connections.push(connection);
    return connection;
  }

  /** It asks for the next job every five seconds and gets a reply each time, or has ended without a word. */
  function connectBlocking(): Redis {
    const connection = connect();
    return connection.on('connect', () => connection.stream.setTimeout(SILENT_MS, () => connection.stream.destroy()));
  }

  // while Redis is away commands fail at once: nothing piles up here, and Bull tries again every few seconds
  const client = connect({ enableReadyCheck: true, enableOfflineQueue: false, commandTimeout: COMMAND_MS });
  const subscriber = connect();
  const ready = (): boolean => client.status === 'ready';

  client.on('ready', () => {
    trouble.fine();
    onReady(true);
  });
  client.on('error', (error) => trouble.troubled(redisTrouble(error, address)));
  client.on('close', () => {
    if (!closing && trouble.health().trouble === null) trouble.troubled(redisTrouble(null, address));
  });

  function lost(): void {
    trouble.troubled(redisTrouble(null, address));
    client.disconnect(true);
  }

  function failed(error: unknown): void {
    if (error instanceof Error && error.message === 'Command timed out' && ready() && !closing) return lost();
    if (!isReply(error)) return;
    refused_at = clock.localNow();
    trouble.troubled(redisTrouble(error, address));
  }

  async function answers(connection: Redis): Promise<boolean> {
    const late = new AbortController();
    const answer = connection.ping().then(
      () => true,
      () => false,
    );
    const inTime = await Promise.race([answer, clock.sleep(COMMAND_MS, late.signal).then(() => false)]);
    late.abort();
    return inTime;
  }

  /** Finds connections that ended without a word. */
  async function ping(): Promise<void> {
    if (subscriber.status === 'ready' && !(await answers(subscriber))) subscriber.disconnect(true);
    if (!ready()) return;
    if (await answers(client)) {
      if (clock.localNow() - refused_at > REFUSING_MS) trouble.fine();
      return onReady(false);
    }
    if (!closing && ready()) lost();
  }

  const app = await NestFactory.createApplicationContext(
    {
      module: class BullQueuesModule {},
      imports: [
        BullModule.forRoot({
          prefix,
          createClient: (type) => (type === 'client' ? client : type === 'subscriber' ? subscriber : connectBlocking()),
          defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
          settings: {
            // outlasts the lease of the row: the job of a process that is gone comes back when its work can be claimed
            lockDuration: 40_000,
            lockRenewTime: 10_000,
            stalledInterval: 10_000,
            retryProcessDelay: 1_000,
          },
        }),
      ],
    },
    { logger: false, abortOnError: false },
  );
  const loader = app.get(LazyModuleLoader);
  const stopPings = clock.every(PING_EVERY_MS, ping, () => undefined);

  async function makeQueue(kind: string): Promise<Queue<Signal>> {
    const module = await loader.load(() => BullModule.registerQueue({ name: kind }));
    const queue = module.get<Queue<Signal>>(getQueueToken(kind));
    queue.on('error', failed);
    // names a connection, for lists of Redis; its failure would be nobody's to catch, and end the process
    return Object.assign(queue, { setWorkerName: () => Promise.resolve() });
  }

  function queue(kind: string): Promise<Queue<Signal>> {
    const made = queues.get(kind) ?? makeQueue(kind);
    queues.set(kind, made);
    return made;
  }

  return {
    ready,
    queue,
    failed,
    async servable(kind) {
      // what Bull itself subscribes to, once and for ever: asked before, it may be refused and asked again
      await subscriber.subscribe(`${prefix}:${kind}:delayed`);
      return queue(kind);
    },
    async stop() {
      closing = true;
      await stopPings();
      await Promise.all([...queues.values()].map(async (made) => (await made).close(true)));
    },
    async close() {
      await app.close();
      for (const connection of connections) connection.disconnect();
    },
  };
}
