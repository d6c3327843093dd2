import { deploymentSecrets, type SignInAnswer } from '@moorage/contracts';
import { type Deployment, visibleTo } from '@moorage/database';
import { envValuesOf, isSimulated, openLink, RUNNING, signIns } from '@moorage/domain';
import { Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { ApiSettings } from '../settings';

interface Row extends Pick<
  Deployment,
  | 'package'
  | 'server_type'
  | 'cloud_provider'
  | 'vps_ip_address'
  | 'domain'
  | 'admin_subdomain'
  | 'static_page_subdomain'
  | 'config'
> {
  readonly ip: string | null;
}

const READ = `
select package, server_type, cloud_provider, domain, admin_subdomain, static_page_subdomain, config,
  host(vps_ip_address) as vps_ip_address, host(coalesce(instance_ip, vps_ip_address)) as ip
from deployments where id = $1 and status = any($2) and deleted_at is null`;

/** Login addresses and credentials of a running deployment. Secrets are given by name only. */
@Injectable()
export class PackageCredentials {
  constructor(
    private readonly packages: PackageManifests,
    private readonly secrets: Secrets,
    private readonly settings: ApiSettings,
  ) {}

  /** Returns an empty list unless the deployment is running and belongs to this user. */
  async of(tx: Tx, { id, userId }: { id: number; userId: number }): Promise<SignInAnswer[]> {
    const own = visibleTo({ userId, isAdmin: false }, { column: 'user_id', firstParameter: 3 });
    const [row] = await tx.query<Row>(`${READ} and ${own.sql}`, [id, [...RUNNING], ...own.params]);
    const facts = row === undefined ? null : this.packages.find(row.package);
    if (row === undefined || facts === null || facts.sign_in.length === 0) return [];
    const stored = await this.secrets.names(tx, deploymentSecrets(id));
    const ifKept = (name: string | null): string | null => (name !== null && stored.includes(name) ? name : null);
    const simulated = isSimulated(this.settings.clouds, row);
    return signIns(facts, envValuesOf(row), row).map(({ row: { title }, address, user, password, token }) => ({
      title: title.en,
      title_texts: title,
      address,
      open_link: simulated ? openLink(address, this.settings.publicUrl) : null,
      user,
      password: ifKept(password),
      token: ifKept(token),
    }));
  }
}
