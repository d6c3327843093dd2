/** What the clouds are called, everywhere (decisions 27). */
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

/** The providers by the names that the catalogue, the deployments and the settings use. */
export const CLOUD_NAMES = Object.keys(PROVIDER_NAMES) as readonly CloudName[];

export function isCloudName(name: string | null | undefined): name is CloudName {
  return CLOUD_NAMES.some((known) => known === name);
}

/** A provider that has no name here shows as it is written. */
export function providerName(provider: string): string {
  return Object.hasOwn(PROVIDER_NAMES, provider) ? PROVIDER_NAMES[provider as keyof typeof PROVIDER_NAMES] : provider;
}

/** What lists, filters and indexes call the provider of a server of the user's own. */
export const OWN_SERVER = 'byovps';

/** As screens call it, in each language. */
const OWN_SERVER_NAMES = ['BYOVPS', 'your own server', 'Eigener Server'] as const;

/** The providers whose shown name holds this text, in any letters: by what people read, they search. */
export function providersNamed(text: string): string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const holds = (name: string): boolean => name.toLowerCase().includes(wanted);
  const clouds = Object.entries(PROVIDER_NAMES).filter(([, name]) => holds(name));
  return [...clouds.map(([provider]) => provider), ...(OWN_SERVER_NAMES.some(holds) ? [OWN_SERVER] : [])];
}
