import { CONSTANTS } from '@moorage/domain';
import { Random } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { type ResolverClient, isFailure } from './dns-resolver-client';
import type { CaaAnswer } from './caa';
import { DnsOptions } from './dns-options';
import { evaluate } from './dns-evaluation';
import type { DnsCheck, DnsCheckResult, DnsQuestion, RecordCheckResult, ResolverAnswer } from './types';

export const PUBLIC_RESOLVERS = ['1.1.1.1', '8.8.8.8', '9.9.9.9'];
/** Maximum number of aliases that resolvers follow. */
const ALIASES_MAX = 8;
const SANDBOX_SUFFIX = `.${CONSTANTS.sandboxZone}`;

@Injectable()
export class ResolverDnsCheck implements DnsCheck {
  private readonly servers: readonly string[];

  constructor(
    private readonly random: Random,
    private readonly options: DnsOptions,
  ) {
    this.servers = options.resolvers ?? PUBLIC_RESOLVERS;
  }

  async check(question: DnsQuestion, signal?: AbortSignal): Promise<DnsCheckResult> {
    const client = this.options.newClient();
    const cancel = (): void => client.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const records = await Promise.all(question.hosts.map((row) => this.checkHost(question, row, client)));
      signal?.throwIfAborted();
      return { all_right: records.every(({ right, required }) => right || !required), records };
    } finally {
      signal?.removeEventListener('abort', cancel);
      client.cancel();
    }
  }

  private async queryAll(host: string, client: ResolverClient): Promise<ResolverAnswer[]> {
    const { resolvers, sandbox } = this.options;
    if (sandbox !== null && host.endsWith(SANDBOX_SUFFIX)) {
      return [{ resolver: 'sandbox', kind: 'public', cname: null, error: null, ...(await sandbox(host)) }];
    }
    const requested = this.servers.map((server) => client.addresses(server, 'public', host));
    if (resolvers !== null) return Promise.all(requested);
    return [...(await Promise.all(requested)), await this.fromZone(host, client)];
  }

  /**
   * Queries the zone's servers. They do not follow an alias into another zone, so the servers of that zone are queried
   * for its target.
   */
  private async fromZone(host: string, client: ResolverClient): Promise<ResolverAnswer> {
    const first = await this.fromServersOf(host, client);
    let last = first;
    for (let hops = 1; hops < ALIASES_MAX && !hasAddress(last) && last.cname !== null; hops++)
      last = await this.fromServersOf(last.cname, client);
    return hasAddress(last) || last.cname === null
      ? { ...last, cname: first.cname }
      : { ...last, cname: first.cname, error: 'TOO_MANY_ALIASES' };
  }

  /**
   * Returns the response of the first of the zone's servers that responds. They are queried directly, without a cache.
   */
  private async fromServersOf(host: string, client: ResolverClient): Promise<ResolverAnswer> {
    const none: ResolverAnswer = { resolver: 'zone', kind: 'zone', a: [], aaaa: [], cname: null, error: 'NO_SERVERS' };
    let last = none;
    for (const address of await this.zoneServers(host, client)) {
      last = await client.addresses(address, 'zone', host);
      if (!isFailure(last.error) || hasAddress(last) || last.cname !== null) return last;
    }
    return last;
  }

  /** Returns the name servers from the first public resolver in the list that responds. */
  private async zoneServers(host: string, client: ResolverClient): Promise<readonly string[]> {
    for (const server of this.servers) {
      const found = await client.zoneServers(server, host);
      if (found.length > 0) return found;
    }
    return [];
  }

  private async checkHost(
    question: DnsQuestion,
    row: DnsQuestion['hosts'][number],
    client: ResolverClient,
  ): Promise<RecordCheckResult> {
    const { authority, sandbox } = this.options;
    // A wildcard record exists if a random name resolves to the server.
    const name = row.host.startsWith('*.') ? `${this.random.text(12)}${row.host.slice(1)}` : row.host;
    const isSandbox = sandbox !== null && name.endsWith(SANDBOX_SUFFIX);
    const needsCaa = authority !== null && !isSandbox && row.required;
    const wanted = { ...row, ipv4: question.ipv4, ipv6: question.ipv6, authority: needsCaa ? authority : null };
    const seen = await this.queryAll(name, client);
    const evaluated = evaluate(wanted, seen, null);
    if (!needsCaa || !evaluated.right) return evaluated;
    return evaluate(wanted, seen, await this.caa(name, client));
  }

  /** Returns the response of the first public resolver that responds. */
  private async caa(name: string, client: ResolverClient): Promise<CaaAnswer> {
    let last: CaaAnswer = { name, records: [], error: 'NO_SERVERS' };
    for (const server of this.servers) {
      last = await client.caa(server, name);
      if (last.error === null) return last;
    }
    return last;
  }
}

const hasAddress = ({ a, aaaa }: ResolverAnswer): boolean => a.length + aaaa.length > 0;
