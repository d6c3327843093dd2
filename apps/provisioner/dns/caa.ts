import { DNS_MESSAGES, type Message } from '@moorage/domain';

export interface CaaRecord {
  readonly flags: number;
  /** In lower case: `issue`, `iodef`. */
  readonly tag: string;
  readonly value: string;
}

/** The records nearest to a name, those of the name itself or of a domain above it. */
export interface CaaAnswer {
  /** The name that has the records, or whose lookup failed. */
  readonly name: string;
  /** Empty if there are none, so that every authority may issue. */
  readonly records: readonly CaaRecord[];
  /** `SERVFAIL`, `TIMEOUT`, ...; null when it was answered. */
  readonly error: string | null;
}

/** The error of an answer that came and that Node's resolver cannot parse, as with a CAA record of an empty value. */
export const UNREADABLE = 'UNREADABLE';

/** The tags that a certificate authority knows. */
const KNOWN_TAGS = ['issue', 'issuewild', 'iodef', 'issuemail'];
/** Bit 128 by the RFC; many records use bit 1 in its place, and authorities take it for the same. */
const CRITICAL = 128 | 1;
/** The challenge that the routers of all packages use. */
const METHOD = 'http-01';

/**
 * Returns why the authority would issue no certificate for a name, or null (RFC 8659, and RFC 8657 for the parameters).
 * It takes an answer that fails for a record that forbids.
 */
export function caaRefusal({ name, records, error }: CaaAnswer, authority: string): Message | null {
  if (error === UNREADABLE) return DNS_MESSAGES.caa_unreadable({ name, authority });
  if (error !== null) return DNS_MESSAGES.caa_unanswered({ name, error });
  const unknown = records.find(({ flags, tag }) => (flags & CRITICAL) !== 0 && !KNOWN_TAGS.includes(tag));
  if (unknown !== undefined) return DNS_MESSAGES.caa_critical({ name, tag: unknown.tag.replace(/[^a-z0-9]/g, '?') });
  const issuers = records.filter(({ tag }) => tag === 'issue').map(({ value }) => issuerOf(value));
  const ours = issuers.filter((issuer) => issuer?.domain === authority);
  if (issuers.length === 0 || ours.some((issuer) => issuer !== null && fits(issuer))) return null;
  if (ours.length === 0) return DNS_MESSAGES.caa_forbids({ host: name, authority });
  return ours.some((issuer) => issuer !== null && hasOurMethod(issuer))
    ? DNS_MESSAGES.caa_account({ name, authority })
    : DNS_MESSAGES.caa_method({ name, authority, method: METHOD });
}

interface Issuer {
  /** Empty: nobody. */
  readonly domain: string;
  readonly parameters: readonly (readonly [tag: string, value: string])[];
}

/** `letsencrypt.org; validationmethods=http-01`; null where it is malformed, which allows nobody. */
function issuerOf(value: string): Issuer | null {
  const [domain = '', ...rest] = value.split(';').map((part) => part.trim());
  if (rest.length === 1 && rest[0] === '') return { domain: domain.toLowerCase(), parameters: [] };
  const parameters = rest.map((part) => /^([A-Za-z0-9]+)\s*=\s*([\x21-\x7e]*)$/.exec(part));
  if (parameters.includes(null)) return null;
  return {
    domain: domain.toLowerCase(),
    parameters: parameters.map((match) => [match?.[1] ?? '', match?.[2] ?? ''] as const),
  };
}

/** The account is made on the server when the certificate is requested, so that no record can name it before. */
const fits = (issuer: Issuer): boolean =>
  hasOurMethod(issuer) && !issuer.parameters.some(([tag]) => tag === 'accounturi');

function hasOurMethod({ parameters }: Issuer): boolean {
  const methods = parameters.filter(([tag]) => tag === 'validationmethods').map(([, value]) => value.split(','));
  return methods.length === 0 || (methods.length === 1 && methods.flat().includes(METHOD));
}
