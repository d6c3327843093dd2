import { type Address, type Cidr, isWithin, parseAddress, parseCidr } from './address';
import { ORDER_MESSAGES } from '../messages/order';
import type { Message } from '../messages/message';

/** The sentences of the guard; the second is the same for every range, so that a refusal tells nothing about a network. */
export const ADDRESS_MALFORMED = ORDER_MESSAGES.address_malformed;
export const ADDRESS_NOT_PUBLIC = ORDER_MESSAGES.address_not_public;

export type GuardedAddress =
  { readonly ok: true; readonly address: string } | { readonly ok: false; readonly message: Message };

/**
 * May this be a user's own server? One spelling per address is accepted, so what was checked is what is connected to;
 * addresses that lead into a private, local or special network are refused (IANA's special-purpose registries).
 * `allowed` are further ranges by configuration (a lab on loopback).
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

/** Everything else of IPv6 (loopback, v4-mapped and -translated, unique local, link-local, multicast) lies outside. */
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
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map(range);
