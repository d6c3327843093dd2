import {
  CLOUD_NAMES,
  type CloudName,
  cloudSetup,
  type CloudSetup,
  type Margin,
  marginAt,
  PROVIDER_CREDENTIALS,
  PROVIDER_MODES,
  providerName,
} from '@moorage/domain';
import { z } from 'zod';

const text = z.string().trim().min(1);
const url = z.url({ protocol: /^https?$/ });
const percent = z.coerce.number().min(0).max(1_000);

/** Setting for how a single provider is run, for example `CLOUD_HETZNER=live`. */
const cloudMode = (name: CloudName) =>
  z
    .enum(PROVIDER_MODES)
    .optional()
    .describe(
      `mode of ${providerName(name)}: \`live\` (offered once its credentials are accepted and its project is confirmed), \`simulated\` or \`off\`; default: CLOUD_MODE`,
    );
type Prefix = Uppercase<CloudName>;
export const cloudModeName = (name: CloudName): `CLOUD_${Prefix}` => `CLOUD_${name.toUpperCase() as Prefix}`;
const marginName = (name: CloudName): `${Prefix}_MARGIN_PERCENT` => `${name.toUpperCase() as Prefix}_MARGIN_PERCENT`;

const modes = Object.fromEntries(CLOUD_NAMES.map((name) => [cloudModeName(name), cloudMode(name)])) as Record<
  `CLOUD_${Prefix}`,
  ReturnType<typeof cloudMode>
>;
const cloudMargin = (name: CloudName) =>
  percent.optional().describe(`margin on ${providerName(name)} as a percentage; default: CLOUD_MARGIN_PERCENT`);
const margins = Object.fromEntries(CLOUD_NAMES.map((name) => [marginName(name), cloudMargin(name)])) as Record<
  `${Prefix}_MARGIN_PERCENT`,
  ReturnType<typeof cloudMargin>
>;

/** Settings of the clouds, with their modes, credentials and margins. */
export const CLOUD_SETTINGS = {
  CLOUD_MODE: z
    .enum(['sandbox', 'live'])
    .default('sandbox')
    .describe('default mode for providers without their own setting: `sandbox`: simulated; `live`: live'),
  ...modes,
  LEAK_ALERT_DOLLARS_PER_DAY: z.coerce
    .number()
    .min(0)
    .default(1)
    .describe('cost of provider resources that belong to no deployment above which operators are alerted'),
  SANDBOX_IN_PRODUCTION: z.literal('yes').optional().describe('`yes`: allows simulated clouds in production'),

  AWS_ACCESS_KEY_ID: text.optional().describe('AWS: access key id'),
  AWS_SECRET_ACCESS_KEY: text.optional().describe('AWS: secret access key'),
  AWS_BASE_URL: url.optional().describe('lab: address of the EC2 API for all regions, instead of the public ones'),
  AWS_PRICES_BASE_URL: url.optional().describe('lab: address of the AWS price list API, instead of the public one'),
  AWS_CALLBACK_TOPIC: text
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(
      z
        .array(z.string().regex(/^arn:aws(-cn)?:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/, 'use ARNs of SNS topics'))
        .max(50),
    )
    .optional()
    .describe(
      'AWS: ARNs of the SNS topics whose events are accepted, one per region; without it no events are accepted',
    ),
  AZURE_TENANT_ID: text.optional().describe('Azure: tenant id of the service principal'),
  AZURE_CLIENT_ID: text.optional().describe('Azure: application (client) id of the service principal'),
  AZURE_CLIENT_SECRET: text.optional().describe('Azure: secret of the service principal'),
  AZURE_SUBSCRIPTION_ID: text.optional().describe('Azure: subscription that servers are created in'),
  AZURE_CALLBACK_KEY: text
    .min(32)
    .max(200)
    .optional()
    .describe(
      'Azure: key of at least 32 characters that Event Grid sends with its events; without it no events are accepted',
    ),
  AZURE_BASE_URL: url.optional().describe('lab: address of the Azure Resource Manager, instead of the public one'),
  AZURE_TOKEN_URL: url.optional().describe('lab: address of the Azure token endpoint, instead of the public one'),
  AZURE_PRICES_BASE_URL: url
    .optional()
    .describe('lab: address of the Azure retail prices API, instead of the public one'),
  GCP_SERVICE_ACCOUNT_KEY: text.optional().describe('Google Cloud: service account key, as the downloaded JSON'),
  GCP_CALLBACK_ACCOUNT: z
    .email()
    .optional()
    .describe(
      'Google Cloud: email of the service account that Pub/Sub uses to push events; without it no events are accepted',
    ),
  GCP_BASE_URL: url.optional().describe('lab: address of the Compute Engine API, instead of the public one'),
  GCP_TOKEN_URL: url.optional().describe('lab: address of the Google token endpoint, instead of the public one'),
  DIGITALOCEAN_TOKEN: text.optional().describe('DigitalOcean: API token (read and write)'),
  DIGITALOCEAN_BASE_URL: url.optional().describe('lab: address of the DigitalOcean API, instead of the public one'),
  HETZNER_TOKEN: text.optional().describe('Hetzner Cloud: API token of a project (read and write)'),
  HETZNER_BASE_URL: url.optional().describe('lab: address of the Hetzner Cloud API, instead of the public one'),
  HETZNER_USD_PER_EUR: z.coerce
    .number()
    .min(0.1)
    .max(10)
    .default(1.1133)
    .describe(
      "exchange rate in US dollars per euro, used to convert Hetzner's prices (the default is from 2026-10-28)",
    ),
  LINODE_TOKEN: text
    .optional()
    .describe('Linode: personal access token (Linodes and Firewalls read and write, Account read)'),
  LINODE_BASE_URL: url.optional().describe('lab: address of the Linode API, instead of the public one'),
  VULTR_API_KEY: text.optional().describe('Vultr: API key; its access control must admit the provisioner'),
  VULTR_BASE_URL: url.optional().describe('lab: address of the Vultr API, instead of the public one'),

  CLOUD_MARGIN_PERCENT: percent
    .default(0)
    .describe("margin on a live provider's cost of a server with its disk and address, as a percentage"),
  CLOUD_MARGIN_MIN_HOURLY: z.coerce.number().min(0).max(100).default(0).describe('minimum margin in USD per hour'),
  ...margins,
} as const;

type CloudSettings = z.infer<z.ZodObject<typeof CLOUD_SETTINGS>>;
type CloudSetting = keyof CloudSettings;

export const CLOUD_SECRETS = [
  'AWS_SECRET_ACCESS_KEY',
  'AZURE_CLIENT_SECRET',
  'GCP_SERVICE_ACCOUNT_KEY',
  'DIGITALOCEAN_TOKEN',
  'HETZNER_TOKEN',
  'LINODE_TOKEN',
  'VULTR_API_KEY',
] as const satisfies readonly CloudSetting[];

/** Settings for verifying callbacks in the api. They are not credentials, so the provisioner does not have them. */
export const CALLBACK_SECRETS = ['AZURE_CALLBACK_KEY'] as const satisfies readonly CloudSetting[];

export const CLOUD_LAB_SETTINGS = (Object.keys(CLOUD_SETTINGS) as CloudSetting[]).filter((name) =>
  /_(BASE|TOKEN)_URL$/.test(name),
);

/** Settings that together form a provider's credentials. */
const CREDENTIALS: Readonly<Record<CloudName, readonly CloudSetting[]>> = PROVIDER_CREDENTIALS;

/** Returns how this installation runs its providers. */
export const cloudSetupOf = (settings: CloudSettings): CloudSetup =>
  cloudSetup({
    sandbox: settings.CLOUD_MODE === 'sandbox',
    chosen: Object.fromEntries(CLOUD_NAMES.map((name) => [name, settings[cloudModeName(name)]])),
    margins: Object.fromEntries(
      CLOUD_NAMES.map((name): [CloudName, Margin] => [
        name,
        {
          percent: settings[marginName(name)] ?? settings.CLOUD_MARGIN_PERCENT,
          minHourlyUsd: settings.CLOUD_MARGIN_MIN_HOURLY,
        },
      ]),
    ),
  });

/** Returns whether these settings contain the provider's credentials. Only the provisioner has them. */
export const hasCredentials = (settings: CloudSettings, provider: CloudName): boolean =>
  CREDENTIALS[provider].every((name) => settings[name] !== undefined);

/** Returns the provider's margin, see `marginAt`. */
export const marginOf = (settings: CloudSettings, provider: CloudName): Margin =>
  marginAt(cloudSetupOf(settings), provider);

/** Returns a warning for each provider that is set to live but has no credentials, so that it cannot be offered. */
export const withoutCredentials = (settings: CloudSettings): string[] =>
  CLOUD_NAMES.filter((name) => settings[cloudModeName(name)] === 'live' && !hasCredentials(settings, name)).map(
    (name) => `${cloudModeName(name)}=live: ${providerName(name)} has no credentials, so it is not offered`,
  );

/** Returns an error for each provider with incomplete credentials, which would otherwise silently have no effect. */
export function credentialRefusals(settings: CloudSettings): string[] {
  return CLOUD_NAMES.flatMap((name) => {
    const needed: readonly CloudSetting[] = CREDENTIALS[name];
    const there = needed.find((one) => settings[one] !== undefined);
    if (there === undefined) return [];
    return needed
      .filter((one) => settings[one] === undefined)
      .map((missing) => `${missing}: is required with ${there}, or ${providerName(name)} could not be called`);
  });
}
