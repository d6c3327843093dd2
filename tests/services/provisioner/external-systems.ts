import type { CertificateCheck } from '@moorage/provisioner/certificates/types';
import type { DnsCheck } from '@moorage/provisioner/dns/types';
import type { MemoryHosts } from '../../fakes/memory-hosts';
import { asStored, type Instant } from '@moorage/domain';

/** Responses of resolvers and the authority. */
export interface OutsideAnswers {
  readonly hosts: Pick<MemoryHosts, 'routerIsUp'>;
  /** Returns whether the records of a host point to the server. By default, all do. */
  dnsRight: (host: string) => boolean;
  /** Runs during DNS queries, which take seconds. Does nothing by default. */
  duringDnsQuery: () => Promise<void>;
  /** Error of the authority, or null if it issues certificates. */
  authority: string | null;
  /** Expiry of every issued certificate, or null if a check does not see it. */
  certificateExpiresAt?: Instant | null;
}

/** Creates DNS and certificate checks with the given responses. */
export function outside(answers: () => OutsideAnswers): { dns: DnsCheck; certificates: CertificateCheck } {
  const dns: DnsCheck = {
    check: async ({ hosts: names, ipv4 }) => {
      await answers().duringDnsQuery();
      const records = names.map(({ host, required }) => {
        const right = answers().dnsRight(host);
        return {
          host,
          type: 'A' as const,
          value: ipv4 ?? '',
          required,
          right,
          problem: right ? null : ('none' as const),
          reason: right ? null : asStored(`${host} does not exist. Its A record must be ${ipv4 ?? ''}.`),
          seen: [],
        };
      });
      return { records, all_right: records.every(({ right, required }) => right || !required) };
    },
  };
  const certificates: CertificateCheck = {
    check: ({ address, host }) => {
      const up = answers().hosts.routerIsUp(address);
      const good = up && answers().authority === null;
      return Promise.resolve({
        verdict: good ? 'good' : up ? 'not_issued' : 'unreachable',
        reason: good ? null : asStored(answers().authority ?? `${host} does not answer.`),
        issuer: null,
        names: [host],
        expires_at: good ? (answers().certificateExpiresAt ?? null) : null,
      });
    },
    probe: () => Promise.resolve({ ok: true, status: 200, reason: null }),
  };
  return { dns, certificates };
}
