import { type Message } from '@moorage/domain';

/** Resolves names in the same way as visitors and certificate authorities. */
export abstract class DnsCheck {
  /** Queries every resolver for every name. Never throws for a resolver's response. */
  abstract check(question: DnsQuestion, signal?: AbortSignal): Promise<DnsCheckResult>;
}

export interface DnsQuestion {
  readonly hosts: readonly { readonly host: string; readonly required: boolean }[];
  /** Addresses of the server, at least one of them. IPv6 is set only if the server responds on it. */
  readonly ipv4: string | null;
  readonly ipv6: string | null;
}

/** Format of `dns_checks.records`, as shown in the console. */
export interface DnsCheckResult {
  /** True if every required record is correct. */
  readonly all_right: boolean;
  readonly records: readonly RecordCheckResult[];
}

export interface RecordCheckResult {
  readonly host: string;
  readonly type: 'A' | 'AAAA';
  /** Value that the owner must enter. */
  readonly value: string;
  readonly required: boolean;
  readonly right: boolean;
  readonly problem: DnsProblem | null;
  /** Message with the required change, or null if the record is correct. */
  readonly reason: Message | null;
  readonly seen: readonly ResolverAnswer[];
}

export type DnsProblem =
  | 'none'
  | 'wrong_address'
  | 'several_addresses'
  | 'cname_elsewhere'
  | 'aaaa_elsewhere'
  | 'proxied'
  | 'caa_forbids'
  | 'caa_unanswered'
  | 'not_everywhere_yet'
  | 'no_answer';

export interface ResolverAnswer {
  /** `1.1.1.1`, `127.0.0.53:5300`, the address of the zone's own server, or `sandbox`. */
  readonly resolver: string;
  readonly kind: 'public' | 'zone';
  readonly a: readonly string[];
  readonly aaaa: readonly string[];
  readonly cname: string | null;
  /** `NXDOMAIN`, `SERVFAIL`, `TIMEOUT` and so on for either type of address, or null if there was a response. */
  readonly error: string | null;
}
