import { BullModule, getQueueToken } from '@nestjs/bull';
import { LazyModuleLoader, NestFactory } from '@nestjs/core';
import type { Queue } from 'bull';
import { Redis, type RedisOptions } from 'ioredis';
import type { Clock } from '@moorage/server';
import type { HealthReporter } from '../health-reporter';
import { isReply, redisAddress, redisOptions, redisOutage } from './redis';
import type { RedisServer } from './servers';

/** Data of a job. `due_at` is in milliseconds. */
export interface Signal {
  readonly key: string;
  readonly due_at: number;
}

/** Bull's queues of one process, one per kind of work. Each queue is created on first use. */
export interface BullQueues {
  readonly ready: () => boolean;
  readonly queue: (kind: string) => Promise<Queue<Signal>>;
  /** Returns the queue once Redis permits what serving it needs. Rejects if Redis refuses or is unavailable. */
  readonly servable: (kind: string) => Promise<Queue<Signal>>;
  /**
   * Reports a failed command. Only refusals and timeouts are reported, because the connection reports everything else.
   */
  readonly failed: (error: unknown) => void;
  /** Stops fetching jobs. Running jobs may end, and may still signal. */
  readonly stop: () => Promise<void>;
  /** Closes the connections within a few seconds, whether or not Redis is reachable. */
  readonly close: () => Promise<void>;
}

const COMMAND_MS = 2_000;
const PING_EVERY_MS = 5_000;
const SILENT_MS = 15_000;
/** Time without a refusal after which Redis counts as healthy again. */
const REFUSING_MS = 15_000;

/** Connects in the background. Only this module imports the packages that a process without Redis need not load. */
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
  trouble: HealthReporter;
  /**
   * Called when Redis responds for the first time or again (`again` is true), and every few seconds while it responds.
   */
  onReady: (again: boolean) => void;
}): Promise<BullQueues> {
  const address = redisAddress(server);
  const connections: Redis[] = [];
  const queues = new Map<string, Promise<Queue<Signal>>>();
  let refused_at = -Infinity;
  let closing = false;

  function connect(own: RedisOptions = {}): Redis {
    const connection = new Redis({ ...redisOptions(server), ...own });
    connection.setMaxListeners(0); // each queue adds its own listener
    connection.on('error', () => undefined);
    connections.push(connection);
    return connection;
  }

  /**
   * Opens a blocking connection. It requests the next job every five seconds and always gets a reply, so a longer
   * silence means that the connection is dead.
   */
  function connectBlocking(): Redis {
    const connection = connect();
    return connection.on('connect', () => connection.stream.setTimeout(SILENT_MS, () => connection.stream.destroy()));
  }

  // While Redis is unavailable, commands fail immediately, so nothing accumulates here. Bull retries every few seconds.
  const client = connect({ enableReadyCheck: true, enableOfflineQueue: false, commandTimeout: COMMAND_MS });
  const subscriber = connect();
  const ready = (): boolean => client.status === 'ready';

  client.on('ready', () => {
    trouble.fine();
    onReady(true);
  });
  client.on('error', (error) => trouble.troubled(redisOutage(error, address)));
  client.on('close', () => {
    if (!closing && trouble.health().trouble === null) trouble.troubled(redisOutage(null, address));
  });

  function lost(): void {
    trouble.troubled(redisOutage(null, address));
    client.disconnect(true);
  }

  function failed(error: unknown): void {
    if (error instanceof Error && error.message === 'Command timed out' && ready() && !closing) return lost();
    if (!isReply(error)) return;
    refused_at = clock.localNow();
    trouble.troubled(redisOutage(error, address));
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

  /** Detects dead connections. */
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
            // Longer than the lease of the row, so the job of a dead process returns when its work can be claimed.
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
    // This command only names the connection in Redis's client list. Its rejection would be unhandled and end the
    // process.
    return Object.assign(queue, { setWorkerName: () => Promise.resolve() });
  }

  function queue(kind: string): Promise<Queue<Signal>> {
    const created = queues.get(kind) ?? makeQueue(kind);
    queues.set(kind, created);
    return created;
  }

  return {
    ready,
    queue,
    failed,
    async servable(kind) {
      // Bull subscribes to this channel only once. Subscribing here first means that a refusal can be retried.
      await subscriber.subscribe(`${prefix}:${kind}:delayed`);
      return queue(kind);
    },
    async stop() {
      closing = true;
      await stopPings();
      await Promise.all([...queues.values()].map(async (created) => (await created).close(true)));
    },
    async close() {
      await app.close();
      for (const connection of connections) connection.disconnect();
    },
  };
}
