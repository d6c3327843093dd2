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
  const address = instance_ip ?? vps_ip_address;
  if (address === null || address === '') return null;
  return address.includes(':') ? `http://[${address}]` : `http://${address}`;
}
