import { DAY_MS, type Instant } from '../time';
import type { PackageConfig } from './package-config';

/** Names below the domain of the platform, which deployments without their own domain get. */
export interface PlatformDomain {
  readonly domain: string;
  /** Its names exist only in this process. A customer's own server cannot use them. */
  readonly isSimulated: boolean;
}

export const PLATFORM_LABEL_MAX = 40;
/** Length of the random suffix of a name that is taken or would otherwise be empty. */
export const PLATFORM_SUFFIX_LENGTH = 5;
/** Time for which the name of a deployment that is gone is not given to another account. */
export const PLATFORM_NAME_HELD_MS = 30 * DAY_MS;

/** Period in which the authority counts certificates. */
export const CERTIFICATE_WINDOW_MS = 7 * DAY_MS;

/** Labels that visitors, mail servers or authorities treat as the operator's own. */
const RESERVED: ReadonlySet<string> = new Set(
  `abuse account accounts acme admin administrator api app apps auth autoconfig autodiscover billing blog cdn console
  dashboard dev dns docs download email ftp help hostmaster imap info internal ldap localhost login mail media moorage
  mta-sts mx news noreply ns ns0 ns1 ns2 ns3 ns4 payment payments pop pop3 postmaster public root security shop sip smtp
  ssh ssl sso staging static status support sys system test vpn webmail webmaster wiki wpad ws www`.split(/\s+/),
);

/** Letters that decomposition does not reduce to ASCII, and those with a customary spelling. */
const LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  å: 'a',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Converts a display name to a label of lower-case letters, digits and hyphens. Returns '' if nothing is left. */
function slug(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, PLATFORM_LABEL_MAX)
    .replace(/-$/, '');
}

/** Returns the label that a deployment with this client name gets, or null if only one with a suffix is possible. */
export function platformLabel(clientName: string): string | null {
  const label = slug(clientName);
  return label === '' || RESERVED.has(label) ? null : label;
}

/** Returns the label with a random suffix, for a name that is taken, reserved or empty. */
export function platformLabelWith(clientName: string, suffix: string): string {
  const room = PLATFORM_LABEL_MAX - suffix.length - 1;
  const label = slug(clientName).slice(0, room).replace(/-$/, '');
  return label === '' ? `site-${suffix}` : `${label}-${suffix}`;
}

/** Returns whether a name is the domain itself or below it. The empty domain is the root. */
export const isWithinDomain = (name: string, domain: string): boolean =>
  domain === '' || name === domain || name.endsWith(`.${domain}`);

/** Returns whether a platform name is offered for this kind of server. */
export const offersPlatformName = (platform: PlatformDomain | null, serverType: 'new' | 'vps' | null): boolean =>
  platform !== null && !(platform.isSimulated && serverType === 'vps');

/** Returns whether a name that was given before may be given to an account. `releasedAt` is null while it is in use. */
export const isPlatformNameFree = (
  { accountId, releasedAt }: { readonly accountId: number; readonly releasedAt: Instant | null },
  { to, at }: { readonly to: number; readonly at: Instant },
): boolean => releasedAt !== null && (accountId === to || at >= releasedAt + PLATFORM_NAME_HELD_MS);

/** Returns the package's form with an optional domain, as it applies where the platform gives names. */
export function withOptionalDomain<C extends Pick<PackageConfig, 'details'>>(config: C): C {
  const isDomain = (entry: PackageConfig['details'][number]['required_env'][number]): boolean =>
    (typeof entry === 'string' ? entry : entry.name) === 'DOMAIN';
  const details = config.details.map((detail) => ({
    ...detail,
    required_env: detail.required_env.filter((entry) => !isDomain(entry)),
    optional_env: [...detail.required_env.filter(isDomain), ...detail.optional_env],
  }));
  return { ...config, details };
}
