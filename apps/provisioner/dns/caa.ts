import { DNS_MESSAGES, type Message } from '@moorage/domain';

export interface CaaRecord {
  readonly flags: number;
  /** In lower case, for example `issue` or `iodef`. */
  readonly tag: string;
  readonly value: string;
}

/** The records nearest to a name, either its own or those of a parent domain. */
export interface CaaAnswer {
  /** Name that has the records, or whose lookup failed. */
  readonly name: string;
  /** Empty if there are none, so that every authority may issue. */
  readonly records: readonly CaaRecord[];
  /** `SERVFAIL`, `TIMEOUT` and so on, or null if there was a response. */
  readonly error: string | null;
}

/** Error for a response that Node's resolver cannot parse, such as a CAA record with an empty value. */
export const UNREADABLE = 'UNREADABLE';

/** Tags that a certificate authority knows. */
const KNOWN_TAGS = ['issue', 'issuewild', 'iodef', 'issuemail'];
/** Bit 128 according to the RFC. Many records use bit 1 instead, which authorities accept as well. */
const CRITICAL = 128 | 1;
/** Challenge used by the routers of all packages. */
const METHOD = 'http-01';

/**
 * Returns why the authority would not issue a certificate for a name, or null if it would (RFC 8659, and RFC 8657 for
 * the parameters). A failed lookup counts as a refusal, as it does for the authority.
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
  /** Empty if no authority is allowed. */
  readonly domain: string;
  readonly parameters: readonly (readonly [tag: string, value: string])[];
}

/** Parses `letsencrypt.org; validationmethods=http-01`. Returns null if it is malformed, which allows no authority. */
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

/** The account is created on the server when the certificate is requested, so no record can name it in advance. */
const fits = (issuer: Issuer): boolean =>
  hasOurMethod(issuer) && !issuer.parameters.some(([tag]) => tag === 'accounturi');

function hasOurMethod({ parameters }: Issuer): boolean {
  const methods = parameters.filter(([tag]) => tag === 'validationmethods').map(([, value]) => value.split(','));
  return methods.length === 0 || (methods.length === 1 && methods.flat().includes(METHOD));
}
