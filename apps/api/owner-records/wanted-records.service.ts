import { type Deployment, furtherDomains, type Viewer } from '@moorage/database';
import {
  ACTIVE_DEPLOYMENT,
  checkDomain,
  connectName,
  connectPackage,
  type ConnectRequest,
  DomainError,
  envValuesOf,
  ORDER_MESSAGES,
  OWNER_RECORD_MESSAGES,
  OWNER_RECORDS_MAX,
  type OwnerRecord,
  wantedNames,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { oneDeployment } from '../deployments/deployment-view';
import { orderNames } from '../deployments/order-names';
import { HAS_PLATFORM_NAME } from '../deployments/platform-name.sql';
import { FieldsInvalid } from '../http/field-problems';
import { ApiSettings } from '../settings';

interface Row extends Pick<
  Deployment,
  'package' | 'status' | 'domain' | 'admin_subdomain' | 'static_page_subdomain' | 'config'
> {
  readonly address: string | null;
  readonly ipv6: string | null;
  readonly managed: boolean;
}

const READ = `
select d.package, d.status, d.domain, d.admin_subdomain, d.static_page_subdomain, d.config,
  host(coalesce(d.instance_ip, d.vps_ip_address)) as address, host(s.ipv6_address) as ipv6, ${HAS_PLATFORM_NAME} as managed
from deployments d left join servers s on s.deployment_id = d.id`;

export interface NamedDomain {
  readonly id: number;
  readonly viewer: Viewer;
  /** A further domain of the deployment, or the domain that it will get. Null for its current domain. */
  readonly domain: string | null;
}

/** Determines the records that the owner of a domain must create. */
@Injectable()
export class WantedRecords {
  constructor(
    private readonly packages: PackageManifests,
    private readonly settings: ApiSettings,
  ) {}

  /**
   * Returns the records of the domain, and another address of the server whose record may exist beside them. Throws
   * NOT_FOUND if the deployment is not the viewer's or has no domain, FIELDS_INVALID at `domain` for a name that the
   * deployment cannot have, and DEPLOYMENT_STATE if there is nothing that the owner could create.
   */
  async records(
    tx: Tx,
    { withOptional, ...named }: NamedDomain & { readonly withOptional: boolean },
  ): Promise<{ readonly records: readonly OwnerRecord[]; readonly alsoRight: string | null }> {
    const { row, domain, isFurther, isOurs } = await this.read(tx, named);
    const { address, ipv6 } = row;
    const refused = (message: (typeof OWNER_RECORD_MESSAGES)['managed']) =>
      new DomainError('DEPLOYMENT_STATE', message);
    if (!ACTIVE_DEPLOYMENT.includes(row.status)) throw refused(OWNER_RECORD_MESSAGES.over);
    if (isOurs) throw refused(OWNER_RECORD_MESSAGES.managed);
    if (address === null) throw refused(OWNER_RECORD_MESSAGES.address_unknown);
    const facts = this.packages.find(row.package);
    const hosts = isFurther
      ? [domain]
      : facts === null
        ? []
        : wantedNames(facts, { ...envValuesOf(row), DOMAIN: domain }).flatMap(({ host, row: { required } }) =>
            required || withOptional ? [host] : [],
          );
    if (hosts.length === 0) throw refused(OWNER_RECORD_MESSAGES.nothing);
    const isSix = address.includes(':');
    return {
      records: [...new Set(hosts)]
        .slice(0, OWNER_RECORDS_MAX)
        .map((host) => ({ type: isSix ? 'AAAA' : 'A', host, value: address })),
      alsoRight: isSix ? null : ipv6,
    };
  }

  /**
   * Returns the domain, and what a template at its DNS provider would apply, or null if no template fits. Throws
   * NOT_FOUND and FIELDS_INVALID as `records` does.
   */
  async connect(
    tx: Tx,
    named: NamedDomain,
  ): Promise<{ readonly domain: string; readonly requested: ConnectRequest | null }> {
    const { row, domain, isFurther, isOurs } = await this.read(tx, named);
    const { address } = row;
    const facts = this.packages.find(row.package);
    if (address === null || isOurs || !ACTIVE_DEPLOYMENT.includes(row.status)) return { domain, requested: null };
    if (isFurther) return { domain, requested: connectName(domain, address) };
    const requested = facts === null ? null : connectPackage(facts, envValuesOf(row), { domain, address });
    return { domain, requested };
  }

  private async read(tx: Tx, { id, viewer, domain }: NamedDomain) {
    const row = await oneDeployment<Row>(tx, READ, { id, viewer });
    if (row.domain === null) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.deployment_no_domain);
    if (domain === null || domain === row.domain)
      return { row, domain: row.domain, isFurther: false, isOurs: row.managed };
    const listed = await furtherDomains(tx, id);
    if (listed.some(({ host, removed_at }) => host === domain && removed_at === null))
      return { row, domain, isFurther: true, isOurs: false };
    const message = checkDomain(domain, orderNames(this.settings));
    if (message !== null) throw new FieldsInvalid([{ path: 'domain', message }]);
    return { row, domain, isFurther: false, isOurs: false };
  }
}
