import { Resolver } from 'node:dns/promises';
import type { CaaRecord as NodeCaaRecord } from 'node:dns';
import { isIP } from 'node:net';
import { guardAddress, parseAddress } from '@moorage/domain';
import { type CaaAnswer, type CaaRecord, UNREADABLE } from './caa';
import type { ResolverAnswer } from './types';

/** A client for queries to DNS servers. It is created for one check and cancelled with it. */
export interface ResolverClient {
  addresses(server: string, kind: ResolverAnswer['kind'], host: string): Promise<ResolverAnswer>;
  /** Returns the CAA records of the name, or of the nearest parent domain that has any. */
  caa(server: string, host: string): Promise<CaaAnswer>;
  /** Returns the public addresses of the name servers of the host's zone. */
  zoneServers(server: string, host: string): Promise<readonly string[]>;
  cancel(): void;
}

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const ZONE_SERVERS_MAX = 3;

export class SystemResolverClient implements ResolverClient {
  private readonly resolvers = new Map<string, Resolver>();
  private cancelled = false;

  async addresses(server: string, kind: ResolverAnswer['kind'], host: string): Promise<ResolverAnswer> {
    const resolver = this.at(server);
    const [a, aaaa, cname] = await Promise.all([
      answer(() => resolver.resolve4(host)),
      answer(() => resolver.resolve6(host)),
      answer(() => resolver.resolveCname(host)),
    ]);
    const error = a.error ?? aaaa.error;
    return {
      resolver: server,
      kind,
      a: [...a.values].sort(),
      aaaa: aaaa.values.map((text) => parseAddress(text)?.text ?? text).sort(),
      cname: cname.values[0]?.toLowerCase() ?? null,
      // A response for either type counts, and a missing record of one type does not affect the other.
      error: a.values.length + aaaa.values.length > 0 && !isFailure(a.error) && !isFailure(aaaa.error) ? null : error,
    };
  }

  async caa(server: string, host: string): Promise<CaaAnswer> {
    for (const name of climb(host)) {
      const resolver = this.at(server);
      const { values, error } = await answer(() => resolver.resolveCaa(name));
      if (isFailure(error)) return { name, records: [], error };
      if (values.length > 0) return { name, records: values.map(caaRecordOf), error: null };
    }
    return { name: host, records: [], error: null };
  }

  async zoneServers(server: string, host: string): Promise<readonly string[]> {
    for (const name of climb(host)) {
      const resolver = this.at(server);
      const [{ values }, alias] = await Promise.all([
        answer(() => resolver.resolveNs(name)),
        answer(() => resolver.resolveCname(name)),
      ]);
      // An alias has no name servers. Those in its response belong to the target.
      if (values.length === 0 || alias.values.length > 0) continue;
      const found = await Promise.all(
        [...values]
          .sort()
          .slice(0, ZONE_SERVERS_MAX)
          .map((nameServer) => this.addressOf(server, nameServer)),
      );
      return found.flatMap((address) => address ?? []);
    }
    return [];
  }

  /** Returns a public address of a name server, because a zone may name any address as its server. */
  private async addressOf(server: string, nameServer: string): Promise<string | null> {
    const resolver = this.at(server);
    const [four, six] = await Promise.all([
      answer(() => resolver.resolve4(nameServer)),
      answer(() => resolver.resolve6(nameServer)),
    ]);
    return [...four.values, ...six.values].find((address) => guardAddress(address).ok) ?? null;
  }

  cancel(): void {
    this.cancelled = true;
    for (const resolver of this.resolvers.values()) resolver.cancel();
  }

  private at(server: string): Resolver {
    if (this.cancelled) throw new DOMException('the DNS check was aborted', 'AbortError');
    const known = this.resolvers.get(server);
    if (known !== undefined) return known;
    const created = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    created.setServers([withBrackets(server)]);
    this.resolvers.set(server, created);
    return created;
  }
}

/** Converts a record. Node names the field of the value after the tag. */
function caaRecordOf({ critical, ...property }: NodeCaaRecord): CaaRecord {
  const [[tag, value] = ['', '']] = Object.entries(property);
  return { flags: critical, tag: tag.toLowerCase(), value: String(value) };
}

/** Returns `a.b.example.com`, `b.example.com` and `example.com` for the first of them. */
function climb(host: string): string[] {
  const labels = host.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

const NAMES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'NXDOMAIN',
  ENODATA: 'NODATA',
  ESERVFAIL: 'SERVFAIL',
  EREFUSED: 'REFUSED',
  ECONNREFUSED: 'UNREACHABLE',
  ETIMEOUT: 'TIMEOUT',
  ECANCELLED: 'CANCELLED',
  EBADRESP: UNREADABLE,
};

/** Returns whether a lookup failed, as opposed to a response that there is no such record. */
export const isFailure = (error: string | null): error is string =>
  error !== null && error !== 'NXDOMAIN' && error !== 'NODATA';

async function answer<T>(call: () => Promise<T[]>): Promise<{ values: T[]; error: string | null }> {
  try {
    return { values: await call(), error: null };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    return { values: [], error: NAMES[code] ?? 'FAILED' };
  }
}

/** Returns `::1` in brackets, which node requires with a port. `[::1]:53` and `1.1.1.1:53` are unchanged. */
const withBrackets = (server: string): string => (isIP(server) === 6 ? `[${server}]` : server);
