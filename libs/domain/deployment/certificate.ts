import { type Message, partsOf } from '../messages/message';
import type { Instant } from '../time';

/**
 * Result of a certificate check. `good` means a trusted chain of the expected authority, the right name, and at least
 * 20 more days of validity. `not_issued` is the router's own default certificate. `unreachable` means no TLS at all.
 */
export const CERTIFICATE_VERDICTS = [
  'good',
  'expires_soon',
  'not_issued',
  'wrong_issuer',
  'staging',
  'wrong_name',
  'expired',
  'unreachable',
] as const;
export type CertificateVerdict = (typeof CERTIFICATE_VERDICTS)[number];

/** Reasons why an authority issued no certificate, named after the problem types of ACME (RFC 8555, section 6.7). */
export const REFUSAL_PROBLEMS = [
  'connection',
  'dns',
  'unauthorized',
  'caa',
  'rateLimited',
  'rejectedIdentifier',
  'serverInternal',
  'other',
] as const;
export type RefusalProblem = (typeof REFUSAL_PROBLEMS)[number];

export const refusalProblem = (name: string): RefusalProblem =>
  REFUSAL_PROBLEMS.find((known) => known === name) ?? 'other';

/** Refusals that a further wait cannot change, so that the attempt ends with them. */
const FINAL: readonly RefusalProblem[] = ['caa', 'rateLimited', 'rejectedIdentifier'];
export const isFinalRefusal = (problem: RefusalProblem): boolean => FINAL.includes(problem);

/** Codes of messages about refusals after which the same request is refused again, whatever the owner does. */
const HOPELESS: readonly string[] = ['certificate.refused_rate', 'certificate.refused_identifier'];
/** Returns whether another attempt can succeed once the owner has done what the message of a refusal says. */
export const retryHelps = (refusal: Pick<Message, 'code'> | null): boolean =>
  refusal === null || !HOPELESS.includes(refusal.code);

/**
 * Returns what a failure or the reason of a wait says about certificates: the authority `refused` one, one is `missing`
 * for another reason, or null for messages about something else.
 */
export function certificateTrouble(message: Message | null): 'refused' | 'missing' | null {
  const codes = message === null ? [] : codesOf(message);
  if (codes.some((code) => code === SAYS || code.startsWith('certificate.refused_'))) return 'refused';
  return codes.some((code) => code.startsWith('certificate.') || code === 'step.issue_certificate') ? 'missing' : null;
}
const SAYS = 'certificate.authority_says';

function codesOf(message: Message): string[] {
  const parts = partsOf(message);
  return parts.length === 1 && parts[0] === message ? [message.code] : parts.flatMap(codesOf);
}

/** States of a host name's certificate as shown to customers. The console has a text and an icon for each. */
export const CERTIFICATE_STATES = [
  'good',
  'expires_soon',
  /** The DNS record is not correct yet, so no certificate has been requested. */
  'waiting_for_dns',
  /** The certificate is being requested now. */
  'issuing',
  /** There is no certificate, and none is being requested. */
  'pending',
  'refused',
  /** Issued by another authority or for another name. */
  'wrong',
  'expired',
  'unreachable',
  /** The last check is so old that the certificate it found has expired. */
  'unknown',
] as const;
export type CertificateState = (typeof CERTIFICATE_STATES)[number];

const STATE_OF: Readonly<Record<CertificateVerdict, CertificateState>> = {
  good: 'good',
  expires_soon: 'expires_soon',
  not_issued: 'pending',
  wrong_issuer: 'wrong',
  staging: 'wrong',
  wrong_name: 'wrong',
  expired: 'expired',
  unreachable: 'unreachable',
};

const WITHOUT: readonly CertificateVerdict[] = ['not_issued', 'expired'];

/** Returns whether there is no usable certificate, so that the authority's response decides the state. */
export const lacksCertificate = (verdict: CertificateVerdict): boolean => WITHOUT.includes(verdict);

/** Verdicts for which no certificate may have been issued yet. The step it waits for decides the state. */
const NOT_YET: readonly CertificateVerdict[] = ['not_issued', 'unreachable'];

export interface CertificateFacts {
  /** Last check, or null if there was none. */
  readonly check: {
    readonly verdict: CertificateVerdict;
    readonly refused: boolean;
    readonly expires_at: Instant | null;
    readonly checked_at: Instant;
  } | null;
  readonly dnsRight: boolean;
  /** A run that ends with issuing certificates is in progress. */
  readonly underWay: boolean;
  /** Time of the last requested restart or retry. An earlier refusal does not apply to the attempt in progress. */
  readonly nextCheckAt: Instant | null;
  readonly now: Instant;
}

/** Derives the state of a certificate from its last check, the DNS records and the current run. */
export function certificateState({ check, dnsRight, underWay, nextCheckAt, now }: CertificateFacts): CertificateState {
  if (check === null) return notYet({ dnsRight, underWay }) ?? 'pending';
  const { verdict, refused, expires_at, checked_at } = check;
  const isOld = underWay && nextCheckAt !== null && checked_at < nextCheckAt;
  if (refused && !isOld && lacksCertificate(verdict)) return 'refused';
  if (NOT_YET.includes(verdict)) return notYet({ dnsRight, underWay }) ?? STATE_OF[verdict];
  const isGood = verdict === 'good' || verdict === 'expires_soon';
  return isGood && expires_at !== null && expires_at <= now ? 'unknown' : STATE_OF[verdict];
}

function notYet({ dnsRight, underWay }: Pick<CertificateFacts, 'dnsRight' | 'underWay'>): CertificateState | null {
  if (!dnsRight) return 'waiting_for_dns';
  return underWay ? 'issuing' : null;
}
