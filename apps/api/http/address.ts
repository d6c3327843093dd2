import ipaddr from 'ipaddr.js';

/** Returns an address in the form that PostgreSQL's inet accepts: no zone, IPv4 written as IPv4. */
export function plainAddress(text: string): string {
  const [address = ''] = text.split('%');
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : '0.0.0.0';
}

/**
 * Returns the networks an address belongs to, the narrowest first: the /24 of an IPv4 address, the /64, /56 and /48 of
 * an IPv6 address. The first is a single household or office, so changing the last digits gains nothing. The others are
 * what a provider or a tunnel broker assigns as a whole, so changing the subnet gains nothing either.
 */
export function networksOf(address: string): readonly [string, ...string[]] {
  const parsed = ipaddr.process(address);
  const within = (bits: number): string => {
    const bytes = parsed.toByteArray().map((byte, index) => (index * 8 < bits ? byte : 0));
    return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
  };
  return parsed.kind() === 'ipv4' ? [within(24)] : [within(64), within(56), within(48)];
}

/** Returns the network of a household: the /24 of an IPv4 address, the /56 of an IPv6 address (decisions 12). */
export function homeNetwork(address: string): string {
  const [narrowest, home = narrowest] = networksOf(address);
  return home;
}
