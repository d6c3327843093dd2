import { Resolver } from 'node:dns/promises';
import { SECOND_MS, zonesOf } from '@moorage/domain';

/** A zone with its name servers. */
export interface FoundZone {
  readonly zone: string;
  /** Sorted names in lower case, at most `NAME_SERVERS_MAX`. */
  readonly nameServers: readonly string[];
}

/** Finds the zone that contains a name. Resolves to null if no resolver knows it. */
export type ZoneLookup = (host: string, signal: AbortSignal) => Promise<FoundZone | null>;

export const PUBLIC_RESOLVERS = ['1.1.1.1', '8.8.8.8', '9.9.9.9'];
const TIMEOUT_MS = 2 * SECOND_MS;
const TRIES = 2;
const NAME_SERVERS_MAX = 10;

/** Queries NS records, from the name itself upwards. `servers` null means public resolvers. */
export function zoneLookup(servers: readonly string[] | null): ZoneLookup {
  return async (host, signal) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    resolver.setServers([...(servers ?? PUBLIC_RESOLVERS)]);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      for (const zone of zonesOf(host)) {
        signal.throwIfAborted();
        const nameServers = await nameServersOf(resolver, zone);
        if (nameServers.length > 0) return { zone, nameServers };
      }
      return null;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

async function nameServersOf(resolver: Resolver, zone: string): Promise<string[]> {
  try {
    const found = await resolver.resolveNs(zone);
    return found
      .map((name) => name.toLowerCase().replace(/\.$/, ''))
      .sort()
      .slice(0, NAME_SERVERS_MAX);
  } catch {
    // No such record, or no response. The parent may have one.
    return [];
  }
}
