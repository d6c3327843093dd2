import { type Message } from '@moorage/domain';

/** Looks at names the way visitors and certificate authorities do. */
export abstract class DnsCheck {
  /** Asks every resolver about every name; never throws for what a resolver answers. */
  abstract check(question: DnsQuestion, signal?: AbortSignal): Promise<DnsCheckResult>;
}

export interface DnsQuestion {
  readonly hosts: readonly { readonly host: string; readonly required: boolean }[];
  /** The server's own addresses, at least one of them; IPv6 only where it really answers on it. */
  readonly ipv4: string | null;
  readonly ipv6: string | null;
}

/** As `dns_checks.records` keeps it and the console shows it. */
export interface DnsCheckResult {
  /** Every required record is right. */
  readonly all_right: boolean;
  readonly records: readonly RecordCheckResult[];
}

export interface RecordCheckResult {
  readonly host: string;
  readonly type: 'A' | 'AAAA';
  /** What the owner must enter. */
  readonly value: string;
  readonly required: boolean;
  readonly right: boolean;
  readonly problem: DnsProblem | null;
  /** A sentence that says what to change; null when right. */
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
  /** `1.1.1.1`, `127.0.0.53:5300`; of the zone's own server its address; `sandbox`. */
  readonly resolver: string;
  readonly kind: 'public' | 'zone';
  readonly a: readonly string[];
  readonly aaaa: readonly string[];
  readonly cname: string | null;
  /** `NXDOMAIN`, `SERVFAIL`, `TIMEOUT`, ... of either kind of address; null when it answered. */
  readonly error: string | null;
}
