import {
  type BreakerReason,
  type CredentialRefusal,
  type Instant,
  iso,
  Money,
  type ServerGroup,
} from '@moorage/domain';
import type { Reads, Tx } from '@moorage/server';
import { z } from 'zod';

/** Stored state of a provider. */
export interface ProviderRow {
  readonly provider: string;
  readonly project_id: string | null;
  readonly pinned_at: Instant | null;
  /** Time of the confirmation by an administrator, or null. */
  readonly confirmed_at: Instant | null;
  readonly proven_at: Instant | null;
  readonly refused_at: Instant | null;
  readonly create_refused: boolean;
  /** Time at which the breaker opened, or null while the provider's responses are trusted. */
  readonly opened_at: Instant | null;
  readonly reason: BreakerReason | null;
}

export const providerRows = (reads: Reads): Promise<ProviderRow[]> =>
  reads.query<ProviderRow>(
    `select provider, project_id, pinned_at, proven_at,
       case when confirmed_project_id = project_id then confirmed_at end as confirmed_at, refused_at, create_refused_with is not null as create_refused,
       opened_at, reason
     from provider_breakers`,
  );

const rights = z.array(
  z.object({ name: z.string(), state: z.enum(['allowed', 'missing', 'unknown']), words: z.string().nullable() }),
);
const quota = z.array(
  z.object({ name: z.string(), region: z.string().nullable(), limit: z.number(), used: z.number() }),
);

/** Result of the last check of a provider, and the last failed call. */
export interface ProviderCheckRow {
  readonly provider: string;
  readonly requested_at: Instant | null;
  readonly checked_at: Instant | null;
  readonly rights: z.infer<typeof rights> | null;
  readonly quota: z.infer<typeof quota> | null;
  readonly error_kind: string | null;
  readonly error_words: string | null;
  readonly error_at: Instant | null;
}

export async function providerChecks(reads: Reads): Promise<ProviderCheckRow[]> {
  const rows = await reads.query<ProviderCheckRow>(
    `select provider, requested_at, checked_at, rights, quota, error_kind, error_words, error_at from provider_checks`,
  );
  return rows.map((row) => ({
    ...row,
    rights: rights.nullable().parse(row.rights),
    quota: quota.nullable().parse(row.quota),
  }));
}

/** Credentials entered in the console, without their values. */
export interface ProviderCredentialsRow {
  readonly provider: string;
  readonly stored_at: Instant | null;
  readonly entered_at: Instant | null;
  readonly entered_state: 'testing' | 'refused' | null;
  readonly refused_reason: CredentialRefusal | null;
  readonly refused_words: string | null;
}

export const enteredCredentialsRows = (reads: Reads): Promise<ProviderCredentialsRow[]> =>
  reads.query<ProviderCredentialsRow>(
    `select provider, stored_at, entered_at, entered_state, refused_reason, refused_words from provider_credentials`,
  );

/** Returns whether an administrator confirmed the current project of this provider. */
export async function isProjectConfirmed(reads: Reads, provider: string): Promise<boolean> {
  const rows = await reads.query(
    'select 1 from provider_breakers where provider = $1 and confirmed_project_id = project_id',
    [provider],
  );
  return rows.length > 0;
}

/** Returns the providers with accepted credentials and a project that needs confirmation by an administrator. */
export async function unconfirmedProviders(reads: Reads): Promise<string[]> {
  const rows = await reads.query<{ provider: string }>(
    `select provider from provider_breakers
     where proven_at is not null and refused_at is null and confirmed_project_id is distinct from project_id`,
  );
  return rows.map(({ provider }) => provider);
}

/**
 * Confirms that servers may be created in a project.
 *
 * @returns `changed` if the credentials belong to another project or to none, `before` if the project was confirmed
 * already
 */
export async function confirmProject(
  tx: Tx,
  { provider, project_id, now }: { provider: string; project_id: string; now: Instant },
): Promise<'confirmed' | 'before' | 'changed'> {
  const [row] = await tx.query<{ project_id: string | null; confirmed: string | null }>(
    'select project_id, confirmed_project_id as confirmed from provider_breakers where provider = $1 for update',
    [provider],
  );
  if (row?.project_id !== project_id) return 'changed';
  if (row.confirmed === project_id) return 'before';
  await tx.execute('update provider_breakers set confirmed_project_id = $2, confirmed_at = $3 where provider = $1', [
    provider,
    project_id,
    iso(now),
  ]);
  return 'confirmed';
}

/** Returns the end of the pause of each paused provider, by name. */
export async function pausedProviders(reads: Reads, now: Instant): Promise<ReadonlyMap<string, Instant>> {
  const rows = await reads.query<{ provider: string; until: Instant }>(
    `select split_part(name, ' ', 1) as provider, max(blocked_until) as until
     from cloud_budgets where blocked_until > $1 group by 1`,
    [iso(now)],
  );
  return new Map(rows.map(({ provider, until }) => [provider, until]));
}

/** Returns every server that exists at a provider, grouped by size and region. */
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
