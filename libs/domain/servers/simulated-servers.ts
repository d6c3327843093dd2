import { type Cidr, isWithin, parseAddress, parseCidr } from './address';

const RANGE_TEXT = '198.19.128.0/17';
const HOSTS_BITS = 15;

/**
 * Addresses of simulated own servers. They belong to the range for benchmarks (RFC 2544), so they do not
 * exist in the public network. Servers of simulated providers have the addresses of the range below it.
 */
export const SIMULATED_OWN_SERVERS: Cidr = rangeOf(RANGE_TEXT);

/** Returns whether an address belongs to a simulated own server. */
export function isSimulatedOwnServer(address: string | null | undefined): boolean {
  const parsed = parseAddress(address ?? '');
  return parsed !== null && isWithin(parsed, SIMULATED_OWN_SERVERS);
}

/** Returns an address of a simulated own server. `random` is at least 0 and below 1. */
export function simulatedOwnAddress(random: number): string {
  // The first and the last address of a network belong to no server.
  const host = 1 + Math.floor(random * (2 ** HOSTS_BITS - 2));
  return `198.19.${128 + (host >> 8)}.${host & 0xff}`;
}

function rangeOf(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === null) throw new RangeError(`not a range: ${text}`);
  return cidr;
}
