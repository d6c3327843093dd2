import type { Clock, Db } from '@moorage/server';
import { WITH_THE_DATABASE } from '../health-reporter';
import type { PgNotify } from '../pg-notify';
import type { Envelope, EventTransport, OnError, TransportHealth } from '../types';
import { channelOf, payloadsOf } from './postgres-notifications';
import { PostgresEventSubscription } from './postgres-event-subscription';

const POLL_INTERVAL_MS = 5_000;

export interface PostgresEventTransportOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly pgNotify: PgNotify;
  readonly onError?: OnError;
  readonly poll_interval_ms?: number;
}

/**
 * Sends events by NOTIFY on one channel per stream, and every process of every subscribing service receives them.
 * Events that were not received (no process running, connection lost, too many at once) are read from the outbox at
 * start-up, after every reconnect and every few seconds.
 */
export class PostgresEventTransport implements EventTransport {
  private readonly subscriptions: PostgresEventSubscription[] = [];

  constructor(private readonly options: PostgresEventTransportOptions) {}

  async publish(batch: readonly Envelope[]): Promise<void> {
    const { pgNotify } = this.options;
    for (const stream of new Set(batch.map((envelope) => envelope.stream))) {
      await pgNotify.send(channelOf(stream), payloadsOf(batch.filter((envelope) => envelope.stream === stream)));
    }
  }

  async subscribe(
    consumer: string,
    streams: readonly string[],
    arrived: (envelopes: readonly Envelope[]) => Promise<void>,
  ): Promise<void> {
    const { db, clock, pgNotify, onError = () => undefined, poll_interval_ms = POLL_INTERVAL_MS } = this.options;
    const subscription = new PostgresEventSubscription({
      db,
      clock,
      pgNotify,
      onError,
      poll_interval_ms,
      consumer,
      streams,
      arrived,
    });
    this.subscriptions.push(subscription);
    await subscription.open();
  }

  health(): TransportHealth {
    return WITH_THE_DATABASE;
  }

  async close(): Promise<void> {
    for (const subscription of this.subscriptions.splice(0)) await subscription.close();
  }
}
