import { type CheckedCertificate, type DeploymentRow, saveCheckedCertificates } from '@moorage/database';
import { type Instant, iso, lacksCertificate, STEP_MESSAGES } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { StepError } from '../runs/step';
import { StackService } from '../stacks/stack.service';
import type { WantedHost } from '../stacks/types';
import { refusalMessage, refusalsOf } from './refusals';
import { CertificateCheck, type CertificateCheckResult } from './types';

/** Current certificate of one host of a deployment. */
export interface CheckedHost {
  readonly wanted: WantedHost;
  readonly address: string;
  readonly result: CertificateCheckResult;
}

/** Checks all certificates of a deployment and stores the results for the console. */
@Injectable()
export class CertificateChecks {
  constructor(
    private readonly certificates: CertificateCheck,
    private readonly stacks: StackService,
  ) {}

  /** Checks every host name that needs a certificate. A package has only a few, and at most ten redirects. */
  async check(deployment: DeploymentRow, signal: AbortSignal): Promise<CheckedHost[]> {
    const redirects = await this.stacks.redirects(deployment);
    const wanted = [...this.stacks.hosts(deployment).filter(({ tls }) => tls), ...redirects.map(ofRedirect)];
    return this.checkHosts(deployment, wanted, signal);
  }

  /** Checks the certificates of hosts with redirects. */
  checkRedirects(deployment: DeploymentRow, hosts: readonly string[], signal: AbortSignal): Promise<CheckedHost[]> {
    return this.checkHosts(deployment, hosts.map(ofRedirect), signal);
  }

  private checkHosts(
    deployment: DeploymentRow,
    wantedHosts: readonly WantedHost[],
    signal: AbortSignal,
  ): Promise<CheckedHost[]> {
    const address = deployment.instance_ip ?? deployment.vps_ip_address;
    if (address === null) throw new StepError(STEP_MESSAGES.address_unknown, { permanent: true });
    return Promise.all(
      wantedHosts.map(async (wanted) => ({
        wanted,
        address,
        result: await this.certificates.check({ address, host: wanted.host }, signal),
      })),
    );
  }

  save(tx: Tx, deploymentId: number, certificates: readonly CheckedCertificate[]): Promise<void> {
    return saveCheckedCertificates(tx, deploymentId, certificates);
  }
}

const ofRedirect = (host: string): WantedHost => ({ host, required: false, tls: true, probe: null });

/** Combines the results with the authority's errors in the router's log. */
export function checkedCertificatesOf(
  checked: readonly CheckedHost[],
  logged: readonly string[],
  at: Instant,
): CheckedCertificate[] {
  const refusals = refusalsOf(
    checked.map(({ wanted: { host } }) => host),
    logged,
  );
  return checked.map((one) => certificateOf(one, refusals.get(one.wanted.host) ?? null, at));
}

/**
 * Combines the results without the router's log. The authority's earlier errors still apply to hosts with the same
 * result.
 */
export function checkedAgain(
  checked: readonly CheckedHost[],
  before: readonly CheckedCertificate[],
  at: Instant,
): CheckedCertificate[] {
  return checked.map((one) => {
    const same = before.find(
      ({ host, address, verdict }) =>
        host === one.wanted.host && address === one.address && verdict === one.result.verdict,
    );
    return certificateOf(one, same?.refusal ?? null, at);
  });
}

function certificateOf(
  { wanted: { host }, address, result }: CheckedHost,
  given: CheckedCertificate['refusal'],
  at: Instant,
): CheckedCertificate {
  const { verdict, reason, issuer, expires_at } = result;
  const refusal = verdict === 'good' ? null : given;
  return {
    host,
    address,
    verdict,
    reason: refusal !== null && lacksCertificate(verdict) ? refusalMessage(host, refusal) : reason,
    refusal,
    issuer,
    expires_at: expires_at === null ? null : iso(expires_at),
    checked_at: iso(at),
  };
}
