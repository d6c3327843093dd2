/** Display names of the providers (decision 27). */
export const PROVIDER_NAMES = {
  aws: 'AWS',
  azure: 'Microsoft Azure',
  gcp: 'Google Cloud',
  digitalocean: 'DigitalOcean',
  hetzner: 'Hetzner',
  linode: 'Linode (Akamai)',
  vultr: 'Vultr',
} as const satisfies Readonly<Record<string, string>>;

export type CloudName = keyof typeof PROVIDER_NAMES;

/** Provider names as used in the catalogue, deployments and settings. */
export const CLOUD_NAMES = Object.keys(PROVIDER_NAMES) as readonly CloudName[];

export function isCloudName(name: string | null | undefined): name is CloudName {
  return CLOUD_NAMES.some((known) => known === name);
}

/** Returns the display name of a provider. An unknown name is returned unchanged. */
export function providerName(provider: string): string {
  return Object.hasOwn(PROVIDER_NAMES, provider) ? PROVIDER_NAMES[provider as keyof typeof PROVIDER_NAMES] : provider;
}

/** Provider name of customers' own servers in lists, filters and indexes. */
export const OWN_SERVER = 'byovps';

/** Display names of customers' own servers, in each language. */
const OWN_SERVER_NAMES = ['BYOVPS', 'your own server', 'Eigener Server'] as const;

/** Finds providers by part of their display name, ignoring case, so that a search matches what users see. */
export function providersNamed(text: string): string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const holds = (name: string): boolean => name.toLowerCase().includes(wanted);
  const clouds = Object.entries(PROVIDER_NAMES).filter(([, name]) => holds(name));
  return [...clouds.map(([provider]) => provider), ...(OWN_SERVER_NAMES.some(holds) ? [OWN_SERVER] : [])];
}
