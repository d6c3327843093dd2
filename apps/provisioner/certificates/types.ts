import type { CertificateVerdict, Instant, Message } from '@moorage/domain';
import type { Probe } from '../stacks/types';

/** Looks at the certificate a server really shows. */
export abstract class CertificateCheck {
  /** TLS to `address` with SNI `host`; never throws for what the server does. */
  abstract check(target: CertificateTarget, signal?: AbortSignal): Promise<CertificateCheckResult>;
  /** GET over TLS to the server's address; the certificate is trusted as `look` does. */
  abstract probe(target: CertificateTarget & { readonly probe: Probe }, signal?: AbortSignal): Promise<ProbeResult>;
}

export interface CertificateTarget {
  readonly address: string;
  readonly host: string;
  /** 443 */
  readonly port?: number;
}

export interface CertificateCheckResult {
  readonly verdict: CertificateVerdict;
  /** A sentence for the customer; null when good. */
  readonly reason: Message | null;
  readonly issuer: string | null;
  readonly names: readonly string[];
  readonly expires_at: Instant | null;
}

export interface ProbeResult {
  readonly ok: boolean;
  /** null: no answer. */
  readonly status: number | null;
  readonly reason: Message | null;
}
