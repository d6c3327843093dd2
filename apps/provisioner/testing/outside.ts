import type { CertificateCheck } from '../certificates/types';
import type { DnsCheck } from '../dns/types';
import type { Bench } from './bench';

/** DNS and the authority, as the bench is told to let them answer. */
export function outside(bench: () => Bench): { dns: DnsCheck; certificates: CertificateCheck } {
  const dns: DnsCheck = {
    look: async ({ hosts: names, ipv4 }) => {
      await bench().whileDnsIsAsked();
      const records = names.map(({ host, required }) => {
        const right = bench().dnsRight(host);
        return {
          host,
          type: 'A' as const,
          value: ipv4 ?? '',
          required,
          right,
          problem: right ? null : ('none' as const),
          reason: right ? null : `${host} does not exist. Its A record must be ${ipv4 ?? ''}.`,
          seen: [],
        };
      });
      return { records, all_right: records.every(({ right, required }) => right || !required) };
    },
  };
  const certificates: CertificateCheck = {
    look: ({ address, host }) => {
      const up = bench().hosts.routerIsUp(address);
      const good = up && bench().authority === null;
      return Promise.resolve({
        verdict: good ? 'good' : up ? 'not_issued' : 'unreachable',
        reason: good ? null : (bench().authority ?? `${host} does not answer.`),
        issuer: null,
        names: [host],
        expires_at: null,
      });
    },
    probe: () => Promise.resolve({ ok: true, status: 200, reason: null }),
  };
  return { dns, certificates };
}
