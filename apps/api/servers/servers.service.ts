import type { NewestFirst, ServerAnswer } from '@moorage/contracts';
import { DomainError, ORDER_WORDS, peripheryScript } from '@moorage/domain';
import type { Db, SqlValue } from '@moorage/server';
import type { Packages } from '../catalogue/packages';
import { countRows } from '../http/count';
import { type Listed, listed, pageSql, placeOf, type SortedRow } from '../http/paging';
import type { UserKeys } from './user-key';

export interface ServersService {
  /** Those of deployments that are not gone. `userId` null: everybody's. */
  list(ask: { userId: number | null; list: NewestFirst }): Promise<Listed<ServerAnswer>>;
  /** The compose file that lets us in; NOT_FOUND for an unknown package. Makes the user's key pair on first ask. */
  peripheryScript(ask: { userId: number; package: string | undefined }): Promise<string>;
}

type ServerRow = Omit<ServerAnswer, 'sandbox'> & SortedRow;

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
    list: ({ userId, list }) =>
      db.tx('servers.list', async (tx) => {
        const place = placeOf(list);
        const params: SqlValue[] = [];
        const param = (value: SqlValue): string => `$${params.push(value)}`;
        const whose = ALIVE + (userId === null ? '' : ` and d.user_id = ${param(userId)}`);
        const counted = place.cursor ?? (await countRows(tx, `deployments d where ${whose}`, params));
        const { conditions, orderBy, sortValue } = pageSql(list, place, { id: 'd.id', by: null }, param);
        const found = await tx.query<ServerRow>(
          `select ${COLUMNS}, ${sortValue} as sort_value ${TABLES} where ${[whose, ...conditions].join(' and ')}
           order by ${orderBy} limit ${place.perPage + 1} offset ${place.offset}`,
          params,
        );
        const page = listed(found, { ask: list, place, counted });
        return {
          ...page,
          rows: page.rows.map(({ id: _, sort_value: __, ...row }) => ({
            ...row,
            sandbox: sandbox && row.server_type === 'new',
          })),
        };
      }),

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

const COLUMNS = `d.id, d.id as deployment_id, d.client_name, d.package, d.server_type, d.cloud_provider, d.region, d.instance_type,
  coalesce(host(d.vps_ip_address), host(s.address), host(d.instance_ip)) as address,
  coalesce(s.host_key_sha256, h.host_key_sha256) as host_key_sha256, d.status, d.user_id`;
const TABLES = `from deployments d
left join servers s on s.deployment_id = d.id
left join vps_hosts h on h.user_id = d.user_id and h.address = d.vps_ip_address`;
/** The first half is that of the index. */
const ALIVE = `d.status <> 'DELETED' and d.status <> 'DESTROYED'`;
