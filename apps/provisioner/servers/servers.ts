import { type Instant, iso } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { CloudServer } from '../clouds/cloud';

/** A servers row: what we know of the machine a deployment runs on, ours or the user's own. */
export interface ServerRow {
  readonly deployment_id: number;
  /** One of the seven, or `own`. */
  readonly provider: string;
  readonly region: string;
  readonly instance_type: string;
  readonly provider_server_id: string | null;
  readonly address: string | null;
  /** A global one, where the machine has it. */
  readonly ipv6_address: string | null;
  readonly host_key_sha256: string | null;
  /** The key that the bootstrap is about to put in place of the first one: both are ours, either may answer meanwhile. */
  readonly next_host_key_sha256: string | null;
  readonly host_key_renewed: boolean;
  readonly ssh_user: string;
  readonly ssh_port: number;
  readonly state: 'wanted' | 'exists' | 'gone';
  /** A create was sent and its end is not known. */
  readonly asked_at: Instant | null;
  readonly lost_seen_at: Instant | null;
  readonly created_at: Instant;
  readonly gone_at: Instant | null;
}

export const OWN_SERVER = 'own';

export async function findServer(tx: Tx, deploymentId: number): Promise<ServerRow | null> {
  const [row] = await tx.query<ServerRow>(
    'select *, host(address) as address, host(ipv6_address) as ipv6_address from servers where deployment_id = $1',
    [deploymentId],
  );
  return row ?? null;
}

/** The server that is going to be asked for; a row that is there stays as it is. */
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
 * False: this deployment has another server by now, or needs none any more. Then the one in hand is a double (made by a
 * worker that was overtaken), and whoever made it takes it away.
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

/** This server takes the place of the lost one, in the same region and of the same size. False: it cannot. */
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

/** Written before the call (an instant), taken back when the provider said that nothing was made (null). */
export async function serverAsked(tx: Tx, deploymentId: number, at: Instant | null): Promise<void> {
  await tx.execute('update servers set asked_at = $2 where deployment_id = $1', [
    deploymentId,
    at === null ? null : iso(at),
  ]);
}

export async function serverHasIpv6(tx: Tx, deploymentId: number, address: string | null): Promise<void> {
  await tx.execute('update servers set ipv6_address = $2 where deployment_id = $1', [deploymentId, address]);
}

/** What the provisioner learns about a deployment's server, in the deployment's own row; the version tells the console. */
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

/** The subject of an audit record about a server that belongs to no deployment. */
export const serverSubject = (
  provider: string,
  { region, id }: { readonly region: string; readonly id: string },
): string => `${provider}/${region}/${id}`;
