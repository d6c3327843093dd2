import type { CloudName } from '@moorage/domain';
import type { Settings } from '@moorage/runtime';
import type { Cloud } from '../cloud';
import { AwsCloud } from './aws.cloud';
import { AzureCloud } from './azure.cloud';
import type { LiveParts } from './cloud-http';
import { DigitalOceanCloud } from './digitalocean.cloud';
import { GcpCloud } from './gcp.cloud';
import { HetznerCloud } from './hetzner.cloud';
import { LinodeCloud } from './linode.cloud';
import { VultrCloud } from './vultr.cloud';

type Opening = (settings: Settings, parts: LiveParts) => Cloud | null;

/** Opens each provider with the credentials from the settings, or returns null if they are missing. */
const OPENINGS: Readonly<Record<CloudName, Opening>> = {
  aws: (settings) => {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = settings;
    if (accessKeyId === undefined || secretAccessKey === undefined) return null;
    const { AWS_BASE_URL: baseUrl, AWS_PRICES_BASE_URL: pricesBaseUrl } = settings;
    return new AwsCloud({ accessKeyId, secretAccessKey, baseUrl, pricesBaseUrl });
  },
  azure: (settings, parts) => {
    const {
      AZURE_TENANT_ID: tenantId,
      AZURE_CLIENT_ID: clientId,
      AZURE_CLIENT_SECRET: clientSecret,
      AZURE_SUBSCRIPTION_ID: subscriptionId,
    } = settings;
    if (
      tenantId === undefined ||
      clientId === undefined ||
      clientSecret === undefined ||
      subscriptionId === undefined
    ) {
      return null;
    }
    const { AZURE_BASE_URL: baseUrl, AZURE_TOKEN_URL: tokenUrl, AZURE_PRICES_BASE_URL: pricesBaseUrl } = settings;
    const account = { tenantId, clientId, clientSecret, subscriptionId, baseUrl, tokenUrl, pricesBaseUrl };
    return new AzureCloud(account, parts);
  },
  digitalocean: ({ DIGITALOCEAN_TOKEN: token, DIGITALOCEAN_BASE_URL: baseUrl }, parts) =>
    token === undefined ? null : new DigitalOceanCloud({ token, baseUrl }, parts),
  gcp: ({ GCP_SERVICE_ACCOUNT_KEY: key, GCP_BASE_URL: baseUrl, GCP_TOKEN_URL: tokenUrl }, parts) =>
    key === undefined ? null : new GcpCloud({ key, baseUrl, tokenUrl }, parts),
  hetzner: ({ HETZNER_TOKEN: token, HETZNER_BASE_URL: baseUrl, HETZNER_USD_PER_EUR: usdPerEur }, parts) =>
    token === undefined ? null : new HetznerCloud({ token, baseUrl, usdPerEur }, parts),
  linode: ({ LINODE_TOKEN: token, LINODE_BASE_URL: baseUrl }, parts) =>
    token === undefined ? null : new LinodeCloud({ token, baseUrl }, parts),
  vultr: ({ VULTR_API_KEY: apiKey, VULTR_BASE_URL: baseUrl }, parts) =>
    apiKey === undefined ? null : new VultrCloud({ apiKey, baseUrl }, parts),
};

export const openLiveCloud = (name: CloudName, settings: Settings, parts: LiveParts): Cloud | null =>
  OPENINGS[name](settings, parts);
