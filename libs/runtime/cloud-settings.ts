import {
  CLOUD_NAMES,
  type CloudName,
  cloudSetup,
  type CloudSetup,
  credentialNames,
  isLiveName,
  type LiveName,
  type Margin,
  marginAt,
  PROVIDER_MODES,
  providerName,
} from '@moorage/domain';
import { z } from 'zod';
import { type CredentialsOf, namesOf, PROVIDER_SCHEMAS } from './provider-settings';

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

  ...PROVIDER_SCHEMAS,

  CLOUD_MARGIN_PERCENT: percent
    .default(0)
    .describe("margin on a live provider's cost of a server with its disk and address, as a percentage"),
  CLOUD_MARGIN_MIN_HOURLY: z.coerce.number().min(0).max(100).default(0).describe('minimum margin in USD per hour'),
  ...margins,
} as const;

type CloudSettings = z.infer<z.ZodObject<typeof CLOUD_SETTINGS>>;
type CloudSetting = keyof CloudSettings;

export const CLOUD_SECRETS = namesOf('secret');

/** Settings for verifying callbacks in the api. They are not credentials, so the provisioner does not have them. */
export const CALLBACK_SECRETS = namesOf('callback_key');

export const CLOUD_LAB_SETTINGS = namesOf('address');

/** Settings that together form a provider's credentials. */
const credentialsOf = (provider: CloudName): readonly CloudSetting[] => credentialNames(provider) as CloudSetting[];

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
  isLiveName(provider) && containsCredentials(settings, provider);

export const containsCredentials = <Name extends LiveName, Given extends CloudSettings>(
  settings: Given,
  provider: Name,
): settings is Given & CredentialsOf<Name> => credentialsOf(provider).every((name) => settings[name] !== undefined);

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
    const needed = credentialsOf(name);
    const there = needed.find((one) => settings[one] !== undefined);
    if (there === undefined) return [];
    return needed
      .filter((one) => settings[one] === undefined)
      .map((missing) => `${missing}: is required with ${there}, or ${providerName(name)} could not be called`);
  });
}
