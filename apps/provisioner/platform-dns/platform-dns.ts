import type { ZoneRecord } from '@moorage/dns';

/** Records of a name below the platform domain, and of the wildcard below the name. */
export interface PlatformRecords {
  readonly name: string;
  /** Addresses of the name, sorted. */
  readonly addresses: readonly string[];
  /** Addresses of `*.<name>`, sorted. */
  readonly wildcard: readonly string[];
}

/**
 * DNS of the platform domain. Each name has our mark, a TXT record with the key of this installation. Records of names
 * without the mark are never listed, changed or removed. Every call has a deadline, and a failure is a
 * `PlatformDnsError`.
 */
export abstract class PlatformDns {
  /** Returns all names with our mark. */
  abstract list(signal: AbortSignal): Promise<readonly PlatformRecords[]>;
  /** Points the name and its wildcard to exactly this address. Throws `conflict` if the name has foreign records. */
  abstract put(record: { readonly name: string; readonly address: string }, signal: AbortSignal): Promise<void>;
  /** Removes the records of the name and then its mark. Does nothing without the mark. */
  abstract remove(name: string, signal: AbortSignal): Promise<void>;
}

/** `refused` means wrong credentials or missing permissions, `conflict` that a name has records without our mark. */
export type PlatformDnsErrorKind = 'refused' | 'conflict' | 'rate_limit' | 'invalid' | 'transient';

export class PlatformDnsError extends Error {
  override readonly name = 'PlatformDnsError';
  constructor(
    readonly kind: PlatformDnsErrorKind,
    /** Message for the log and the administrator, without secrets. */
    message: string,
    readonly retry_after_ms: number | null = null,
  ) {
    super(message);
  }
}

export const markOf = (installation: string): string => `moorage-installation=${installation}`;

export const addressType = (address: string): 'A' | 'AAAA' => (address.includes(':') ? 'AAAA' : 'A');

/** Returns the names with our mark among the records of a zone. */
export function markedNames(records: readonly ZoneRecord[], mark: string): PlatformRecords[] {
  const byName = new Map<string, string[]>();
  for (const { name, type, value } of records)
    if (type === 'A' || type === 'AAAA') byName.set(name, [...(byName.get(name) ?? []), value]);
  const addresses = (name: string): string[] => (byName.get(name) ?? []).sort();
  return records
    .filter(({ type, value }) => type === 'TXT' && value === mark)
    .map(({ name }) => ({ name, addresses: addresses(name), wildcard: addresses(`*.${name}`) }));
}
