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

export const LIVE_CHANNEL = 'moorage_live';
/** Kinds sent to administrators for every account, because their lists show all of them. */
const SHOWN_TO_ADMINISTRATORS: readonly Hint['kind'][] = ['deployment', 'support'];

/** Maximum number of streams that one process keeps open. */
export const CLIENTS_MAX = 10_000;
const CLIENTS_PER_ACCOUNT_MAX = 6;
/** Maximum time for which an ended session still receives hints that something changed (never what). */
const CHECKED_EVERY_MS = 45 * SECOND_MS;
/** Lifetime of a stream. The browser then reconnects and is authenticated again. */
const STREAM_MS_MAX = HOUR_MS;
/** Unread bytes after which a browser is disconnected. */
const UNREAD_BYTES_MAX = 64 * 1024;
/** Time during which hints are collected before they are sent together. */
const COALESCE_MS = 20;
/** Below the maximum size of a PostgreSQL notification. */
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
 * Live hints. They may be lost when a process ends or a connection is new. The console also polls and reloads after
 * every reconnect, so nothing here needs to be stored.
 */
@Injectable()
export class LiveService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly clients = new Set<Client>();
  /** Clients by the account that their streams count for, oldest first. */
  private readonly byAccount = new Map<number, Set<Client>>();
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

  /** Ends the streams, because requests that never end would keep the server from closing. */
  async beforeApplicationShutdown(): Promise<void> {
    this.unlisten();
    await this.deliver();
    for (const client of [...this.clients]) this.drop(client);
  }

  /** Opens a stream of hints for a browser. Throws 503 when this process has reached its capacity. */
  open(caller: Caller, stillAdmitted: () => Promise<Caller | null>): PassThrough {
    if (this.clients.size >= CLIENTS_MAX) {
      throw new DomainError('SERVICE_UNAVAILABLE', ACCESS_MESSAGES.live_crowded, {
        retry_after_s: 60,
      });
    }
    // Disconnects the oldest tab, which reconnects when it is visible again.
    const [oldest, ...later] = this.byAccount.get(caller.countedFor) ?? [];
    if (oldest !== undefined && later.length + 1 >= CLIENTS_PER_ACCOUNT_MAX) this.drop(oldest);
    const client: Client = {
      stream: new PassThrough(),
      opened: this.clock.localNow(),
      checked: this.clock.localNow(),
      stillAdmitted,
      caller,
    };
    this.add(client);
    client.stream.once('close', () => this.remove(client));
    client.stream.once('error', () => this.remove(client));
    client.stream.write('retry: 5000\n\n: connected\n\n');
    return client.stream;
  }

  /** Sends the hints to every api process after the commit. */
  send(tx: Tx, hints: readonly AddressedHint[]): void {
    tx.afterCommit(() => {
      for (const addressed of hints) {
        const { kind, id } = addressed.hint;
        // The newest hint about an object replaces earlier ones.
        this.waiting.delete(`${kind}:${id}`);
        if (this.waiting.size < WAITING_MAX) this.waiting.set(`${kind}:${id}`, addressed);
      }
      this.sending ??= this.sendSoon().finally(() => (this.sending = undefined));
    });
  }

  /**
   * Keeps the streams open, then drops those that are no longer admitted, because the session ended or a role was
   * removed.
   */
  async heartbeat(): Promise<void> {
    for (const client of [...this.clients]) {
      if (this.clock.localNow() - client.opened > STREAM_MS_MAX) this.drop(client);
      else this.write(client, ': still here\n\n');
    }
    // Checked after all clients received the heartbeat: while the database is unreachable this fails at the first
    // client, and proxies would close the remaining silent streams.
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

  /** Passes hints of all processes to the browsers connected to this one. */
  private pass(payload: string): void {
    for (const { userId, hint } of JSON.parse(payload) as AddressedHint[]) {
      const line = lineOf(hint);
      const ownOnly = !SHOWN_TO_ADMINISTRATORS.includes(hint.kind);
      for (const client of this.clients) if (isVisibleTo(client.caller, userId, { ownOnly })) this.write(client, line);
    }
  }

  private async sendSoon(): Promise<void> {
    await this.clock.sleep(COALESCE_MS);
    await this.deliver();
  }

  /** Sends waiting hints after those already being sent. */
  private deliver(): Promise<void> {
    this.delivered = this.delivered.then(async () => {
      while (this.waiting.size > 0) {
        const hints = [...this.waiting.values()];
        this.waiting.clear();
        await this.pgNotify
          .send(LIVE_CHANNEL, payloadsOf(hints))
          .catch((error: unknown) =>
            this.log.warn('hints not delivered', { count: hints.length, reason: String(error) }),
          );
      }
    });
    return this.delivered;
  }

  private add(client: Client): void {
    const { countedFor } = client.caller;
    this.clients.add(client);
    this.byAccount.set(countedFor, (this.byAccount.get(countedFor) ?? new Set()).add(client));
  }

  private remove(client: Client): void {
    const { countedFor } = client.caller;
    this.clients.delete(client);
    const own = this.byAccount.get(countedFor);
    own?.delete(client);
    if (own?.size === 0) this.byAccount.delete(countedFor);
  }

  private drop(client: Client): void {
    this.remove(client);
    client.stream.end();
  }

  private write(client: Client, text: string): void {
    if (client.stream.writableLength > UNREAD_BYTES_MAX) {
      this.remove(client);
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
