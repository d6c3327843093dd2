import type { DnsCheck, DnsLook, DnsQuestion, RecordLook } from '../../dns/types';
import { SANDBOX_ZONE, type SandboxNames } from './names';

const RESOLVER = 'sandbox';

/** Names below `.sandbox.localhost` are answered by the sandbox; every other name is looked up for real. */
export function createSandboxDnsCheck({ names, real }: { names: SandboxNames; real: DnsCheck }): DnsCheck {
  return {
    look(question, signal) {
      return question.hosts.every(({ host }) => names.isOurs(host))
        ? lookInside(question, names)
        : real.look(question, signal);
    },
  };
}

async function lookInside({ hosts, ipv4 }: DnsQuestion, names: SandboxNames): Promise<DnsLook> {
  const records: RecordLook[] = [];
  for (const { host, required } of hosts) {
    // a wildcard is right when any name below it is
    const found = await names.resolve(host.replace(/^\*\./, 'anything.'));
    const right = found.length === 1 && found[0] === ipv4;
    const problem = right ? null : found.length === 0 ? 'none' : 'wrong_address';
    records.push({
      host,
      type: 'A',
      value: ipv4,
      required,
      right,
      problem,
      reason: reasonOf(problem, { host, ipv4, found }),
      seen: [
        {
          resolver: RESOLVER,
          kind: 'zone',
          a: found,
          aaaa: [],
          cname: null,
          error: found.length === 0 ? 'NXDOMAIN' : null,
        },
      ],
    });
  }
  return { all_right: records.every(({ required, right }) => right || !required), records };
}

function reasonOf(
  problem: 'none' | 'wrong_address' | null,
  facts: { host: string; ipv4: string; found: readonly string[] },
): string | null {
  const { host, ipv4, found } = facts;
  switch (problem) {
    case null:
      return null;
    case 'none':
      return `${host} does not exist in the sandbox's DNS (${SANDBOX_ZONE}). Its A record must be ${ipv4}.`;
    case 'wrong_address':
      return `${host} leads to ${found.join(', ')}. Its A record must be ${ipv4}.`;
  }
}
