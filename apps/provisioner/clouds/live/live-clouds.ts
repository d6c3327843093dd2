import { type CloudName, isLiveName, type LiveName } from '@moorage/domain';
import { containsCredentials, type CredentialsOf, type Settings } from '@moorage/runtime';
import type { Cloud } from '../cloud';
import { AwsCloud } from './aws.cloud';
import { AzureCloud } from './azure.cloud';
import type { LiveParts } from './cloud-http';
import { DigitalOceanCloud } from './digitalocean.cloud';
import { GcpCloud } from './gcp.cloud';
import { HetznerCloud } from './hetzner.cloud';
import { LinodeCloud } from './linode.cloud';
import { VultrCloud } from './vultr.cloud';

type Opening<Name extends LiveName> = (settings: Settings & CredentialsOf<Name>, parts: LiveParts) => Cloud;

/** Opens each provider with the credentials from the settings. */
const OPENINGS: { readonly [Name in LiveName]: Opening<Name> } = {
  aws: ({
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_BASE_URL: baseUrl,
    AWS_PRICES_BASE_URL: pricesBaseUrl,
  }) => new AwsCloud({ accessKeyId, secretAccessKey, baseUrl, pricesBaseUrl }),
  azure: (
    {
      AZURE_TENANT_ID: tenantId,
      AZURE_CLIENT_ID: clientId,
      AZURE_CLIENT_SECRET: clientSecret,
      AZURE_SUBSCRIPTION_ID: subscriptionId,
      AZURE_BASE_URL: baseUrl,
      AZURE_TOKEN_URL: tokenUrl,
      AZURE_PRICES_BASE_URL: pricesBaseUrl,
    },
    parts,
  ) => new AzureCloud({ tenantId, clientId, clientSecret, subscriptionId, baseUrl, tokenUrl, pricesBaseUrl }, parts),
  digitalocean: ({ DIGITALOCEAN_TOKEN: token, DIGITALOCEAN_BASE_URL: baseUrl }, parts) =>
    new DigitalOceanCloud({ token, baseUrl }, parts),
  gcp: ({ GCP_SERVICE_ACCOUNT_KEY: key, GCP_BASE_URL: baseUrl, GCP_TOKEN_URL: tokenUrl }, parts) =>
    new GcpCloud({ key, baseUrl, tokenUrl }, parts),
  hetzner: ({ HETZNER_TOKEN: token, HETZNER_BASE_URL: baseUrl, HETZNER_USD_PER_EUR: usdPerEur }, parts) =>
    new HetznerCloud({ token, baseUrl, usdPerEur }, parts),
  linode: ({ LINODE_TOKEN: token, LINODE_BASE_URL: baseUrl }, parts) => new LinodeCloud({ token, baseUrl }, parts),
  vultr: ({ VULTR_API_KEY: apiKey, VULTR_BASE_URL: baseUrl }, parts) => new VultrCloud({ apiKey, baseUrl }, parts),
};

/** Returns null if the provider has no adapter, or no credentials in these settings. */
export const openLiveCloud = (name: CloudName, settings: Settings, parts: LiveParts): Cloud | null =>
  isLiveName(name) ? open(name, settings, parts) : null;

const open = <Name extends LiveName>(name: Name, settings: Settings, parts: LiveParts): Cloud | null =>
  containsCredentials(settings, name) ? OPENINGS[name](settings, parts) : null;
