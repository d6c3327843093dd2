import {
  APPLY_DOMAINS,
  type DeploymentDomainsAnswer,
  event,
  type FurtherDomainAnswer,
  type PackageFacts,
} from '@moorage/contracts';
import {
  checkedCertificates,
  type DeploymentRow,
  Deployments,
  failureOf,
  type FurtherDomainRow,
  furtherDomains,
  stateOfDomain,
  type Viewer,
} from '@moorage/database';
import {
  checkFurtherDomain,
  DomainError,
  domainsAbove,
  envValuesOf,
  FURTHER_DOMAIN_MESSAGES,
  FURTHER_DOMAINS_MAX,
  type FurtherDomainState,
  type Instant,
  iso,
  type Message,
  ORDER_MESSAGES,
  primaryHost,
  wantedNames,
} from '@moorage/domain';
import { Outbox, WorkSchedule } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { DeploymentActs } from '../deployments/deployment-acts.service';
import { notFound, oneDeployment } from '../deployments/deployment-view';
import { orderNames } from '../deployments/order-names';
import { type CertificateSource, certificateOf } from '../deployments/read-dns-records.use-case';
import { refuseAction } from '../deployments/refuse-action';
import { FieldsInvalid } from '../http/field-problems';
import { ApiSettings } from '../settings';

interface DomainRequest {
  readonly viewer: Viewer;
  readonly id: number;
  /** Reason of staff who act on a customer's deployment. */
  readonly reason?: string | null | undefined;
}

type Named = Pick<DeploymentRow, 'package' | 'config' | 'domain' | 'admin_subdomain' | 'static_page_subdomain'>;
interface Row extends Named, Omit<CertificateSource, 'certificates'> {}

const READ = `
select d.package, d.status, d.restarted_at, d.dns_retried_at, d.domain, d.admin_subdomain, d.static_page_subdomain, d.config,
  host(coalesce(d.instance_ip, d.vps_ip_address)) as address
from deployments d`;

/** Frees a name whose deployment is over. */
const FREE = `
delete from deployment_domains f using deployments d
where f.host = $1 and d.id = f.deployment_id and d.status in ('DESTROYED', 'DELETED')`;

/** Maximum number of deployments with one domain that are compared. */
const COMPARED_MAX = 100;
/** Selects other deployments whose domain is or contains the name. */
const ABOVE = `
select d.user_id, d.package, d.config, d.domain, d.admin_subdomain, d.static_page_subdomain from deployments d
where d.domain = any($1) and d.id <> $2 and d.status not in ('DESTROYED', 'DELETED') order by d.id limit ${COMPARED_MAX}`;

/** Further domains of a deployment. The provisioner sets up what is stored here. */
@Injectable()
export class FurtherDomains {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly acts: DeploymentActs,
    private readonly deployments: Deployments,
    private readonly outbox: Outbox,
    private readonly work: WorkSchedule,
    private readonly packages: PackageManifests,
    private readonly settings: ApiSettings,
  ) {}

  list({ viewer, id }: { viewer: Viewer; id: number }): Promise<DeploymentDomainsAnswer> {
    return this.db.tx('domains.list', (tx) => this.read(tx, id, viewer));
  }

  /**
   * Adds a name that redirects. Throws FIELDS_INVALID at `host` for a name that the deployment cannot have, and for one
   * of another deployment, because its visitors must not be redirected.
   */
  add({ viewer, id, host, reason }: DomainRequest & { host: string }): Promise<FurtherDomainAnswer> {
    return this.db.tx('domains.add', async (tx) => {
      await this.acts.begin(tx, { id, viewer, action: 'deployment.domain_added', facts: { host }, reason });
      const row = await this.locked(tx, id);
      const facts = this.packages.find(row.package);
      if (facts?.redirects === undefined)
        throw new DomainError(
          'DEPLOYMENT_STATE',
          FURTHER_DOMAIN_MESSAGES.not_offered({ package: facts?.display_name ?? row.package }),
        );
      const listed = (await furtherDomains(tx, id)).map((one) => one.host);
      refuseHost(checkFurtherDomain(host, { names: orderNames(this.settings), own: ownNames(facts, row), listed }));
      if (await this.belongsToAnother(tx, row, host)) refuseHost(FURTHER_DOMAIN_MESSAGES.taken({ host }));
      const at = await this.clock.now(tx);
      await tx.execute(FREE, [host]);
      const [added] = await tx.query<FurtherDomainRow>(
        `insert into deployment_domains (deployment_id, host, kind, added_at) values ($1, $2, 'redirect', $3)
         on conflict (host) where given_up_at is null do nothing returning *`,
        [id, host, iso(at)],
      );
      if (added === undefined) throw hostRefused(FURTHER_DOMAIN_MESSAGES.taken({ host }));
      await this.changed(tx, row, { host, state: 'setting_up', at });
      return answerOf(added, await oneDeployment<Row>(tx, READ, { id, viewer }), at);
    });
  }

  /** The row ends when the provisioner has removed the redirect from the server. */
  remove({ viewer, id, domainId, reason }: DomainRequest & { domainId: number }): Promise<DeploymentDomainsAnswer> {
    return this.db.tx('domains.remove', async (tx) => {
      const domain = (await furtherDomains(tx, id)).find((one) => one.id === domainId);
      const facts = domain === undefined ? {} : { host: domain.host };
      await this.acts.begin(tx, { id, viewer, action: 'deployment.domain_removed', facts, reason });
      const row = await this.locked(tx, id);
      const at = await this.clock.now(tx);
      const [removed] = await tx.query<{ host: string }>(
        `update deployment_domains set removed_at = coalesce(removed_at, $3) where id = $1 and deployment_id = $2 returning host`,
        [domainId, id, iso(at)],
      );
      if (removed === undefined) throw new DomainError('NOT_FOUND', FURTHER_DOMAIN_MESSAGES.unknown);
      await this.changed(tx, row, { host: removed.host, state: 'removing', at });
      return this.read(tx, id, viewer);
    });
  }

  private async locked(tx: Tx, id: number): Promise<DeploymentRow> {
    const row = await this.deployments.lock(tx, id);
    if (row === null) throw notFound();
    if (row.desired === 'destroyed') throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.cancelling);
    await refuseAction(tx, row, 'manage_domains');
    return row;
  }

  /** Returns whether the name is below another customer's domain, or a name of another deployment's package. */
  private async belongsToAnother(tx: Tx, { id, user_id }: DeploymentRow, host: string): Promise<boolean> {
    const others = await tx.query<Named & { user_id: number }>(ABOVE, [domainsAbove(host), id]);
    return others.some((other) => {
      const facts = this.packages.find(other.package);
      return other.user_id !== user_id || (facts !== null && ownNames(facts, other).includes(host));
    });
  }

  private async changed(
    tx: Tx,
    { id, user_id }: DeploymentRow,
    { host, state, at }: { host: string; state: FurtherDomainState; at: Instant },
  ): Promise<void> {
    const data = { deployment_id: id, user_id, host, state };
    await this.outbox.append(tx, event('deployment.further_domain_changed', id, data));
    await this.work.schedule(tx, { kind: APPLY_DOMAINS, key: String(id), due_at: at });
  }

  private async read(tx: Tx, id: number, viewer: Viewer): Promise<DeploymentDomainsAnswer> {
    const row = await oneDeployment<Row>(tx, READ, { id, viewer });
    const now = await this.clock.now(tx);
    const facts = this.packages.find(row.package);
    const host = facts === null ? null : primaryHost(facts, envValuesOf(row));
    const source = { ...row, certificates: await checkedCertificates(tx, id) };
    return {
      primary: host === null ? null : { host, certificate: certificateOf(source, { host, dnsRight: true, now }) },
      offered: facts?.redirects !== undefined && host !== null,
      most: FURTHER_DOMAINS_MAX,
      domains: (await furtherDomains(tx, id)).map((one) => answerOf(one, row, now)),
      now: iso(now),
    };
  }
}

const ownNames = (facts: PackageFacts, row: Named): string[] =>
  wantedNames(facts, envValuesOf(row)).map(({ host }) => host);

const hostRefused = (message: Message): FieldsInvalid => new FieldsInvalid([{ path: 'host', message }]);

function refuseHost(message: Message | null): void {
  if (message !== null) throw hostRefused(message);
}

function answerOf(stored: FurtherDomainRow, deployment: Row, now: Instant): FurtherDomainAnswer {
  const { address } = deployment;
  // Results for another address do not apply to this address.
  const record = stored.record?.value === address ? stored.record : null;
  const certificate = stored.certificate?.address === address ? stored.certificate : null;
  const one = { ...stored, record, certificate };
  const source = { ...deployment, certificates: certificate === null ? [] : [certificate] };
  return {
    id: one.id,
    host: one.host,
    kind: one.kind,
    state: stateOfDomain(one, now),
    record: {
      type: address?.includes(':') === true ? 'AAAA' : 'A',
      value: address,
      right: record?.right ?? null,
      reason: record?.reason ?? null,
    },
    certificate:
      one.applied_at === null ? null : certificateOf(source, { host: one.host, dnsRight: record?.right ?? false, now }),
    failure: failureOf(one),
    added_at: iso(one.added_at),
    checked_at: one.checked_at === null ? null : iso(one.checked_at),
  };
}
