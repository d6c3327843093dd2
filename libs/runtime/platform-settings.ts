import { cloudMix, CONSTANTS, isDomainName, isWithinDomain } from '@moorage/domain';
import { z } from 'zod';
import { CLOUD_SETTINGS, cloudSetupOf } from './cloud-settings';

const text = z.string().trim().min(1);
const domainName = text.refine(isDomainName, 'must be a domain in lower case, for example apps.example.com');

/** Adapters for the DNS of the platform domain. */
export const PLATFORM_DNS_KINDS = ['simulated', 'rfc2136', 'cloudflare', 'digitalocean'] as const;
export type PlatformDnsKind = (typeof PLATFORM_DNS_KINDS)[number];

export const PLATFORM_SETTINGS = {
  PLATFORM_DOMAIN: z
    .union([z.literal('off'), domainName])
    .optional()
    .describe(
      'domain below which deployments without an own domain get a name; `off`: every order needs a domain. Default: `apps.sandbox.localhost` if all providers are simulated, otherwise `off`',
    ),
  PLATFORM_DNS: z
    .enum(PLATFORM_DNS_KINDS)
    .optional()
    .describe(
      'how records below PLATFORM_DOMAIN are set: `rfc2136` (dynamic updates with TSIG), `cloudflare`, `digitalocean` or, only below `sandbox.localhost`, `simulated`',
    ),
  PLATFORM_DNS_ZONE: domainName
    .optional()
    .describe('zone at the name server or provider that contains PLATFORM_DOMAIN; default: PLATFORM_DOMAIN'),
  PLATFORM_DNS_SERVER: z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?$/, 'use host or host:port')
    .optional()
    .describe(
      '`host` or `host:port` of the primary name server, for `rfc2136`; it must allow updates and transfers with the key',
    ),
  PLATFORM_DNS_KEY: text
    .regex(/^[a-zA-Z0-9._-]+:[A-Za-z0-9+/]{22,}={0,2}$/, 'use name:base64 of a key with at least 16 bytes')
    .optional()
    .describe('TSIG key (hmac-sha256) for `rfc2136`, as `name:base64`'),
  PLATFORM_DNS_TOKEN: text
    .optional()
    .describe('API token for `cloudflare` (Zone Read and DNS Edit of the zone) or `digitalocean` (read and write)'),
  PLATFORM_DNS_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('lab: address of the API of PLATFORM_DNS, instead of the public one'),
  PLATFORM_CERTIFICATES_PER_WEEK: z.coerce
    .number()
    .pipe(z.int().min(0).max(1_000_000))
    .default(50)
    .describe(
      "certificates that the authority issues for PLATFORM_DOMAIN in seven days (Let's Encrypt: 50 per registered domain); 0: unlimited, for a domain on the Public Suffix List or with a raised limit",
    ),
} as const;

type PlatformSettings = z.infer<z.ZodObject<typeof PLATFORM_SETTINGS>>;

export const PLATFORM_SECRETS = [
  'PLATFORM_DNS_KEY',
  'PLATFORM_DNS_TOKEN',
] as const satisfies readonly (keyof PlatformSettings)[];

/** The platform domain with its DNS. */
export interface PlatformSetup {
  readonly domain: string;
  readonly zone: string;
  readonly dns: PlatformDnsKind;
  readonly certificatesPerWeek: number;
}

type Relevant = PlatformSettings & z.infer<z.ZodObject<typeof CLOUD_SETTINGS>>;

const SANDBOX_DOMAIN = `apps.${CONSTANTS.sandboxZone}`;

/** Returns the platform domain of this installation, or null if every order needs its own. */
export function platformOf(settings: Relevant): PlatformSetup | null {
  const isSandbox = cloudMix(cloudSetupOf(settings)) === 'sandbox';
  const domain = settings.PLATFORM_DOMAIN ?? (isSandbox ? SANDBOX_DOMAIN : 'off');
  if (domain === 'off') return null;
  return {
    domain,
    zone: settings.PLATFORM_DNS_ZONE ?? domain,
    dns: settings.PLATFORM_DNS ?? 'simulated',
    certificatesPerWeek: settings.PLATFORM_CERTIFICATES_PER_WEEK,
  };
}

/** Settings that an adapter needs. */
const NEEDED: Readonly<Record<PlatformDnsKind, readonly (keyof PlatformSettings)[]>> = {
  simulated: [],
  rfc2136: ['PLATFORM_DNS_SERVER', 'PLATFORM_DNS_KEY'],
  cloudflare: ['PLATFORM_DNS_TOKEN'],
  digitalocean: ['PLATFORM_DNS_TOKEN'],
};

/** Returns an error for each setting without which orders would get names that never work. */
export function platformRefusals(settings: Relevant): string[] {
  const setup = platformOf(settings);
  if (setup === null)
    return settings.PLATFORM_DNS === undefined ? [] : ['PLATFORM_DNS: has no effect without PLATFORM_DOMAIN'];
  const { domain, zone, dns } = setup;
  const isSandbox = domain !== CONSTANTS.sandboxZone && isWithinDomain(domain, CONSTANTS.sandboxZone);
  if (dns === 'simulated' && !isSandbox) {
    return [
      `PLATFORM_DNS: is required with PLATFORM_DOMAIN, and \`simulated\` serves only names like ${SANDBOX_DOMAIN}`,
    ];
  }
  return [
    ...(isWithinDomain(domain, zone) ? [] : ['PLATFORM_DNS_ZONE: must be PLATFORM_DOMAIN or contain it']),
    ...NEEDED[dns]
      .filter((name) => settings[name] === undefined)
      .map((name) => `${name}: is required with PLATFORM_DNS=${dns}`),
  ];
}
