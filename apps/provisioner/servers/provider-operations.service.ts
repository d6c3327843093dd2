import { DECIDE_LEAK_WORK } from '@moorage/contracts';
import { auditLog, decideLeak, lockLeak, type Deployment } from '@moorage/database';
import {
  type BreakerReason,
  CLOUD_NAMES,
  type CloudName,
  type Instant,
  isEnded,
  iso,
  type LeakState,
} from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { ServerPlace } from '../clouds/cloud';
import { ConfirmLost, type LossPlan } from './confirm-lost.use-case';
import { serverSubject } from '../server-store/server-store';

/** State of one provider according to the rows. */
export interface ProviderState {
  readonly provider: CloudName;
  readonly project_id: string | null;
  /** Whether an administrator has confirmed that we may create servers in the project. */
  readonly is_confirmed: boolean;
  /** Whether credentials entered in the console are in use. */
  readonly has_entered: boolean;
  /** Time from which the credentials have led to our project. */
  readonly proven_at: Instant | null;
  readonly refused_at: Instant | null;
  /** Whether only the creation of servers was refused. */
  readonly create_refused: boolean;
  readonly opened_at: Instant | null;
  readonly reason: BreakerReason | null;
  /** Time until which the provider accepts no requests. */
  readonly paused_until: Instant | null;
  readonly source: string | null;
  readonly refreshed_at: Instant | null;
  /** The time of the last accepted callback of the provider or of a new server. */
  readonly called_at: Instant | null;
}

/** Decisions of operators about providers. Each decision is recorded with the operator and the reason. */
@Injectable()
export class ProviderOperations {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly confirmLost: ConfirmLost,
    private readonly work: WorkSchedule,
  ) {}

  /** Returns every provider in the catalogue's order. */
  states(): Promise<ProviderState[]> {
    return this.db.tx('provider.states', async (tx) =>
      tx.query<ProviderState>(STATES, [[...CLOUD_NAMES], iso(await this.clock.now(tx))]),
    );
  }

  /** Returns what `confirm` would do now, without changing anything. */
  plan(provider: string): Promise<LossPlan> {
    return this.confirmLost.plan(provider);
  }

  /** Declares servers lost that a distrusted provider no longer lists. Returns the deployments that failed. */
  confirm(decision: { provider: string; by: string; reason: string }): Promise<number[]> {
    return this.confirmLost.confirm(decision);
  }

  /** Unpins the project, so that the next project of the credentials is pinned. Returns false if none was pinned. */
  forgetProject({ provider, by, reason }: { provider: string; by: string; reason: string }): Promise<boolean> {
    return this.db.tx('provider.forget-project', async (tx) => {
      const [row] = await tx.query<{ project_id: string }>(
        'select project_id from provider_breakers where provider = $1 and project_id is not null for update',
        [provider],
      );
      if (row === undefined) return false;
      await tx.execute('update provider_breakers set project_id = null, pinned_at = null where provider = $1', [
        provider,
      ]);
      const facts = { by, reason, project_id: row.project_id };
      await auditLog.record(tx, {
        action: 'provider.project_forgotten',
        subject: `provider:${provider}`,
        facts,
        at: await this.clock.now(tx),
      });
      return true;
    });
  }

  /**
   * Allows the removal of a server that reappeared after its deployment was given up. Returns false if there is no such
   * server.
   */
  confirmRemoval({
    provider,
    server_id,
    by,
    reason,
  }: {
    provider: string;
    server_id: string;
    by: string;
    reason: string;
  }): Promise<boolean> {
    return this.db.tx('provider.confirm-removal', async (tx) => {
      const now = await this.clock.now(tx);
      const [row] = await tx.query<Pick<Deployment, 'id'>>(
        `update servers s set removal_confirmed_at = $3 from deployments d
         where d.id = s.deployment_id and s.provider = $1 and s.provider_server_id = $2
           and d.lost_from is not null and d.status in ('DESTROYED', 'DELETED')
         returning d.id`,
        [provider, server_id, iso(now)],
      );
      if (row === undefined) return false;
      const facts = { by, reason, provider, server_id };
      await auditLog.record(tx, {
        action: 'server.removal_confirmed',
        subject: `deployment:${row.id}`,
        facts,
        at: now,
      });
      return true;
    });
  }

  /** Returns the server without an owner at this place, or null if no check found a remaining server. */
  unowned(provider: string, place: ServerPlace): Promise<UnownedServer | null> {
    return this.db.tx('provider.unowned', async (tx) => {
      const [found] = await tx.query<UnownedServer>(UNOWNED, [provider, place.region, place.id]);
      return found ?? null;
    });
  }

  /** Requests the removal of a server without an owner. The provider and our rows are checked again first. */
  removeUnowned({
    provider,
    place,
    by,
    reason,
  }: {
    provider: string;
    place: ServerPlace;
    by: string;
    reason: string;
  }): Promise<'asked' | 'suspected' | 'none'> {
    return this.db.tx('provider.remove-unowned', async (tx) => {
      const [found] = await tx.query<UnownedServer>(UNOWNED, [provider, place.region, place.id]);
      const leak = found === undefined ? null : await lockLeak(tx, found.id);
      if (leak === null || isEnded(leak.state)) return 'none';
      if (leak.state === 'suspected') return 'suspected';
      const at = await this.clock.now(tx);
      await decideLeak(tx, leak.id, { state: 'removing', by, reason, at });
      const facts = { by, reason, name: leak.name };
      const subject = serverSubject(provider, place);
      await auditLog.record(tx, { action: 'server.without_owner_given_up', subject, facts, at });
      await this.work.schedule(tx, { kind: DECIDE_LEAK_WORK, key: String(leak.id), due_at: at });
      return 'asked';
    });
  }
}

/** A server at a provider that no deployment of ours owns. */
export interface UnownedServer {
  readonly id: number;
  readonly name: string;
  readonly ref: string | null;
  readonly state: LeakState;
  readonly first_seen_at: Instant;
}

const UNOWNED = `
select id, name, labels ->> 'deployment' as ref, state, first_seen_at from cloud_leaks
where kind = 'server' and provider = $1 and region = $2 and holding_id = $3 and ended_at is null`;

const STATES = `
select p.provider, b.project_id, coalesce(b.confirmed_project_id = b.project_id, false) as is_confirmed,
  exists (select from provider_credentials e where e.provider = p.provider and e.stored_at is not null) as has_entered,
  b.proven_at, b.refused_at, b.create_refused_with is not null as create_refused,
  b.opened_at, b.reason, q.paused_until, c.source, c.refreshed_at,
  (select max(received_at) from cloud_messages m where m.provider = p.provider) as called_at
from unnest($1::text[]) with ordinality as p (provider, place)
  left join provider_breakers b on b.provider = p.provider
  left join catalogues c on c.provider = p.provider and c.refreshed_at is not null
  left join lateral (
    select max(blocked_until) as paused_until from cloud_budgets
    where split_part(name, ' ', 1) = p.provider and blocked_until > $2
  ) q on true
order by p.place`;
