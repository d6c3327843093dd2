import { BullModule, getQueueToken } from '@nestjs/bull';
import { LazyModuleLoader, NestFactory } from '@nestjs/core';
import type { Queue } from 'bull';
import type { Clock } from '@moorage/server';
import type { HealthReporter } from '../health-reporter';
import { RedisConnections } from './redis-connections';
import type { RedisServer } from './servers';

/** Data of a job. `due_at` is in milliseconds. */
export interface Signal {
  readonly key: string;
  readonly due_at: number;
}

const PING_EVERY_MS = 5_000;

type NestContext = Awaited<ReturnType<typeof NestFactory.createApplicationContext>>;

export interface BullQueuesOptions {
  readonly server: RedisServer;
  readonly prefix: string;
  readonly clock: Clock;
  readonly reporter: HealthReporter;
  /**
   * Called when Redis responds for the first time or again (`again` is true), and every few seconds while it responds.
   */
  readonly onReady: (again: boolean) => void;
}

/**
 * Bull's queues of one process, one per kind of work. Each queue is created on first use. Connects in the background.
 * Only this module imports the packages that a process without Redis need not load.
 */
export class BullQueues {
  static async open(options: BullQueuesOptions): Promise<BullQueues> {
    const connections = new RedisConnections(options);
    const app = await NestFactory.createApplicationContext(
      {
        module: class BullQueuesModule {},
        imports: [
          BullModule.forRoot({
            prefix: options.prefix,
            createClient: (type) => connections.of(type),
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
    return new BullQueues(options, app, connections);
  }

  private readonly queues = new Map<string, Promise<Queue<Signal>>>();
  private readonly stopPings: () => Promise<void>;

  private constructor(
    private readonly options: BullQueuesOptions,
    private readonly app: NestContext,
    private readonly connections: RedisConnections,
  ) {
    this.stopPings = options.clock.every(
      PING_EVERY_MS,
      () => connections.ping(),
      () => undefined,
    );
  }

  ready(): boolean {
    return this.connections.ready;
  }

  queue(kind: string): Promise<Queue<Signal>> {
    const created = this.queues.get(kind) ?? this.createQueue(kind);
    this.queues.set(kind, created);
    return created;
  }

  /** Returns the queue once Redis permits what serving it needs. Rejects if Redis refuses or is unavailable. */
  async servable(kind: string): Promise<Queue<Signal>> {
    // Bull subscribes to this channel only once. Subscribing here first means that a refusal can be retried.
    await this.connections.subscribe(`${this.options.prefix}:${kind}:delayed`);
    return this.queue(kind);
  }

  /**
   * Reports a failed command. Only refusals and timeouts are reported, because the connection reports everything else.
   */
  failed(error: unknown): void {
    this.connections.failed(error);
  }

  /** Stops fetching jobs. Running jobs may end, and may still signal. */
  async stop(): Promise<void> {
    this.connections.expectClose();
    await this.stopPings();
    await Promise.all([...this.queues.values()].map(async (created) => (await created).close(true)));
  }

  /** Closes the connections within a few seconds, whether or not Redis is reachable. */
  async close(): Promise<void> {
    await this.app.close();
    this.connections.close();
  }

  private async createQueue(kind: string): Promise<Queue<Signal>> {
    const module = await this.app.get(LazyModuleLoader).load(() => BullModule.registerQueue({ name: kind }));
    const queue = module.get<Queue<Signal>>(getQueueToken(kind));
    queue.on('error', (error) => this.failed(error));
    // This command only names the connection in Redis's client list. Its rejection would be unhandled and end the
    // process.
    return Object.assign(queue, { setWorkerName: () => Promise.resolve() });
  }
}
