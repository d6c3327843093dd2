import { CONSTANTS } from '../constants';

export interface Reachable {
  readonly domain: string | null;
  readonly admin_subdomain: string | null;
  readonly instance_ip: string | null;
  readonly vps_ip_address: string | null;
}

/** Where the owner opens it: `https://{admin_subdomain}.{domain}`, else `http://{ip}`, else null (decisions 22). */
export function accessLink({ domain, admin_subdomain, instance_ip, vps_ip_address }: Reachable): string | null {
  if (domain !== null && domain !== '') {
    const host = admin_subdomain === null || admin_subdomain === '' ? domain : `${admin_subdomain}.${domain}`;
    return `https://${host}`;
  }
  return ipLink(instance_ip ?? vps_ip_address);
}

export function ipLink(address: string | null): string | null {
  if (address === null || address === '') return null;
  return address.includes(':') ? `http://[${address}]` : `http://${address}`;
}

const LOCAL = /^(https?:)\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;
const ADDRESS = /^https?:\/\/([a-z0-9.-]+)(?:\/.*)?$/i;

/** Whether simulated servers have pages: the names below the sandbox's zone lead every browser to its own machine. */
export const hasOpenLinks = (publicUrl: string): boolean => LOCAL.test(publicUrl);

/**
 * What *Open* opens in place of the address of a simulated server: the page that this installation serves under the same
 * name. null: it is not below the sandbox's zone, or the installation is on another machine than its visitors.
 */
export function openLink(address: string | null, publicUrl: string): string | null {
  const local = LOCAL.exec(publicUrl);
  const host = ADDRESS.exec(address ?? '')?.[1]?.toLowerCase();
  if (address === null || local === null || host === undefined || !isSandboxHost(host)) return null;
  const path = address.replace(/^https?:\/\/[^/]+/i, '');
  return `${local[1] ?? ''}//${host}${local[2] ?? ''}${path === '' ? '/' : path}`;
}

/** A name below the sandbox's zone, in small letters. */
export const isSandboxHost = (host: string): boolean => host.endsWith(`.${CONSTANTS.sandboxZone}`);
