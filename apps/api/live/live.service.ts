import { PassThrough } from 'node:stream';
import type { Hint } from '@moorage/contracts';
import { isVisibleTo } from '@moorage/database';
import { ACCESS_MESSAGES, DomainError, HOUR_MS, SECOND_MS } from '@moorage/domain';
import { PgNotify } from '@moorage/messaging';
import { Metrics } from '@moorage/runtime';
import { Clock, Log, type Tx } from '@moorage/server';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import type { AddressedHint } from './hints';

const LIVE_CHANNEL = 'moorage_live';
/** Of whomever: their lists hold them all. */
const SHOWN_TO_ADMINISTRATORS: readonly Hint['kind'][] = ['deployment', 'support'];

const CLIENTS_MAX = 2_000;
const CLIENTS_PER_ACCOUNT_MAX = 6;
/** How long an ended session may go on receiving hints that something changed (never what). */
const CHECKED_EVERY_MS = 45 * SECOND_MS;
/** Then the browser reconnects, and is authenticated again. */
const STREAM_MS_MAX = HOUR_MS;
/** A browser that does not read is disconnected rather than buffered for. */
const UNREAD_BYTES_MAX = 64 * 1024;
/** Hints of one moment go out together. */
const COALESCE_MS = 20;
/** Below what PostgreSQL carries in one notification. */
const NOTICE_BYTES_MAX = 7_000;
const WAITING_MAX = 10_000;

interface Client {
  readonly stream: PassThrough;
  readonly opened: number;
  checked: number;
  readonly stillAdmitted: () => Promise<Caller | null>;
  caller: Caller;
}

/**
 * Live hints. They may be lost (a process ends, a connection is new): the console polls as well and loads again after every
 * reconnect, so nothing here has to be kept.
 */
@Injectable()
export class LiveService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly clients = new Set<Client>();
  private readonly waiting = new Map<string, AddressedHint>();
  private sending: Promise<void> | undefined;
  private delivered: Promise<void> = Promise.resolve();
  private unlisten: () => void = () => undefined;

  constructor(
    private readonly pgNotify: PgNotify,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.metrics.onScrape(() => this.metrics.httpStreams.set(this.clients.size));
    this.unlisten = await this.pgNotify.listen(LIVE_CHANNEL, { onNotify: (payload) => this.pass(payload) });
  }

  /** Ends the streams: requests that never end would keep the server from closing. */
  async beforeApplicationShutdown(): Promise<void> {
    this.unlisten();
    await this.deliver();
    for (const client of [...this.clients]) this.drop(client);
  }

  /** A stream of hints for one browser; refused (503) when this process has all it can carry. */
  open(caller: Caller, stillAdmitted: () => Promise<Caller | null>): PassThrough {
    if (this.clients.size >= CLIENTS_MAX) {
      throw new DomainError('SERVICE_UNAVAILABLE', ACCESS_MESSAGES.live_crowded, {
        retry_after_s: 60,
      });
    }
    const own = [...this.clients].filter((client) => client.caller.countedFor === caller.countedFor);
    // the oldest tab is disconnected: it reconnects when it is looked at
    for (const oldest of own.slice(0, Math.max(0, own.length - CLIENTS_PER_ACCOUNT_MAX + 1))) this.drop(oldest);
    const client: Client = {
      stream: new PassThrough(),
      opened: this.clock.localNow(),
      checked: this.clock.localNow(),
      stillAdmitted,
      caller,
    };
    this.clients.add(client);
    client.stream.once('close', () => this.clients.delete(client));
    client.stream.once('error', () => this.clients.delete(client));
    client.stream.write('retry: 5000\n\n: connected\n\n');
    return client.stream;
  }

  /** After the commit the hints go to every api process. */
  send(tx: Tx, hints: readonly AddressedHint[]): void {
    tx.afterCommit(() => {
      for (const addressed of hints) {
        const { kind, id } = addressed.hint;
        // the newest hint of a thing replaces earlier ones
        this.waiting.delete(`${kind}:${id}`);
        if (this.waiting.size < WAITING_MAX) this.waiting.set(`${kind}:${id}`, addressed);
      }
      this.sending ??= this.sendSoon().finally(() => (this.sending = undefined));
    });
  }

  /** Keeps the streams open, then drops those that may not listen any more: the session ended, or a flag was removed. */
  async heartbeat(): Promise<void> {
    for (const client of [...this.clients]) {
      if (this.clock.localNow() - client.opened > STREAM_MS_MAX) this.drop(client);
      else this.write(client, ': still here\n\n');
    }
    // after all got it: while the database is away this ends at the first, and proxies would cut the silent rest
    for (const client of [...this.clients]) {
      if (this.clock.localNow() - client.checked < CHECKED_EVERY_MS) continue;
      const caller = await client.stillAdmitted();
      if (caller === null) {
        this.drop(client);
        continue;
      }
      client.caller = caller;
      client.checked = this.clock.localNow();
    }
  }

  /** Hands hints that any process has sent to the browsers of this one. */
  private pass(payload: string): void {
    for (const { userId, hint } of JSON.parse(payload) as AddressedHint[]) {
      for (const client of this.clients) {
        if (isVisibleTo(client.caller, userId, { ownOnly: !SHOWN_TO_ADMINISTRATORS.includes(hint.kind) }))
          this.write(client, lineOf(hint));
      }
    }
  }

  private async sendSoon(): Promise<void> {
    await this.clock.sleep(COALESCE_MS);
    await this.deliver();
  }

  /** Sends what is waiting, after what is already being sent. */
  private deliver(): Promise<void> {
    this.delivered = this.delivered.then(async () => {
      while (this.waiting.size > 0) {
        const hints = [...this.waiting.values()];
        this.waiting.clear();
        await this.pgNotify
          .send(LIVE_CHANNEL, payloadsOf(hints))
          .catch((error: unknown) => this.log.warn('hints were lost', { count: hints.length, because: String(error) }));
      }
    });
    return this.delivered;
  }

  private drop(client: Client): void {
    this.clients.delete(client);
    client.stream.end();
  }

  private write(client: Client, text: string): void {
    if (client.stream.writableLength > UNREAD_BYTES_MAX) {
      this.clients.delete(client);
      client.stream.destroy();
      return;
    }
    client.stream.write(text);
  }
}

function lineOf(hint: Hint): string {
  return `data: ${JSON.stringify(hint)}\n\n`;
}

function payloadsOf(hints: readonly AddressedHint[]): string[] {
  const payloads: string[] = [];
  let batch: AddressedHint[] = [];
  let bytes = 0;
  for (const hint of hints) {
    const length = JSON.stringify(hint).length + 1;
    if (bytes + length > NOTICE_BYTES_MAX) {
      payloads.push(JSON.stringify(batch));
      batch = [];
      bytes = 0;
    }
    batch.push(hint);
    bytes += length;
  }
  return batch.length === 0 ? payloads : [...payloads, JSON.stringify(batch)];
}
