import { CONSTANTS } from '@moorage/domain';
import type { Random } from '@moorage/server';
import { type Asker, createAsker } from './ask';
import { judge } from './judge';
import type { DnsCheck, DnsQuestion, RecordLook, ResolverAnswer } from './types';

export const PUBLIC_RESOLVERS = ['1.1.1.1', '8.8.8.8', '9.9.9.9'];
const SANDBOX_SUFFIX = `.${CONSTANTS.sandboxZone}`;

/** Answers names of the sandbox, which the world's DNS does not know. */
export type SandboxNames = (
  host: string,
) => Promise<{ readonly a: readonly string[]; readonly aaaa: readonly string[] }>;

export interface DnsCheckParts {
  /** DNS_RESOLVERS: only these are asked, and the zone's own server is not. null: the public ones and the zone. */
  readonly resolvers: readonly string[] | null;
  /** Whose name a CAA record must allow; null where another authority issues. */
  readonly authority: string | null;
  /** null: there is no sandbox, its names are looked up like any other. */
  readonly sandbox: SandboxNames | null;
  readonly random: Random;
  /** How a server is asked; for tests that have no internet. */
  readonly newAsker?: () => Asker;
}

export function createDnsCheck({
  resolvers,
  authority,
  sandbox,
  random,
  newAsker = createAsker,
}: DnsCheckParts): DnsCheck {
  const servers = resolvers ?? PUBLIC_RESOLVERS;

  async function lookUp(host: string, asker: Asker): Promise<ResolverAnswer[]> {
    if (sandbox !== null && host.endsWith(SANDBOX_SUFFIX)) {
      return [{ resolver: 'sandbox', kind: 'public', cname: null, error: null, ...(await sandbox(host)) }];
    }
    const asked = servers.map((server) => asker.addresses(server, 'public', host));
    if (resolvers !== null) return Promise.all(asked);
    return [...(await Promise.all(asked)), await fromZone(host, asker)];
  }

  /** The first of the zone's servers that answers; they are asked themselves, so no cache is in between. */
  async function fromZone(host: string, asker: Asker): Promise<ResolverAnswer> {
    const none: ResolverAnswer = { resolver: 'zone', kind: 'zone', a: [], aaaa: [], cname: null, error: 'NO_SERVERS' };
    let last = none;
    for (const address of await zoneServers(host, asker)) {
      last = await asker.addresses(address, 'zone', host);
      if (last.error === null || last.error === 'NXDOMAIN' || last.error === 'NODATA') return last;
    }
    return last;
  }

  /** Whichever public resolver answers first in the list's order. */
  async function zoneServers(host: string, asker: Asker): Promise<readonly string[]> {
    for (const server of servers) {
      const found = await asker.zoneServers(server, host);
      if (found.length > 0) return found;
    }
    return [];
  }

  async function lookAt(question: DnsQuestion, row: DnsQuestion['hosts'][number], asker: Asker): Promise<RecordLook> {
    // a wildcard is there when a name that nobody has entered leads to the server
    const name = row.host.startsWith('*.') ? `${random.text(12)}${row.host.slice(1)}` : row.host;
    const isSandbox = sandbox !== null && name.endsWith(SANDBOX_SUFFIX);
    const needsCaa = authority !== null && !isSandbox && row.required;
    const wanted = { ...row, ipv4: question.ipv4, ipv6: question.ipv6, authority: needsCaa ? authority : null };
    const seen = await lookUp(name, asker);
    const judged = judge(wanted, seen, null);
    if (!needsCaa || !judged.right) return judged;
    return judge(wanted, seen, await asker.caa(servers[0] ?? '', name));
  }

  return {
    async look(question, signal) {
      const asker = newAsker();
      const cancel = (): void => asker.cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        const records = await Promise.all(question.hosts.map((row) => lookAt(question, row, asker)));
        signal?.throwIfAborted();
        return { all_right: records.every(({ right, required }) => right || !required), records };
      } finally {
        signal?.removeEventListener('abort', cancel);
        asker.cancel();
      }
    },
  };
}
