import { type Address, type Cidr, isWithin, parseAddress, parseCidr } from './address';
import { ORDER_MESSAGES } from '../messages/order';
import type { Message } from '../messages/message';

/**
 * Messages of the address guard. The second is the same for every range, so that a rejection reveals nothing about a
 * network.
 */
export const ADDRESS_MALFORMED = ORDER_MESSAGES.address_malformed;
export const ADDRESS_NOT_PUBLIC = ORDER_MESSAGES.address_not_public;

export type GuardedAddress =
  { readonly ok: true; readonly address: string } | { readonly ok: false; readonly message: Message };

/**
 * Checks whether an address may be a customer's own server.
 *
 * Only one spelling per address is accepted, so that the checked address is the address connected to. Addresses of
 * private, local or special networks are rejected (IANA's special-purpose registries).
 *
 * @param allowed additional ranges from the configuration, such as a lab on loopback
 */
export function guardAddress(text: string, allowed: readonly Cidr[] = []): GuardedAddress {
  const address = parseAddress(text);
  if (address === null) return { ok: false, message: ADDRESS_MALFORMED };
  if (allowed.some((cidr) => isWithin(address, cidr)) || isPublic(address)) return { ok: true, address: address.text };
  return { ok: false, message: ADDRESS_NOT_PUBLIC };
}

function isPublic(address: Address): boolean {
  if (address.family === 6 && !isWithin(address, GLOBAL_UNICAST)) return false;
  return !SPECIAL.some((cidr) => isWithin(address, cidr));
}

const range = (text: string): Cidr => {
  const cidr = parseCidr(text);
  if (cidr === null) throw new RangeError(`not a range: ${text}`);
  return cidr;
};

/**
 * Range of public IPv6 addresses. Loopback, v4-mapped and v4-translated, unique local, link-local and multicast are
 * outside it.
 */
const GLOBAL_UNICAST = range('2000::/3');

const SPECIAL: readonly Cidr[] = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's own services, reachable from inside only
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '2001::/23', // Protocol assignments (Teredo, ORCHID, benchmarks)
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map(range);
