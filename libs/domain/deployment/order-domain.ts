import { ORDER_MESSAGES } from '../messages/order';
import type { Message } from '../messages/message';
import { asciiDomain } from '../domain-name';
import { isDomainName } from '../text';
import { envVariable } from './env';
import { isWithinDomain } from './platform-names';

/**
 * Zones that never point to a customer's server, from the IANA registry of special-use domain names and the
 * reservations of ICANN. They are checked first, because the public suffix list contains some of them.
 */
const RESERVED_ZONES: readonly (readonly [zone: string, source: string])[] = [
  ['test', 'RFC 6761'],
  ['localhost', 'RFC 6761'],
  ['invalid', 'RFC 6761'],
  ['example', 'RFC 6761'],
  ['example.com', 'RFC 6761'],
  ['example.net', 'RFC 6761'],
  ['example.org', 'RFC 6761'],
  ['local', 'RFC 6762'],
  ['onion', 'RFC 7686'],
  ['home.arpa', 'RFC 8375'],
  ['arpa', 'RFC 3172'],
  ['alt', 'RFC 9476'],
  ['internal', 'ICANN resolution 2024.07.29.06'],
];

/** Parses a name with the public suffix list (`parse` of tldts). */
export type ParseName = (
  name: string,
  options: { allowPrivateDomains: true; extractHostname: false },
) => {
  readonly publicSuffix: string | null;
  readonly isIcann: boolean | null;
  readonly isPrivate: boolean | null;
};

/** Names that an installation accepts. */
export interface NameContext {
  /** Zones accepted in orders although public DNS does not contain them, such as the sandbox's zone or a lab's. */
  readonly allowedZones: readonly string[];
  /** Null if the list is not loaded. In that case only reserved zones are rejected. */
  readonly parseName: ParseName | null;
  /** Domain below which only the platform gives names. */
  readonly platformDomain?: string | null;
  /** Name below it that the platform gave to this deployment. */
  readonly platformName?: string | null;
}

/** Returns why a value cannot be the domain of an order, or null. */
export function checkDomain(value: string, names: NameContext): Message | null {
  if (value === '') return ORDER_MESSAGES.domain;
  return envVariable('DOMAIN')?.check(value, { adminName: 'email' }) ?? checkPublicName(value, names);
}

/** Returns why no customer can point this well-formed domain to a server, or null. */
export function checkPublicName(
  domain: string,
  { allowedZones, parseName, platformDomain = null, platformName = null }: NameContext,
): Message | null {
  if (platformDomain !== null && domain === platformName) return null;
  // A subdomain of a parent domain could be a name of the platform.
  if (platformDomain !== null && (isWithinDomain(domain, platformDomain) || isWithinDomain(platformDomain, domain)))
    return ORDER_MESSAGES.domain_of_platform({ zone: platformDomain });
  if (allowedZones.some((zone) => isWithinDomain(domain, zone))) return null;
  const [reserved] = RESERVED_ZONES.find(([zone]) => isWithinDomain(domain, zone)) ?? [];
  if (reserved !== undefined) return ORDER_MESSAGES.domain_reserved({ zone: reserved });
  if (parseName === null) return null;
  const { publicSuffix, isIcann, isPrivate } = parseName(domain, { allowPrivateDomains: true, extractHostname: false });
  if (publicSuffix === domain) return ORDER_MESSAGES.domain_suffix({ domain });
  if (isIcann === true || isPrivate === true) return null;
  return ORDER_MESSAGES.domain_unknown({ zone: domain.slice(domain.lastIndexOf('.') + 1) });
}

/**
 * Returns why a certificate authority rejects this address as a contact, or null. Reserved domains and unknown
 * top-level domains cannot have mailboxes. Malformed addresses are left to other rules.
 */
export function checkContactEmail(email: string, { allowedZones, parseName }: NameContext): Message | null {
  const domain = asciiDomain(email.slice(email.lastIndexOf('@') + 1));
  if (!isDomainName(domain) || allowedZones.some((zone) => isWithinDomain(domain, zone))) return null;
  const known = parseName?.(domain, { allowPrivateDomains: true, extractHostname: false });
  const isUnknown = known !== undefined && known.isIcann !== true && known.isPrivate !== true;
  const isReserved = RESERVED_ZONES.some(([zone]) => isWithinDomain(domain, zone));
  return isReserved || isUnknown ? ORDER_MESSAGES.contact_reserved({ domain }) : null;
}
