import {
  type AutomaticUpdates,
  BILLABLE,
  DEFAULT_UPDATE_SETTINGS,
  type Instant,
  iso,
  type SupportNotified,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { Deployment } from './entities';

/** Deployments of an owner that one check reads. */
const DEPLOYMENTS_MAX = 500;
const ENDED_PER_PASS = 1_000;

/** Returns owners of running deployments that were not checked since `before`, those that waited longest first. */
export async function ownersToCheck(tx: Tx, { before, limit }: { before: Instant; limit: number }): Promise<number[]> {
  const rows = await tx.query<Pick<Deployment, 'user_id'>>(
    `select d.user_id from deployments d left join version_checks c on c.user_id = d.user_id
     where d.status = any($1::text[]) and coalesce(c.checked_at, '-infinity') <= $2
     group by d.user_id order by min(coalesce(c.checked_at, '-infinity')), d.user_id limit $3`,
    [BILLABLE, iso(before), limit],
  );
  return rows.map(({ user_id }) => user_id);
}

/** Locks the check of an owner and records it. Returns null if another process has made it since `before`. */
export async function claimVersionCheck(
  tx: Tx,
  userId: number,
  { at, before }: { at: Instant; before: Instant },
): Promise<{ readonly announced_at: Instant | null } | null> {
  const [row] = await tx.query<{ announced_at: Instant | null }>(
    `insert into version_checks as c (user_id, checked_at) values ($1, $2)
     on conflict (user_id) do update set checked_at = $2 where c.checked_at <= $3 returning announced_at`,
    [userId, iso(at), iso(before)],
  );
  return row ?? null;
}

/** A running deployment with the state that decides about emails on its version. */
export interface VersionedDeployment extends Pick<
  Deployment,
  'id' | 'ref' | 'client_name' | 'package' | 'status' | 'release'
> {
  readonly is_held: boolean;
  readonly automatic: AutomaticUpdates;
  readonly announced: string | null;
  readonly notified: SupportNotified | null;
  /** Version of the latest update if it has failed. */
  readonly failed: string | null;
}

export function versionedDeployments(tx: Tx, userId: number): Promise<VersionedDeployment[]> {
  return tx.query<VersionedDeployment>(
    `select d.id, d.ref, d.client_name, d.package, d.status, d.release, coalesce(s.is_held, $3) as is_held,
       coalesce(s.automatic, $4) as automatic, n.announced,
       case when n.support_version is not null then jsonb_build_object('version', n.support_version,
         'until', n.support_until, 'notice', n.support_notice) end as notified,
       (select case when c.state = 'failed' then c.after ->> 'release' end from deployment_changes c
        where c.deployment_id = d.id and c.kind = 'update' order by c.id desc limit 1) as failed
     from deployments d
     left join update_settings s on s.deployment_id = d.id
     left join version_notices n on n.deployment_id = d.id
     where d.user_id = $1 and d.status = any($2::text[]) order by d.id limit ${DEPLOYMENTS_MAX}`,
    [userId, BILLABLE, DEFAULT_UPDATE_SETTINGS.is_held, DEFAULT_UPDATE_SETTINGS.automatic],
  );
}

export async function noteAnnounced(tx: Tx, deploymentId: number, version: string): Promise<void> {
  await tx.execute(
    `insert into version_notices (deployment_id, announced) values ($1, $2)
     on conflict (deployment_id) do update set announced = $2`,
    [deploymentId, version],
  );
}

export async function noteSupportNotice(
  tx: Tx,
  deploymentId: number,
  { version, until, notice }: SupportNotified,
): Promise<void> {
  await tx.execute(
    `insert into version_notices (deployment_id, support_version, support_until, support_notice)
     values ($1, $2, $3, $4)
     on conflict (deployment_id) do update set support_version = $2, support_until = $3, support_notice = $4`,
    [deploymentId, version, until, notice],
  );
}

/** Removes the notices of deployments that no longer exist. */
export async function endVersionNotices(tx: Tx): Promise<void> {
  await tx.execute(
    `delete from version_notices where deployment_id in (
       select n.deployment_id from version_notices n join deployments d on d.id = n.deployment_id
       where d.status in ('DESTROYED', 'DELETED') limit ${ENDED_PER_PASS})`,
    [],
  );
}
