import type { Asker } from './ask';

/** Answers names of the sandbox, which public DNS does not know. */
export type SandboxResolver = (
  host: string,
) => Promise<{ readonly a: readonly string[]; readonly aaaa: readonly string[] }>;

/** What an installation or a test decides about DNS checks. */
export abstract class DnsOptions {
  /** DNS_RESOLVERS: only these are asked, and the zone's own server is not. null: the public ones and the zone. */
  abstract readonly resolvers: readonly string[] | null;
  /** Whose name a CAA record must allow; null where another authority issues. */
  abstract readonly authority: string | null;
  /** null: there is no sandbox, its names are looked up like any other. */
  abstract readonly sandbox: SandboxResolver | null;
  /** Makes what asks the servers of one check; tests without internet bring their own. */
  abstract readonly newAsker: () => Asker;
}
