import dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type Cidr, guardAddress } from '@moorage/domain';

/** Thrown before connecting when a host has no public address. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic';
  readonly code = 'ENOTPUBLIC';
}

export type Resolve = (
  host: string,
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void;

/**
 * Resolves and checks the hosts that customers enter. The address rule for customers' own servers applies to each
 * connection. The connection uses exactly the addresses that were checked, so changing the DNS record in between has no
 * effect.
 */
export class PublicRoute {
  constructor(
    /** Additional address ranges allowed by the configuration. */
    private readonly allowed: readonly Cidr[],
    private readonly resolve: Resolve = dns.lookup,
  ) {}

  /** Throws NotPublic for an IP address that is not public. Node does not call `lookup` for IP addresses. */
  check(host: string): void {
    if (isIP(host) !== 0 && !this.isAllowed(host)) throw new NotPublic(`${host} is not public`);
  }

  /** Resolves a name for `net.connect` and `tls.connect`. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    this.resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0);
      const addresses = found.filter(({ address }) => this.isAllowed(address));
      const [first] = addresses;
      if (first === undefined) return callback(new NotPublic(`${host} resolves to no public address`), '', 0);
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };

  private isAllowed(address: string): boolean {
    return guardAddress(address, this.allowed).ok;
  }
}
