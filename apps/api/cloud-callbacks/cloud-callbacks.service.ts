import { createHash } from 'node:crypto';
import { SERVER_CALLBACK_WORK } from '@moorage/contracts';
import {
  ACCESS_MESSAGES,
  type CloudName,
  DomainError,
  eventDueAt,
  type Instant,
  isCurrentEvent,
  iso,
} from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Metrics } from '@moorage/runtime';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { sameText } from '../http/same-text';
import { CallbackRefused, type CallbackRequest, type CallbackSource, type CloudEvent } from './callback-source';

/** Configured sources of callbacks. */
export abstract class CallbackSources {
  abstract readonly of: (provider: CloudName) => CallbackSource | null;
}

const FIRST_BOOT_HEADER = 'moorage-first-boot';
const FIRST_BOOT_TOKEN = /^(\d{1,9})\.[A-Za-z0-9_-]{43}$/;
const RETRY_S = 10;
const RECEIVED = { received: true } as const;

type Answer = typeof RECEIVED | { readonly validationResponse: string };
type Outcome = 'scheduled' | 'ignored' | 'repeated' | 'late' | 'refused' | 'validated';

/**
 * Handles callbacks of clouds and new servers (decisions 37). Each is verified before it is read, and only schedules
 * work: the provisioner reads the current state from the provider. The regular checks recover callbacks that are lost
 * or late.
 */
@Injectable()
export class CloudCallbacks {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly work: WorkSchedule,
    private readonly sources: CallbackSources,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  async receive(provider: CloudName, request: CallbackRequest): Promise<Answer> {
    const token = request.header(FIRST_BOOT_HEADER);
    if (token !== undefined) return this.firstBoot(provider, token);
    const source = this.sources.of(provider);
    if (source === null) throw new DomainError('NOT_FOUND', ACCESS_MESSAGES.nothing_here);
    const callback = await this.verified(provider, source, request);
    if ('validation' in callback) {
      this.count(provider, 'validated');
      return { validationResponse: callback.validation };
    }
    const outcomes = await this.db.tx('callbacks.events', (tx) => this.schedule(tx, provider, callback.events));
    for (const outcome of outcomes) this.count(provider, outcome);
    return RECEIVED;
  }

  private async verified(provider: CloudName, source: CallbackSource, request: CallbackRequest) {
    try {
      return await source.verify(request, this.clock.localNow());
    } catch (error) {
      if (error instanceof CallbackRefused) {
        this.count(provider, 'refused');
        this.log.info('cloud callback rejected', { provider, reason: error.reason });
        throw new DomainError('SIGNATURE_INVALID', ACCESS_MESSAGES.signature);
      }
      // The provider's keys could not be fetched, and it will deliver the message again.
      this.log.warn('cloud callback not verified', {
        provider,
        reason: error instanceof Error ? error.message : 'unknown',
      });
      throw new DomainError('SERVICE_UNAVAILABLE', ACCESS_MESSAGES.busy, { retry_after_s: RETRY_S });
    }
  }

  /** Returns the outcome of each event. A repeated message has no effect. */
  private async schedule(tx: Tx, provider: CloudName, events: readonly CloudEvent[]): Promise<Outcome[]> {
    const now = await this.clock.now(tx);
    const current = events.filter(({ sentAt }) => isCurrentEvent(sentAt, now));
    const fresh = await newMessages(tx, { provider, ids: current.map(({ id }) => id), at: now });
    const servers = await tx.query<{ deployment_id: number; id: string }>(
      `select deployment_id, provider_server_id as id from servers
       where provider = $1 and provider_server_id = any($2) and state <> 'gone'`,
      [provider, current.filter(({ id }) => fresh.has(id)).flatMap(({ serverIds }) => serverIds)],
    );
    await this.work.scheduleMany(
      tx,
      servers.map(({ deployment_id }) => ({
        kind: SERVER_CALLBACK_WORK,
        key: String(deployment_id),
        due_at: eventDueAt(now),
      })),
    );
    const ours = new Set(servers.map(({ id }) => id));
    return events.map((event): Outcome => {
      if (!current.includes(event)) return 'late';
      if (!fresh.has(event.id)) return 'repeated';
      return event.serverIds.some((id) => ours.has(id)) ? 'scheduled' : 'ignored';
    });
  }

  /** Returns the same response for every token, so that a caller does not learn which tokens are valid. */
  private async firstBoot(provider: CloudName, token: string): Promise<Answer> {
    const deploymentId = Number(FIRST_BOOT_TOKEN.exec(token)?.[1] ?? 0);
    const used = await this.db.tx('callbacks.first-boot', (tx) => this.useToken(tx, { provider, deploymentId, token }));
    this.count(provider, used ? 'scheduled' : 'refused');
    if (used) this.log.info('first boot reported', { provider, deployment_id: deploymentId });
    else this.log.info('first boot rejected', { provider });
    return RECEIVED;
  }

  private async useToken(
    tx: Tx,
    { provider, deploymentId, token }: { provider: CloudName; deploymentId: number; token: string },
  ): Promise<boolean> {
    const [row] = await tx.query<{ token_hash: string }>(
      `select t.token_hash from first_boot_tokens t
       where t.deployment_id = $1 and t.used_at is null
         and exists (select from runs r where r.id = t.run_id and r.state = 'running')
         and exists (select from servers s where s.deployment_id = t.deployment_id and s.provider = $2)
       for update of t`,
      [deploymentId, provider],
    );
    if (row === undefined || !sameText(hashOf(token), row.token_hash)) return false;
    const now = await this.clock.now(tx);
    await tx.execute('update first_boot_tokens set used_at = $2 where deployment_id = $1', [deploymentId, iso(now)]);
    await newMessages(tx, { provider, ids: [`first boot ${deploymentId}`], at: now });
    await this.work.schedule(tx, { kind: SERVER_CALLBACK_WORK, key: String(deploymentId), due_at: now });
    return true;
  }

  private count(provider: CloudName, outcome: Outcome): void {
    this.metrics.cloudCallbacks.inc({ provider, outcome });
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Stores the ids of messages and returns those that had not been received before. */
async function newMessages(
  tx: Tx,
  { provider, ids, at }: { provider: CloudName; ids: readonly string[]; at: Instant },
): Promise<ReadonlySet<string>> {
  const inserted = await tx.query<{ message_id: string }>(
    `insert into cloud_messages (provider, message_id, received_at)
     select $1, id, $3 from unnest($2::text[]) id group by id order by id on conflict do nothing returning message_id`,
    [provider, ids, iso(at)],
  );
  return new Set(inserted.map(({ message_id }) => message_id));
}
