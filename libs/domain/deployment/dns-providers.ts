import { isWithinDomain } from './platform-names';

/** A DNS provider whose API creates records with a token of the domain's owner. */
export interface DnsProvider {
  readonly label: string;
  /** Page of the provider on which tokens are created. */
  readonly tokenUrl: string;
  /** Domains of the name servers of its zones. */
  readonly nameServers: readonly string[];
}

export const DNS_PROVIDERS = {
  cloudflare: {
    label: 'Cloudflare',
    tokenUrl: 'https://dash.cloudflare.com/profile/api-tokens',
    nameServers: ['ns.cloudflare.com'],
  },
  digitalocean: {
    label: 'DigitalOcean',
    tokenUrl: 'https://cloud.digitalocean.com/account/api/tokens',
    nameServers: ['digitalocean.com'],
  },
  hetzner: {
    label: 'Hetzner',
    tokenUrl: 'https://docs.hetzner.com/cloud/api/getting-started/generating-api-token/',
    nameServers: ['ns.hetzner.com', 'ns.hetzner.de'],
  },
} as const satisfies Readonly<Record<string, DnsProvider>>;

export type DnsProviderName = keyof typeof DNS_PROVIDERS;
export const DNS_PROVIDER_NAMES = Object.keys(DNS_PROVIDERS) as [DnsProviderName, ...DnsProviderName[]];

/** Returns the provider of a zone with these name servers, or null if it is another or they are of several. */
export function providerOfNameServers(servers: readonly string[]): DnsProviderName | null {
  const found = DNS_PROVIDER_NAMES.find((name) =>
    servers.every((server) => DNS_PROVIDERS[name].nameServers.some((domain) => isWithinDomain(server, domain))),
  );
  return servers.length === 0 ? null : (found ?? null);
}

/** Zones that are tried for a name. Zones are rarely deeper than two labels. */
const ZONES_MAX = 5;

/** Returns the zones that may contain a name, the deepest first: `admin.example.com` and `example.com`. */
export function zonesOf(host: string): string[] {
  const labels = host.replace(/^\*\./, '').split('.');
  return labels
    .slice(0, -1)
    .map((_, index) => labels.slice(index).join('.'))
    .slice(-ZONES_MAX);
}
