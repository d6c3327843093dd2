import type { CertificateVerdict, Instant, Message } from '@moorage/domain';
import type { Probe } from '../stacks/types';

/** Checks the certificate that a server actually presents. */
export abstract class CertificateCheck {
  /** Connects with TLS to `address` with SNI `host`. Never throws for the server's behaviour. */
  abstract check(target: CertificateTarget, signal?: AbortSignal): Promise<CertificateCheckResult>;
  /** Sends a GET over TLS to the server's address. Trusts the same certificates as `check`. */
  abstract probe(target: CertificateTarget & { readonly probe: Probe }, signal?: AbortSignal): Promise<ProbeResult>;
}

export interface CertificateTarget {
  readonly address: string;
  readonly host: string;
  /** Default 443. */
  readonly port?: number;
}

export interface CertificateCheckResult {
  readonly verdict: CertificateVerdict;
  /** Message for the customer, or null if the certificate is good. */
  readonly reason: Message | null;
  readonly issuer: string | null;
  readonly names: readonly string[];
  readonly expires_at: Instant | null;
}

export interface ProbeResult {
  readonly ok: boolean;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly reason: Message | null;
}
