import type { DeploymentRow } from '@moorage/database';
import { type GivenName, type Instant, iso, type StoredRecords } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** Open changes count, because an undone change of the domain returns to the name. */
const GIVEN = `
select n.name, host(coalesce(d.instance_ip, d.vps_ip_address)) as address,
  d.status not in ('FAILED', 'DESTROYED', 'DELETED') and (d.domain = n.name or d.status <> 'READY' or exists (
    select from deployment_changes c where c.deployment_id = d.id and c.state in ('running', 'undoing'))) as in_use
from platform_names n join deployments d on d.id = n.deployment_id where n.released_at is null`;
const NAMES_MAX = 50_000;

/** Rows of the names that the platform gave, and of their records. */
@Injectable()
export class PlatformRecordsService {
  /**
   * Prepares setting the records of a deployment. Returns its name, or null if it has none of the platform. The name of
   * a move's source passes to the target, and a released name returns to its reopened deployment.
   */
  async acquire(tx: Tx, { id, domain }: DeploymentRow, address: string): Promise<string | null> {
    const [row] = await tx.query<{ name: string }>(
      `select name from platform_names where name = $2 and (deployment_id = $1 or deployment_id in (
         select source_id from moves where target_id = $1 and kind = 'move' and state in ('running', 'waiting')))
       for update`,
      [id, domain],
    );
    if (row === undefined) return null;
    await this.assign(tx, row.name, id, address);
    return row.name;
  }

  /** Returns the names of a deployment that is being removed, with the source of an unfinished move that keeps it. */
  async ofRemoved(
    tx: Tx,
    { id }: DeploymentRow,
  ): Promise<{ name: string; source: { id: number; address: string } | null }[]> {
    const rows = await tx.query<{ name: string; source_id: number | null; address: string | null }>(
      `select n.name, s.id as source_id, host(coalesce(s.instance_ip, s.vps_ip_address)) as address
       from platform_names n left join moves m on m.target_id = n.deployment_id and m.kind = 'move'
       left join deployments s on s.id = m.source_id and s.domain = n.name and s.desired = 'running'
         and s.status not in ('FAILED', 'DESTROYED', 'DELETED')
       where n.deployment_id = $1 and n.released_at is null order by n.name for update of n`,
      [id],
    );
    return rows.map(({ name, source_id, address }) => ({
      name,
      source: source_id === null || address === null ? null : { id: source_id, address },
    }));
  }

  async assign(tx: Tx, name: string, deploymentId: number, address: string): Promise<void> {
    await tx.execute('update platform_names set deployment_id = $2, released_at = null where name = $1', [
      name,
      deploymentId,
    ]);
    await tx.execute(
      `insert into platform_records (name, address) values ($1, $2::inet)
       on conflict (name) do update set address = excluded.address, unwanted_since = null`,
      [name, address],
    );
  }

  /** Records that a name has no records any more, so that it can be given again. */
  async removed(tx: Tx, name: string, at: Instant): Promise<void> {
    await tx.execute('delete from platform_records where name = $1', [name]);
    await tx.execute('update platform_names set released_at = $2 where name = $1 and released_at is null', [
      name,
      iso(at),
    ]);
  }

  async given(tx: Tx): Promise<GivenName[]> {
    const rows = await tx.query<{ name: string; address: string | null; in_use: boolean }>(
      `${GIVEN} order by n.name limit ${NAMES_MAX}`,
    );
    return rows.map(({ name, address, in_use: inUse }) => ({ name, address, inUse }));
  }

  async stored(tx: Tx): Promise<StoredRecords[]> {
    const rows = await tx.query<{ name: string; unwanted_since: Instant | null }>(
      `select name, unwanted_since from platform_records order by name limit ${NAMES_MAX}`,
    );
    return rows.map(({ name, unwanted_since: unwantedSince }) => ({ name, unwantedSince }));
  }

  /** Returns whether a deployment uses the name, and locks the name until the end of the transaction. */
  async isInUse(tx: Tx, name: string): Promise<boolean> {
    const [row] = await tx.query<{ in_use: boolean }>(`${GIVEN} and n.name = $1 for update of n`, [name]);
    return row?.in_use === true;
  }

  async suspect(tx: Tx, names: readonly string[], at: Instant): Promise<void> {
    await tx.execute(
      `insert into platform_records (name, unwanted_since) select name, $2 from unnest($1::text[]) name
       on conflict (name) do update set unwanted_since = coalesce(platform_records.unwanted_since, excluded.unwanted_since)`,
      [names, iso(at)],
    );
  }

  async clear(tx: Tx, names: readonly string[]): Promise<void> {
    await tx.execute('update platform_records set unwanted_since = null where name = any($1::text[])', [names]);
  }
}
