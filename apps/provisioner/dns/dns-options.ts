import type { ResolverClient } from './dns-resolver-client';

/** Resolves names of the sandbox, which public DNS does not know. */
export type SandboxResolver = (
  host: string,
) => Promise<{ readonly a: readonly string[]; readonly aaaa: readonly string[] }>;

/** Settings of an installation or a test for DNS checks. */
export abstract class DnsOptions {
  /**
   * DNS_RESOLVERS. Only these are queried, and the zone's own server is not. Null means the public resolvers and the
   * zone.
   */
  abstract readonly resolvers: readonly string[] | null;
  /** Authority that CAA records must allow, or null if another authority issues. */
  abstract readonly authority: string | null;
  /** Null if there is no sandbox. Its names are then resolved like any others. */
  abstract readonly sandbox: SandboxResolver | null;
  /** Creates the client for the queries of one check. Tests without internet access supply their own. */
  abstract readonly newClient: () => ResolverClient;
}
