import { type BreakerReason, type Instant, iso, Money, type ServerGroup } from '@moorage/domain';
import type { Reads } from '@moorage/server';

/** The stored state of one provider. */
export interface ProviderRow {
  readonly provider: string;
  readonly project_id: string | null;
  readonly pinned_at: Instant | null;
  readonly proven_at: Instant | null;
  readonly refused_at: Instant | null;
  readonly create_refused: boolean;
  /** When its breaker opened; null: its answers are believed. */
  readonly opened_at: Instant | null;
  readonly reason: BreakerReason | null;
}

export const providerRows = (reads: Reads): Promise<ProviderRow[]> =>
  reads.query<ProviderRow>(
    `select provider, project_id, pinned_at, proven_at, refused_at, create_refused_with is not null as create_refused,
       opened_at, reason
     from provider_breakers`,
  );

/** Until when each provider takes no request, by its name. A provider that takes requests is not in it. */
export async function pausedProviders(reads: Reads, now: Instant): Promise<ReadonlyMap<string, Instant>> {
  const rows = await reads.query<{ provider: string; until: Instant }>(
    `select split_part(name, ' ', 1) as provider, max(blocked_until) as until
     from cloud_budgets where blocked_until > $1 group by 1`,
    [iso(now)],
  );
  return new Map(rows.map(({ provider, until }) => [provider, until]));
}

/** Every server that exists at a provider, one row for each size and region. */
export async function serverGroups(reads: Reads): Promise<ServerGroup[]> {
  const rows = await reads.query<{
    provider: string;
    region: string;
    instance_type: string;
    servers: number;
    hourly: string;
    charged: string;
  }>(
    `select s.provider, s.region, s.instance_type, count(*)::int as servers,
       sum(d.instance_hourly_micros)::text as hourly,
       coalesce(sum(d.instance_hourly_micros)
         filter (where d.billable_from is not null and d.billable_to is null), 0)::text as charged
     from servers s join deployments d on d.id = s.deployment_id
     where s.state = 'exists' group by s.provider, s.region, s.instance_type
     order by s.provider, s.region, s.instance_type`,
  );
  return rows.map(({ provider, region, instance_type: instanceType, servers, hourly, charged }) => ({
    provider,
    region,
    instanceType,
    servers,
    hourly: Money.fromMicrosText(hourly),
    chargedHourly: Money.fromMicrosText(charged),
  }));
}
