import type { Server } from '@moorage/database';
import { type Instant, iso } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { CloudServer } from '../clouds/cloud';

export type ServerRow = Readonly<Server>;

export const OWN_SERVER = 'own';

export async function findServer(tx: Tx, deploymentId: number): Promise<ServerRow | null> {
  const [row] = await tx.query<ServerRow>(
    'select *, host(address) as address, host(ipv6_address) as ipv6_address from servers where deployment_id = $1',
    [deploymentId],
  );
  return row ?? null;
}

/** Inserts the server that is about to be requested. An existing row stays unchanged. */
export async function wantServer(
  tx: Tx,
  server: {
    deployment_id: number;
    provider: string;
    region: string;
    instance_type: string;
    ssh_user: string;
    ssh_port: number;
    host_key_sha256: string | null;
    address: string | null;
    at: Instant;
  },
): Promise<void> {
  await tx.execute(
    `insert into servers (deployment_id, provider, region, instance_type, ssh_user, ssh_port, host_key_sha256, address, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (deployment_id) do nothing`,
    [
      server.deployment_id,
      server.provider,
      server.region,
      server.instance_type,
      server.ssh_user,
      server.ssh_port,
      server.host_key_sha256,
      server.address,
      iso(server.at),
    ],
  );
}

/**
 * Records the server. Returns false if the deployment has another server by now, or no longer needs a server. The given
 * server is then a duplicate created by a stale worker, and that worker removes it.
 */
export async function serverExists(
  tx: Tx,
  deploymentId: number,
  { id, address }: { id: string | null; address: string | null },
): Promise<boolean> {
  const written = await tx.execute(
    `update servers set state = 'exists', asked_at = null, provider_server_id = $2, address = coalesce($3, address)
     where deployment_id = $1 and state <> 'gone' and (provider_server_id is null or provider_server_id = $2)`,
    [deploymentId, id, address],
  );
  return written > 0;
}

/** Replaces the lost server with this server of the same region and size. Returns false if that is not possible. */
export async function adoptServer(tx: Tx, deploymentId: number, server: CloudServer): Promise<boolean> {
  const written = await tx.execute(
    `update servers set state = 'exists', gone_at = null, missed_at = null, lost_seen_at = null, moved_to = null,
       provider_server_id = $2, address = coalesce($3::inet, address)
     where deployment_id = $1 and state = 'gone' and region = $4 and instance_type = coalesce($5, instance_type)`,
    [deploymentId, server.id, server.address, server.region, server.instance_type ?? null],
  );
  return written > 0;
}

export async function serverGone(tx: Tx, deploymentId: number, at: Instant): Promise<void> {
  await tx.execute(`update servers set state = 'gone', gone_at = $2 where deployment_id = $1 and state <> 'gone'`, [
    deploymentId,
    iso(at),
  ]);
}

/**
 * Records the time before the create request. Clears it (null) after the provider reported that nothing was created.
 */
export async function serverRequested(tx: Tx, deploymentId: number, at: Instant | null): Promise<void> {
  await tx.execute('update servers set asked_at = $2 where deployment_id = $1', [
    deploymentId,
    at === null ? null : iso(at),
  ]);
}

/** Records the size that the provider has confirmed, also in the deployment's row. */
export async function serverResized(
  tx: Tx,
  deploymentId: number,
  { instance_type, disk_gb }: { instance_type: string; disk_gb: number | null },
): Promise<void> {
  await tx.execute('update servers set instance_type = $2, disk_gb = $3 where deployment_id = $1', [
    deploymentId,
    instance_type,
    disk_gb,
  ]);
  await tx.execute('update deployments set instance_type = $2, version = version + 1 where id = $1', [
    deploymentId,
    instance_type,
  ]);
}

export async function serverHasIpv6(tx: Tx, deploymentId: number, address: string | null): Promise<void> {
  await tx.execute('update servers set ipv6_address = $2 where deployment_id = $1', [deploymentId, address]);
}

/** Updates the deployment's row with facts about its server. The version notifies the console. */
export async function noteServer(
  tx: Tx,
  deploymentId: number,
  facts: { server_exists?: boolean; instance_ip?: string | null },
): Promise<void> {
  await tx.execute(
    `update deployments set version = version + 1,
       server_exists = coalesce($2, server_exists), instance_ip = coalesce($3::inet, instance_ip) where id = $1`,
    [deploymentId, facts.server_exists ?? null, facts.instance_ip ?? null],
  );
}

/** Returns the subject of an audit record about a server that belongs to no deployment. */
export const serverSubject = (
  provider: string,
  { region, id }: { readonly region: string; readonly id: string },
): string => `${provider}/${region}/${id}`;
