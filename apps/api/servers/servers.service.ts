import type { NewestFirst, ServerAnswer } from '@moorage/contracts';
import { type Viewer, visibleTo } from '@moorage/database';
import { DomainError, isSimulated, ORDER_MESSAGES, peripheryScript } from '@moorage/domain';
import { Db, type SqlValue } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { countRows } from '../http/count';
import { type Listed, listed, pageSql, placeOf, type SortedRow } from '../http/paging';
import { ApiSettings } from '../settings';
import { UserKeys } from './user-keys.service';

type ServerRow = Omit<ServerAnswer, 'sandbox'> & SortedRow;

@Injectable()
export class ServersService {
  constructor(
    private readonly db: Db,
    private readonly packages: PackageManifests,
    private readonly userKeys: UserKeys,
    private readonly settings: ApiSettings,
  ) {}

  /** Lists the existing servers of the viewer's deployments, or of all deployments for administrators. */
  list({ viewer, list }: { viewer: Viewer; list: NewestFirst }): Promise<Listed<ServerAnswer>> {
    return this.db.tx('servers.list', async (tx) => {
      const place = placeOf(list);
      const visible = visibleTo(viewer, { column: 'd.user_id', firstParameter: 1 });
      const params: SqlValue[] = [...visible.params];
      const param = (value: SqlValue): string => `$${params.push(value)}`;
      const whose = `${ALIVE} and ${visible.sql}`;
      const counted = place.cursor ?? (await countRows(tx, `deployments d where ${whose}`, params));
      const { conditions, orderBy, sortValue } = pageSql(list, place, { id: 'd.id', by: null }, param);
      const found = await tx.query<ServerRow>(
        `select ${COLUMNS}, ${sortValue} as sort_value ${TABLES} where ${[whose, ...conditions].join(' and ')}
           order by ${orderBy} limit ${place.perPage + 1} offset ${place.offset}`,
        params,
      );
      const page = listed(found, { paged: list, place, counted });
      return {
        ...page,
        rows: page.rows.map(({ id: _, sort_value: __, ...row }) => ({
          ...row,
          sandbox: isSimulated(this.settings.clouds, { ...row, vps_ip_address: row.address }),
        })),
      };
    });
  }

  /**
   * Returns the compose file that grants the platform access to the user's server. Throws NOT_FOUND for an unknown
   * package. The first request creates the user's key pair.
   */
  async peripheryScript({
    userId,
    package: name,
    sshUser,
  }: {
    userId: number;
    package: string | undefined;
    sshUser: string;
  }): Promise<string> {
    const found = name === undefined ? null : this.packages.find(name);
    if (name !== undefined && found === null) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.package_unknown);
    const line = await this.db.tx('servers.periphery-script', (tx) => this.userKeys.publicKey(tx, userId));
    const [type = '', key = ''] = line.split(' ');
    // Ports that only some orders open are not known yet.
    const ports = found?.firewall.filter(({ when }) => when === undefined) ?? WEB_PORTS;
    return peripheryScript({ publicKey: `${type} ${key}`, userId, sshUser, ports });
  }
}

/** Ports that every package needs, used while none is selected. */
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
/** Starts with the condition of the partial index, so that the index is used. */
const ALIVE = `d.status <> 'DELETED' and d.status <> 'DESTROYED'`;
