export { markOf } from '../platform-dns/platform-dns';
export { Rfc2136PlatformDns } from '../platform-dns/rfc2136-dns';
export { failsWith, platformDnsSuite } from './platform-dns.suite';
