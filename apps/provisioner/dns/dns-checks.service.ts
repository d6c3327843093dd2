import type { DeploymentRow } from '@moorage/database';
import { type Instant, iso, STEP_MESSAGES } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { StepError } from '../runs/step';
import type { ServerRow } from '../server-store/server-store';
import { StackService } from '../stacks/stack.service';
import { DnsCheck, type DnsCheckResult, type DnsQuestion } from './types';

/** Checks the records of a deployment and stores the result for the console. */
@Injectable()
export class DnsChecks {
  constructor(
    private readonly dns: DnsCheck,
    private readonly stacks: StackService,
  ) {}

  check(deployment: DeploymentRow, server: ServerRow | null, signal: AbortSignal): Promise<DnsCheckResult> {
    return this.checkHosts({ deployment, server, hosts: this.stacks.hosts(deployment) }, signal);
  }

  /** Checks whether these names point to the server of the deployment. */
  checkHosts(
    {
      deployment,
      server,
      hosts: wanted,
    }: { deployment: DeploymentRow; server: ServerRow | null; hosts: DnsQuestion['hosts'] },
    signal: AbortSignal,
  ): Promise<DnsCheckResult> {
    const address = deployment.instance_ip ?? deployment.vps_ip_address;
    if (address === null) throw new StepError(STEP_MESSAGES.address_unknown, { permanent: true });
    const hosts = wanted.map(({ host, required }) => ({ host, required }));
    // A user's own server may have only an IPv6 address.
    const six = address.includes(':');
    return this.dns.check(
      { hosts, ipv4: six ? null : address, ipv6: six ? address : (server?.ipv6_address ?? null) },
      signal,
    );
  }

  /** Stores the result, unless the owner has chosen another domain since the check. */
  async save(tx: Tx, { id, domain }: DeploymentRow, result: DnsCheckResult, at: Instant): Promise<void> {
    await tx.execute(
      `insert into dns_checks (deployment_id, records, all_right, checked_at)
       select id, $2::jsonb, $3::boolean, $4::timestamptz from deployments where id = $1 and domain is not distinct from $5
       on conflict (deployment_id) do update set records = excluded.records, all_right = excluded.all_right, checked_at = excluded.checked_at`,
      [id, JSON.stringify(result.records), result.all_right, iso(at), domain],
    );
  }
}
