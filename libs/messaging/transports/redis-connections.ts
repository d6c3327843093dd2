import type { Clock } from '@moorage/server';
import { Redis, type RedisOptions } from 'ioredis';
import type { HealthReporter } from '../health-reporter';
import { isReply, redisAddress, redisOptions, redisOutage } from './redis';
import type { RedisServer } from './servers';

const COMMAND_MS = 2_000;
const SILENT_MS = 15_000;
/** Time without a refusal after which Redis counts as healthy again. */
const REFUSING_MS = 15_000;

export interface RedisConnectionsOptions {
  readonly server: RedisServer;
  readonly clock: Clock;
  readonly reporter: HealthReporter;
  /**
   * Called when Redis responds for the first time or again (`again` is true), and every few seconds while it responds.
   */
  readonly onReady: (again: boolean) => void;
}

/** The connections of Bull's queues, whose health they report. They connect in the background. */
export class RedisConnections {
  private readonly address: string;
  private readonly connections: Redis[] = [];
  private readonly client: Redis;
  private readonly subscriber: Redis;
  private refused_at = -Infinity;
  private closing = false;

  constructor(private readonly options: RedisConnectionsOptions) {
    const { server, reporter, onReady } = options;
    this.address = redisAddress(server);
    // While Redis is unavailable, commands fail immediately, so nothing accumulates here. Bull retries every few
    // seconds.
    this.client = this.connect({ enableReadyCheck: true, enableOfflineQueue: false, commandTimeout: COMMAND_MS });
    this.subscriber = this.connect();
    this.client.on('ready', () => {
      reporter.fine();
      onReady(true);
    });
    this.client.on('error', (error) => reporter.troubled(redisOutage(error, this.address)));
    this.client.on('close', () => {
      if (!this.closing && reporter.health().trouble === null) reporter.troubled(redisOutage(null, this.address));
    });
  }

  get ready(): boolean {
    return this.client.status === 'ready';
  }

  /** Returns a connection for Bull. Only the blocking connections are new. */
  of(type: 'client' | 'subscriber' | 'bclient'): Redis {
    return type === 'client' ? this.client : type === 'subscriber' ? this.subscriber : this.connectBlocking();
  }

  async subscribe(channel: string): Promise<void> {
    await this.subscriber.subscribe(channel);
  }

  /**
   * Reports a failed command. Only refusals and timeouts are reported, because the connection reports everything else.
   */
  failed(error: unknown): void {
    if (error instanceof Error && error.message === 'Command timed out' && this.ready && !this.closing)
      return this.lost();
    if (!isReply(error)) return;
    this.refused_at = this.options.clock.localNow();
    this.options.reporter.troubled(redisOutage(error, this.address));
  }

  /** Detects dead connections. */
  async ping(): Promise<void> {
    const { clock, reporter, onReady } = this.options;
    if (this.subscriber.status === 'ready' && !(await this.responds(this.subscriber))) this.subscriber.disconnect(true);
    if (!this.ready) return;
    if (await this.responds(this.client)) {
      if (clock.localNow() - this.refused_at > REFUSING_MS) reporter.fine();
      return onReady(false);
    }
    if (!this.closing && this.ready) this.lost();
  }

  /** From now on a closed connection is no outage. */
  expectClose(): void {
    this.closing = true;
  }

  close(): void {
    for (const connection of this.connections) connection.disconnect();
  }

  private connect(own: RedisOptions = {}): Redis {
    const connection = new Redis({ ...redisOptions(this.options.server), ...own });
    connection.setMaxListeners(0); // each queue adds its own listener
    connection.on('error', () => undefined);
    this.connections.push(connection);
    return connection;
  }

  /**
   * Opens a blocking connection. It requests the next job every five seconds and always gets a reply, so a longer
   * silence means that the connection is dead.
   */
  private connectBlocking(): Redis {
    const connection = this.connect();
    return connection.on('connect', () => connection.stream.setTimeout(SILENT_MS, () => connection.stream.destroy()));
  }

  private lost(): void {
    this.options.reporter.troubled(redisOutage(null, this.address));
    this.client.disconnect(true);
  }

  private async responds(connection: Redis): Promise<boolean> {
    const { clock } = this.options;
    const late = new AbortController();
    const answer = connection.ping().then(
      () => true,
      () => false,
    );
    const inTime = await Promise.race([answer, clock.sleep(COMMAND_MS, late.signal).then(() => false)]);
    late.abort();
    return inTime;
  }
}
