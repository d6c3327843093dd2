import type { ServerAnswer } from '@moorage/contracts';
import { DomainError, ORDER_WORDS, peripheryScript } from '@moorage/domain';
import type { Db } from '@moorage/server';
import type { Packages } from '../catalogue/packages';
import type { UserKeys } from './user-key';

export interface ServersService {
  /** Newest first, at most 500: those of deployments that are not gone. `userId` null: everybody's. */
  list(whose: { userId: number | null }): Promise<ServerAnswer[]>;
  /** The compose file that lets us in; NOT_FOUND for an unknown package. Makes the user's key pair on first ask. */
  peripheryScript(ask: { userId: number; package: string | undefined }): Promise<string>;
}

const SERVERS_MAX = 500;

type ServerRow = Omit<ServerAnswer, 'sandbox'>;

export function createServersService({
  db,
  packages,
  userKeys,
  sandbox,
}: {
  db: Db;
  packages: Packages;
  userKeys: UserKeys;
  sandbox: boolean;
}): ServersService {
  return {
    async list({ userId }) {
      const rows = await db.tx('servers.list', (tx) => tx.query<ServerRow>(LIST, [userId]));
      return rows.map((row) => ({ ...row, sandbox: sandbox && row.server_type === 'new' }));
    },

    async peripheryScript({ userId, package: name }) {
      const found = name === undefined ? null : packages.find(name);
      if (name !== undefined && found === null) throw new DomainError('NOT_FOUND', ORDER_WORDS.package_unknown);
      const line = await db.tx('servers.periphery-script', (tx) => userKeys.publicKey(tx, userId));
      const [type = '', key = ''] = line.split(' ');
      return peripheryScript({ publicKey: `${type} ${key}`, userId, ports: found?.firewall ?? WEB_PORTS });
    },
  };
}

/** What every package needs, as long as none is chosen. */
const WEB_PORTS = [
  { port: 80, proto: 'tcp' },
  { port: 443, proto: 'tcp' },
] as const;

const LIST = `
select d.id as deployment_id, d.client_name, d.package, d.server_type, d.cloud_provider, d.region, d.instance_type,
  coalesce(host(d.vps_ip_address), host(s.address), host(d.instance_ip)) as address,
  coalesce(s.host_key_sha256, h.host_key_sha256) as host_key_sha256, d.status, d.user_id
from deployments d
left join servers s on s.deployment_id = d.id
left join vps_hosts h on h.user_id = d.user_id and h.address = d.vps_ip_address
where d.status not in ('DESTROYED', 'DELETED') and ($1::integer is null or d.user_id = $1)
order by d.id desc limit ${SERVERS_MAX}`;
