import {
  type DeploymentDnsAnswer,
  DNS_CHECK_WORK,
  type DnsRecordAnswer,
  type HostCertificateAnswer,
  RUN_WORK,
} from '@moorage/contracts';
import type { CheckedCertificate, Deployment } from '@moorage/database';
import {
  type CertificateState,
  certificateState,
  type DeploymentStatus,
  DomainError,
  envValuesOf,
  type Instant,
  iso,
  lastRepairAt,
  type Message,
  nextRepairAt,
  ORDER_MESSAGES,
  wantedNames,
} from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { oneDeployment, type Viewer } from './deployment-view';
import { HAS_PLATFORM_NAME } from './platform-name.sql';

/** Facts that decide the state of a certificate. */
export interface CertificateSource extends Pick<Deployment, 'status' | 'restarted_at' | 'dns_retried_at'> {
  readonly address: string | null;
  readonly certificates: readonly CheckedCertificate[] | null;
}

interface Row
  extends
    CertificateSource,
    Pick<Deployment, 'package' | 'domain' | 'admin_subdomain' | 'static_page_subdomain' | 'config'> {
  readonly managed: boolean;
  readonly records: readonly SeenRecord[] | null;
  readonly checked_at: Instant | null;
}

/** A record as the provisioner's DNS check stored it (`dns_checks.records`). */
interface SeenRecord {
  readonly host: string;
  readonly type: 'A' | 'AAAA';
  readonly value: string;
  readonly required: boolean;
  readonly right: boolean;
  readonly reason: Message | null;
  readonly seen: readonly {
    readonly resolver: string;
    readonly kind: 'public' | 'zone';
    readonly a: readonly string[];
    readonly aaaa: readonly string[];
    readonly cname: string | null;
    readonly error: string | null;
  }[];
}

const READ = `
select d.package, d.status, d.restarted_at, d.dns_retried_at, d.domain, d.admin_subdomain, d.static_page_subdomain, d.config,
  host(coalesce(d.instance_ip, d.vps_ip_address)) as address, l.records, l.certificates, l.checked_at, ${HAS_PLATFORM_NAME} as managed
from deployments d left join dns_checks l on l.deployment_id = d.id`;

/** Time of the provisioner's next action on this deployment, if that action is a DNS check. */
const NEXT = `
select min(w.due_at) as due_at from work w
where (w.kind = '${DNS_CHECK_WORK}' and w.key = $1::text)
  or (w.kind = '${RUN_WORK}' and w.key = (
    select id::text from runs
    where deployment_id = $1::integer and state = 'running' and steps[position + 1] = 'validate-dns'))`;

@Injectable()
export class ReadDnsRecords {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly packages: PackageManifests,
  ) {}

  /**
   * Returns the records that a deployment needs, with the results of the last DNS check and of the last certificate
   * check. Throws NOT_FOUND without a domain, or if the deployment is not the viewer's.
   */
  run({ viewer, id }: { viewer: Viewer; id: number }): Promise<DeploymentDnsAnswer> {
    return this.db.tx('deployments.dns', (tx) => this.read(tx, { viewer, id }));
  }

  async read(tx: Tx, { viewer, id }: { viewer: Viewer; id: number }): Promise<DeploymentDnsAnswer> {
    const now = await this.clock.now(tx);
    const row = await oneDeployment<Row>(tx, READ, { id, viewer });
    const { domain, address } = row;
    if (domain === null) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.deployment_no_domain);
    // Results for another address do not apply to this address.
    const seen = (row.records ?? []).filter(({ value }) => value === address);
    const records = recordsOf(row, { domain, seen, packages: this.packages, now });
    return {
      domain,
      address,
      managed: row.managed,
      records,
      right_count: records.filter(({ right }) => right).length,
      all_right: records.every(({ right, required }) => right || !required),
      checked_at: seen.length === 0 || row.checked_at === null ? null : iso(row.checked_at),
      next_check_at: await nextCheck(tx, id, now),
      next_repair_at: nextRepair(row, now),
      now: iso(now),
    };
  }
}

function recordsOf(
  row: Row,
  {
    domain,
    seen,
    packages,
    now,
  }: { domain: string; seen: readonly SeenRecord[]; packages: PackageManifests; now: Instant },
): DnsRecordAnswer[] {
  const facts = packages.find(row.package);
  const wanted =
    facts === null
      ? seen.map(({ host, required }) => ({
          host,
          name: host.slice(0, -domain.length - 1) || '@',
          required,
          tls: row.certificates?.some((one) => one.host === host) === true,
        }))
      : wantedNames(facts, envValuesOf(row)).map(({ host, name, row: { required, tls } }) => ({
          host,
          name,
          required,
          tls,
        }));
  return wanted.map(({ host, name, required, tls }) => {
    const seenBy = seen.find((record) => record.host === host);
    return {
      type: row.address?.includes(':') ? 'AAAA' : 'A',
      name,
      fqdn: host,
      value: row.address,
      required,
      right: seenBy?.right ?? false,
      reason: seenBy?.reason ?? null,
      seen: (seenBy?.seen ?? []).map(({ resolver, kind, a, aaaa, cname, error }) => ({
        resolver,
        kind,
        values: [...a, ...aaaa],
        cname,
        error,
      })),
      certificate: tls ? certificateOf(row, { host, dnsRight: seenBy?.right ?? false, now }) : null,
    };
  });
}

/** Statuses in which runs are active that end with the certificates. */
const UNDER_WAY: readonly DeploymentStatus[] = ['DNS_VALIDATION', 'RESTARTING'];
/** States to which the reason of the last check does not apply. */
const WITHOUT_REASON: readonly CertificateState[] = ['good', 'waiting_for_dns', 'issuing', 'unknown'];

export function certificateOf(
  row: CertificateSource,
  { host, dnsRight, now }: { host: string; dnsRight: boolean; now: Instant },
): HostCertificateAnswer {
  const check = row.certificates?.find((one) => one.host === host && one.address === row.address) ?? null;
  const state = certificateState({
    check:
      check === null
        ? null
        : {
            verdict: check.verdict,
            refused: check.refusal !== null,
            expires_at: check.expires_at === null ? null : Date.parse(check.expires_at),
            checked_at: Date.parse(check.checked_at),
          },
    dnsRight,
    underWay: UNDER_WAY.includes(row.status),
    nextCheckAt: lastRepairAt(row),
    now,
  });
  return {
    state,
    reason: WITHOUT_REASON.includes(state) ? null : (check?.reason ?? null),
    authority_words: state === 'refused' ? (check?.refusal?.words ?? null) : null,
    issuer: check?.issuer ?? null,
    expires_at: check?.expires_at ?? null,
    checked_at: check?.checked_at ?? null,
  };
}

function nextRepair(row: Row, now: Instant): string | null {
  const at = nextRepairAt(row);
  return at === null || at <= now ? null : iso(at);
}

async function nextCheck(tx: Tx, id: number, now: Instant): Promise<string | null> {
  const [next] = await tx.query<{ due_at: Instant | null }>(NEXT, [id]);
  // A check that is already due is about to run.
  return next === undefined || next.due_at === null ? null : iso(Math.max(next.due_at, now));
}
