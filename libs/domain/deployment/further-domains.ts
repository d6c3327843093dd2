import { FURTHER_DOMAIN_MESSAGES } from '../messages/further-domains';
import type { Message } from '../messages/message';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../time';
import type { CertificateVerdict } from './certificate';
import { checkDomain, type NameContext } from './order-domain';

/** Further domains of a deployment. Each is a full host name that redirects to the package's own address. */
export const FURTHER_DOMAINS_MAX = 10;

export const FURTHER_DOMAIN_STATES = [
  /** The DNS record, the redirect or the certificate has not been confirmed yet. */
  'setting_up',
  'record_missing',
  'active',
  /** The redirect is in place, but its certificate is missing or invalid. */
  'certificate_failed',
  'removing',
  /** No longer checked, and free for other deployments. */
  'given_up',
] as const;
export type FurtherDomainState = (typeof FURTHER_DOMAIN_STATES)[number];

/** Results of the checks of one further domain. */
export interface FurtherDomainFacts {
  readonly removed_at: Instant | null;
  readonly given_up_at: Instant | null;
  /** Whether the DNS record is correct, or null before the first check. */
  readonly record_right: boolean | null;
  /** Time since which the router has the redirect, or null if it does not have it. */
  readonly applied_at: Instant | null;
  readonly verdict: CertificateVerdict | null;
  /** Whether the authority rejected the request for the certificate. */
  readonly refused: boolean;
}

/** Time in which the router usually gets the certificate. */
const ISSUED_WITHIN_MS = 10 * MINUTE_MS;
const WORKING: readonly (CertificateVerdict | null)[] = ['good', 'expires_soon'];
const NOT_YET: readonly (CertificateVerdict | null)[] = [null, 'not_issued', 'unreachable'];

export function furtherDomainState(facts: FurtherDomainFacts, now: Instant): FurtherDomainState {
  const { removed_at, given_up_at, record_right, applied_at, verdict, refused } = facts;
  if (removed_at !== null) return 'removing';
  if (given_up_at !== null) return 'given_up';
  if (record_right === false) return 'record_missing';
  if (applied_at === null) return 'setting_up';
  if (WORKING.includes(verdict)) return 'active';
  const isEarly = !refused && NOT_YET.includes(verdict) && now < applied_at + ISSUED_WITHIN_MS;
  return isEarly ? 'setting_up' : 'certificate_failed';
}

/** Time for which a missing DNS record is waited for. */
export const RECORD_WITHIN_MS = 14 * DAY_MS;

/** Pauses between checks, by the time since the domain was added or its redirect was set up. */
const PAUSES: readonly (readonly [until_ms: number, pause_ms: number])[] = [
  [MINUTE_MS, 5 * SECOND_MS],
  [10 * MINUTE_MS, MINUTE_MS / 2],
  [2 * HOUR_MS, 5 * MINUTE_MS],
  [DAY_MS, 15 * MINUTE_MS],
];

/** Returns the pause before the next check of a further domain that is not active yet. */
export function furtherDomainPause(waited_ms: number): number {
  const [, pause = HOUR_MS] = PAUSES.find(([until]) => waited_ms < until) ?? [];
  return pause;
}

/** Returns why a name cannot become a further domain of a deployment, or null. */
export function checkFurtherDomain(
  host: string,
  { names, own, listed }: { names: NameContext; own: readonly string[]; listed: readonly string[] },
): Message | null {
  const message = checkDomain(host, names);
  if (message !== null) return message;
  if (own.includes(host)) return FURTHER_DOMAIN_MESSAGES.own({ host });
  if (listed.includes(host)) return FURTHER_DOMAIN_MESSAGES.listed({ host });
  return listed.length >= FURTHER_DOMAINS_MAX ? FURTHER_DOMAIN_MESSAGES.too_many({ most: FURTHER_DOMAINS_MAX }) : null;
}

/** Returns the name and every domain that contains it: `a.b.example` gives also `b.example` and `example`. */
export const domainsAbove = (host: string): string[] => {
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
};

/** Returns the name that visitors expect beside a domain, for the form: `www` before it, or the domain itself. */
export function suggestedDomain(domain: string, taken: readonly string[]): string | null {
  return [`www.${domain}`, domain].find((host) => !taken.includes(host)) ?? null;
}
