import { deploymentSecrets, SHARED_SECRETS, SSH_PRIVATE_KEY } from '@moorage/contracts';
import { SealBox, Secrets, type Db, type Random, sshKeyPair, systemClock } from '@moorage/server';
import { addressOf, hostOf } from './protocol';

/** Sealed secrets as in production, with a key of the benchmark. */
export const secretsOf = (random: Random) =>
  new Secrets({
    box: new SealBox({ keys: [{ id: 'bench', key: Buffer.alloc(32, 7) }], random }),
    clock: systemClock(),
    kinds: SHARED_SECRETS,
  });

/**
 * Inserts running deployments with a domain and a server of ours each. The first response checks are due at once. Those
 * of servers and names are spread over their intervals, as they are after deployments were created at different times.
 */
export async function seedDeployments(
  db: Db,
  { count, host_key, random }: { count: number; host_key: string; random: Random },
): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const secrets = secretsOf(random);
  await db.tx('seed', async (tx) => {
    await tx.execute(
      `insert into users (id, username, email, email_normalised, password_hash, is_verified, referral_code, created_at)
       select i, 'user' || i, 'user' || i || '@example.org', 'user' || i || '@example.org', 'none', true, 'code' || i, now()
       from generate_series(1, 100) i`,
      [],
    );
    await tx.execute(
      `insert into deployments (id, user_id, ref, client_name, client_id, package, server_type, cloud_provider, region, instance_type,
         support_level, instance_hourly_micros, status, server_exists, domain, admin_subdomain, instance_ip, config, billable_from, created_at, updated_at)
       select id, 1 + id % 100, lpad(id::text, 16, '0'), 'client-' || id, 'client-' || id, 'pangolin', 'new', 'hetzner', 'fsn1', 'cpx22',
         1, 35600, 'READY', true, host, 'admin', address::inet,
         jsonb_build_object('DOMAIN', host, 'EMAIL', 'owner@example.org', 'ADMIN_SUBDOMAIN', 'admin'), now(), now(), now()
       from unnest($1::int[], $2::text[], $3::text[]) as wanted (id, host, address)`,
      [ids, ids.map(hostOf), ids.map(addressOf)],
    );
    await tx.execute(
      `insert into servers (deployment_id, provider, region, instance_type, provider_server_id, address, host_key_sha256, state, created_at)
       select id, 'hetzner', 'fsn1', 'cpx22', id::text, instance_ip, $1, 'exists', now() from deployments`,
      [host_key],
    );
    await tx.execute(
      `insert into reachability (deployment_id, state, due_at, host_due_at, names_due_at)
       select id, 'unknown', now(), now() + id % 300 * interval '1 second', now() + id * 7 % 3600 * interval '1 second'
       from deployments`,
      [],
    );
    const { privateKey } = sshKeyPair(random);
    for (const id of ids) await secrets.put(tx, deploymentSecrets(id), SSH_PRIVATE_KEY, privateKey);
  });
}
