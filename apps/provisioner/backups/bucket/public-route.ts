import dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type Cidr, guardAddress } from '@moorage/domain';

/** Nothing is connected to, because the host leads to no public address. */
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
 * The way to hosts that customers name. The address rule of own servers applies to each connection: the addresses that were
 * judged are the ones that are connected to, so a name that leads elsewhere a moment later gains nothing.
 */
export class PublicRoute {
  constructor(
    /** Further ranges by configuration. */
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
      if (first === undefined) return callback(new NotPublic(`${host} leads to no public address`), '', 0);
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };

  private isAllowed(address: string): boolean {
    return guardAddress(address, this.allowed).ok;
  }
}
