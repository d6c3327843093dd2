export { markOf } from '@moorage/provisioner/platform-dns/platform-dns';
export { Rfc2136PlatformDns } from '@moorage/provisioner/platform-dns/rfc2136-dns';
export { failsWith, platformDnsSuite } from '../../suites/platform-dns.suite';
