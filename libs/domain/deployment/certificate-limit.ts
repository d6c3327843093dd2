import type { Instant } from '../time';
import { CERTIFICATE_WINDOW_MS } from './platform-names';

/** Certificates for the same names that the authority issues in the same period. */
export const SAME_CERTIFICATES_MAX = 5;
/** Share of the limit from which administrators are alerted. */
const SCARCE = 0.9;

export interface CertificateRoom {
  /** Time at which the certificates can be requested, or null if they can be now. */
  readonly possibleAt: Instant | null;
  /** Nearly all certificates of the period are used up. */
  readonly scarce: boolean;
}

/**
 * Returns whether the authority's limit leaves room for more certificates. `requested` has the times of the requests in
 * the period, the newest first, and at most as many as the limit. A limit of 0 means unlimited.
 */
export function certificateRoom({
  limit,
  requested,
  needed,
  now,
}: {
  readonly limit: number;
  readonly requested: readonly Instant[];
  readonly needed: number;
  readonly now: Instant;
}): CertificateRoom {
  if (limit === 0) return { possibleAt: null, scarce: false };
  const scarce = requested.length + needed >= limit * SCARCE;
  const over = requested.length + needed - limit;
  if (over <= 0) return { possibleAt: null, scarce };
  const oldest = requested[requested.length - over] ?? now;
  return { possibleAt: oldest + CERTIFICATE_WINDOW_MS, scarce };
}
