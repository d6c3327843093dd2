import ipaddr from 'ipaddr.js';

/** An address as PostgreSQL's inet takes it: no zone, IPv4 written as IPv4. */
export function plainAddress(text: string): string {
  const [address = ''] = text.split('%');
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : '0.0.0.0';
}

/** The /24 of an IPv4 or the /64 of an IPv6 address: one household or office, so that changing the last digits helps nobody. */
export function addressPrefix(address: string): string {
  const parsed = ipaddr.process(address);
  const bits = parsed.kind() === 'ipv4' ? 24 : 64;
  const bytes = parsed.toByteArray().map((byte, index) => (index * 8 < bits ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}
