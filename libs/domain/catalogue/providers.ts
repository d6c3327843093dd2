import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../time';
import type { ProviderDescriptor, ProviderSetting } from './provider-descriptor';

/** Cloud providers by their names in the catalogue, deployments and settings. */
export const PROVIDERS = {
  aws: {
    name: 'AWS',
    // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-resize.html
    // Our servers have no Elastic IP address, so a stop releases the address.
    resizing: { canShrink: true, disk: 'separate', changesAddress: true, arm: /^[a-z]+\d+g[a-z]*\./ },
    repeatedCreate: 'same_server',
    // 30 GB of gp3
    billedApart: { addressPerHour: 0.005, diskPerMonth: 30 * 0.08 },
  },
  azure: {
    name: 'Microsoft Azure',
    // https://learn.microsoft.com/azure/virtual-machines/sizes/resize-vm. Our addresses are static.
    resizing: { canShrink: true, disk: 'separate', changesAddress: false, arm: /^Standard_[A-Z]+\d+p/ },
    repeatedCreate: 'same_server',
    // Standard SSD of 32 GB (E4)
    billedApart: { addressPerHour: 0.005, diskPerMonth: 2.4 },
  },
  gcp: {
    name: 'Google Cloud',
    // https://cloud.google.com/compute/docs/instances/changing-machine-type-of-stopped-instance
    // Our addresses are ephemeral, so a stop releases them.
    resizing: { canShrink: true, disk: 'separate', changesAddress: true, arm: /^(t2a|c4a|n4a)-/ },
    repeatedCreate: 'same_server',
    // 30 GB of a balanced disk
    billedApart: { addressPerHour: 0.005, diskPerMonth: 30 * 0.1 },
  },
  digitalocean: {
    name: 'DigitalOcean',
    // https://docs.digitalocean.com/products/droplets/how-to/resize
    resizing: { canShrink: true, disk: 'optional', changesAddress: false, arm: null },
    repeatedCreate: 'second_server',
    rateLimit: { counts: 'calls', most: 250, window_ms: MINUTE_MS },
  },
  hetzner: {
    name: 'Hetzner',
    // https://docs.hetzner.cloud/reference/cloud#server-actions-change-the-type-of-a-server
    resizing: { canShrink: true, disk: 'optional', changesAddress: false, arm: /^cax/ },
    repeatedCreate: 'name_taken',
    rateLimit: { counts: 'calls', most: 3_600, window_ms: HOUR_MS },
  },
  linode: {
    name: 'Linode (Akamai)',
    // https://techdocs.akamai.com/linode-api/reference/post-resize-linode-instance
    resizing: { canShrink: true, disk: 'optional', changesAddress: false, arm: null },
    repeatedCreate: 'name_taken',
    rateLimit: { counts: 'creates', most: 10, window_ms: 30 * SECOND_MS },
  },
  vultr: {
    name: 'Vultr',
    // https://docs.vultr.com/products/compute/cloud-compute/management/how-to-upgrade-a-vultr-cloud-compute-instance
    resizing: { canShrink: false, disk: 'always', changesAddress: false, arm: null },
    repeatedCreate: 'second_server',
  },
} as const satisfies Readonly<Record<string, ProviderDescriptor>>;

export type CloudName = keyof typeof PROVIDERS;

/** Settings of the live providers. A provider without an entry can only be simulated. */
export const PROVIDER_SETTINGS = {
  aws: {
    AWS_ACCESS_KEY_ID: { kind: 'credential', description: 'AWS: access key id' },
    AWS_SECRET_ACCESS_KEY: { kind: 'secret', description: 'AWS: secret access key' },
    AWS_BASE_URL: {
      kind: 'address',
      description: 'lab: address of the EC2 API for all regions, instead of the public ones',
    },
    AWS_PRICES_BASE_URL: {
      kind: 'address',
      description: 'lab: address of the AWS price list API, instead of the public one',
    },
    AWS_CALLBACK_TOPIC: {
      kind: 'list',
      pattern: /^arn:aws(-cn)?:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/,
      refusal: 'use ARNs of SNS topics',
      max: 50,
      description:
        'AWS: ARNs of the SNS topics whose events are accepted, one per region; without it no events are accepted',
    },
  },
  azure: {
    AZURE_TENANT_ID: { kind: 'credential', description: 'Azure: tenant id of the service principal' },
    AZURE_CLIENT_ID: { kind: 'credential', description: 'Azure: application (client) id of the service principal' },
    AZURE_CLIENT_SECRET: { kind: 'secret', description: 'Azure: secret of the service principal' },
    AZURE_SUBSCRIPTION_ID: { kind: 'credential', description: 'Azure: subscription that servers are created in' },
    AZURE_CALLBACK_KEY: {
      kind: 'callback_key',
      min: 32,
      max: 200,
      description:
        'Azure: key of at least 32 characters that Event Grid sends with its events; without it no events are accepted',
    },
    AZURE_BASE_URL: {
      kind: 'address',
      description: 'lab: address of the Azure Resource Manager, instead of the public one',
    },
    AZURE_TOKEN_URL: {
      kind: 'address',
      description: 'lab: address of the Azure token endpoint, instead of the public one',
    },
    AZURE_PRICES_BASE_URL: {
      kind: 'address',
      description: 'lab: address of the Azure retail prices API, instead of the public one',
    },
  },
  gcp: {
    GCP_SERVICE_ACCOUNT_KEY: {
      kind: 'secret',
      description: 'Google Cloud: service account key, as the downloaded JSON',
    },
    GCP_CALLBACK_ACCOUNT: {
      kind: 'email',
      description:
        'Google Cloud: email of the service account that Pub/Sub uses to push events; without it no events are accepted',
    },
    GCP_BASE_URL: {
      kind: 'address',
      description: 'lab: address of the Compute Engine API, instead of the public one',
    },
    GCP_TOKEN_URL: {
      kind: 'address',
      description: 'lab: address of the Google token endpoint, instead of the public one',
    },
  },
  digitalocean: {
    DIGITALOCEAN_TOKEN: { kind: 'secret', description: 'DigitalOcean: API token (read and write)' },
    DIGITALOCEAN_BASE_URL: {
      kind: 'address',
      description: 'lab: address of the DigitalOcean API, instead of the public one',
    },
  },
  hetzner: {
    HETZNER_TOKEN: { kind: 'secret', description: 'Hetzner Cloud: API token of a project (read and write)' },
    HETZNER_BASE_URL: {
      kind: 'address',
      description: 'lab: address of the Hetzner Cloud API, instead of the public one',
    },
    HETZNER_USD_PER_EUR: {
      kind: 'number',
      min: 0.1,
      max: 10,
      fallback: 1.1133,
      description:
        "exchange rate in US dollars per euro, used to convert Hetzner's prices (the default is from 2026-10-28)",
    },
  },
  linode: {
    LINODE_TOKEN: {
      kind: 'secret',
      description: 'Linode: personal access token (Linodes and Firewalls read and write, Account read)',
    },
    LINODE_BASE_URL: { kind: 'address', description: 'lab: address of the Linode API, instead of the public one' },
  },
  vultr: {
    VULTR_API_KEY: { kind: 'secret', description: 'Vultr: API key; its access control must admit the provisioner' },
    VULTR_BASE_URL: { kind: 'address', description: 'lab: address of the Vultr API, instead of the public one' },
  },
} as const satisfies Readonly<Partial<Record<CloudName, Readonly<Record<string, ProviderSetting>>>>>;

/** Providers with an adapter. */
export type LiveName = keyof typeof PROVIDER_SETTINGS;

export const CLOUD_NAMES = Object.keys(PROVIDERS) as readonly CloudName[];

export const descriptorOf = (provider: CloudName): ProviderDescriptor => PROVIDERS[provider];

/** Returns the settings of a provider by name, none for a provider that can only be simulated. */
export const settingsOf = (provider: CloudName): Readonly<Record<string, ProviderSetting>> =>
  isLiveName(provider) ? PROVIDER_SETTINGS[provider] : {};

export function isCloudName(name: string | null | undefined): name is CloudName {
  return CLOUD_NAMES.some((known) => known === name);
}

export const isLiveName = (provider: CloudName): provider is LiveName => Object.hasOwn(PROVIDER_SETTINGS, provider);

/** Returns the display name of a provider. An unknown name is returned unchanged. */
export function providerName(provider: string): string {
  return isCloudName(provider) ? PROVIDERS[provider].name : provider;
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
  const clouds = CLOUD_NAMES.filter((provider) => holds(PROVIDERS[provider].name));
  return [...clouds, ...(OWN_SERVER_NAMES.some(holds) ? [OWN_SERVER] : [])];
}
