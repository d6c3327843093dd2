import type { DeploymentRow } from '@moorage/database';
import { DNS_WORDS, type Instant, iso, STEP_WORDS } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { DnsCheck, DnsLook } from '../dns/types';
import type { StepTimeouts } from '../runs/step-timeouts';
import { type Step, StepError } from '../runs/step';
import type { ServerRow } from '../servers/servers';
import type { Stack } from './stack';

const WAITING = DNS_WORDS.waiting;
const REASONS_SHOWN = 3;

/** One look at the records of a deployment, and the row in which the console shows it. */
export interface DnsLooks {
  look(deployment: DeploymentRow, server: ServerRow | null, signal: AbortSignal): Promise<DnsLook>;
  save(tx: Tx, deploymentId: number, look: DnsLook, at: Instant): Promise<void>;
}

export function createDnsLooks({ dns, stack }: { dns: DnsCheck; stack: Stack }): DnsLooks {
  return {
    look(deployment, server, signal) {
      const address = deployment.instance_ip ?? deployment.vps_ip_address;
      if (address === null) throw new StepError(STEP_WORDS.address_unknown, { lasting: true });
      const hosts = stack.hosts(deployment).map(({ host, required }) => ({ host, required }));
      // a user's own server may have an IPv6 address only
      const six = address.includes(':');
      return dns.look(
        { hosts, ipv4: six ? null : address, ipv6: six ? address : (server?.ipv6_address ?? null) },
        signal,
      );
    },
    async save(tx, deploymentId, look, at) {
      await tx.execute(
        `insert into dns_looks (deployment_id, records, all_right, looked_at) values ($1, $2, $3, $4)
         on conflict (deployment_id) do update set records = excluded.records, all_right = excluded.all_right, looked_at = excluded.looked_at`,
        [deploymentId, JSON.stringify(look.records), look.all_right, iso(at)],
      );
    },
  };
}

/** What is wrong, for the person who has to change it. */
export function dnsReason(look: DnsLook): string {
  const reasons = look.records.filter(({ required, right }) => required && !right).map(({ reason }) => reason ?? '');
  const shown = [...new Set(reasons.filter((reason) => reason !== ''))].slice(0, REASONS_SHOWN);
  return shown.length === 0 ? WAITING : shown.join(' ');
}

/** Waits as a row: looks, and looks again, until the records lead to the server or the time is over. */
export function createValidateDnsStep({ looks, timeouts }: { looks: DnsLooks; timeouts: StepTimeouts }): Step {
  return async ({ deployment, server, now }, signal) => {
    const look = await looks.look(deployment, server, signal);
    const commit = (tx: Tx): Promise<void> => looks.save(tx, deployment.id, look, now);
    if (look.all_right) return { done: true, commit };
    return { again_at: now + timeouts.dns_poll_ms, because: dnsReason(look), commit };
  };
}
