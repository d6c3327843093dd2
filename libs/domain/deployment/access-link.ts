import { CONSTANTS } from '../constants';

export interface Reachable {
  readonly domain: string | null;
  readonly admin_subdomain: string | null;
  readonly instance_ip: string | null;
  readonly vps_ip_address: string | null;
}

/**
 * Returns the address at which the owner opens the deployment, which is `https://{admin_subdomain}.{domain}`, otherwise
 * `http://{ip}`, otherwise null (decision 22).
 */
export function accessLink({ domain, admin_subdomain, instance_ip, vps_ip_address }: Reachable): string | null {
  if (domain !== null && domain !== '') {
    const host = admin_subdomain === null || admin_subdomain === '' ? domain : `${admin_subdomain}.${domain}`;
    return `https://${host}`;
  }
  return ipLink(instance_ip ?? vps_ip_address);
}

/** Returns the http link of an IP address, with IPv6 in brackets, or null without an address. */
export function ipLink(address: string | null): string | null {
  if (address === null || address === '') return null;
  return address.includes(':') ? `http://[${address}]` : `http://${address}`;
}

const LOCAL = /^(https?:)\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;
const ADDRESS = /^https?:\/\/([a-z0-9.-]+)(?:\/.*)?$/i;

/** Returns whether simulated servers have pages. Names in the sandbox's zone resolve to the browser's own machine. */
export const hasOpenLinks = (publicUrl: string): boolean => LOCAL.test(publicUrl);

/**
 * Returns the link that *Open* uses for a simulated server, a page that this installation serves under the same name.
 *
 * @returns null if the address is not in the sandbox's zone, or if the installation runs on another machine than its
 * visitors
 */
export function openLink(address: string | null, publicUrl: string): string | null {
  const local = LOCAL.exec(publicUrl);
  const host = ADDRESS.exec(address ?? '')?.[1]?.toLowerCase();
  if (address === null || local === null || host === undefined || !isSandboxHost(host)) return null;
  const path = address.replace(/^https?:\/\/[^/]+/i, '');
  return `${local[1] ?? ''}//${host}${local[2] ?? ''}${path === '' ? '/' : path}`;
}

/** Returns whether a lower-case host name is in the sandbox's zone. */
export const isSandboxHost = (host: string): boolean => host.endsWith(`.${CONSTANTS.sandboxZone}`);
