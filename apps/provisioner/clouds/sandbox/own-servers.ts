import { DAY_MS, iso, isSimulatedOwnServer } from '@moorage/domain';
import { type Clock, type Db, sshKeyPair, systemRandom } from '@moorage/server';

/** Marks the machines of simulated own servers, which belong to no provider. */
export const OWN = 'own';
const UNUSED_RETENTION_MS = 30 * DAY_MS;
const MACHINES_MAX = 10_000;

/**
 * Simulated customers' own servers: fresh machines at the addresses of a range that everybody may use. A machine exists
 * from the first connection to its address. It behaves as if its owner had run our script, so it authorizes the first
 * key that logs in while it has no other.
 */
export class OwnServers {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /** Creates the machine of an address of the range unless it exists, and does nothing for other addresses. */
  async prepare(address: string): Promise<void> {
    if (!isSimulatedOwnServer(address)) return;
    await this.db.tx('sandbox.own-server', async (tx) => {
      const [known] = await tx.query('select 1 from sandbox_servers where address = $1::inet', [address]);
      if (known !== undefined) return;
      const now = await this.clock.now(tx);
      await tx.execute(
        `delete from sandbox_servers s where provider = $1 and created_at < $2 and not exists
           (select 1 from deployments d where d.vps_ip_address = s.address and d.status not in ('DESTROYED', 'DELETED'))`,
        [OWN, iso(now - UNUSED_RETENTION_MS)],
      );
      await tx.execute(
        `insert into sandbox_servers (provider, region, instance_type, name, labels, address, user_data, created_at, ready_at)
         select $1, '', '', $1, '{}', $2, $3, $4, $4 where (select count(*) from sandbox_servers where provider = $1) < $5
         on conflict (address) do nothing`,
        [OWN, address, userData(), iso(now), MACHINES_MAX],
      );
    });
  }
}

/** Returns the user data of a machine without keys, which is JSON and therefore YAML. */
const userData = (): string => JSON.stringify({ ssh_keys: { ed25519_private: sshKeyPair(systemRandom()).privateKey } });
