import type { Instant } from '../time';

/**
 * What a certificate check found. `good`: a trusted chain of the expected authority, the right name, valid for at least 20
 * days more. `not_issued`: the router's own default certificate. `unreachable`: no TLS at all.
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

/** Why an authority gave no certificate, by the problem types of ACME (RFC 8555, section 6.7). */
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

/** What a customer is told of a host name's certificate; the console has words and a sign for each. */
export const CERTIFICATE_STATES = [
  'good',
  'expires_soon',
  /** The record is not right yet: nobody has asked the authority. */
  'waiting_for_dns',
  /** The authority is being asked now. */
  'issuing',
  /** There is none, and nothing is at work. */
  'pending',
  'refused',
  /** Another authority's, or for another name. */
  'wrong',
  'expired',
  'unreachable',
  /** Checked so long ago that the certificate of then has expired. */
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

/** No usable certificate: what the authority said counts. */
export const lacksCertificate = (verdict: CertificateVerdict): boolean => WITHOUT.includes(verdict);

/** There may be none yet: what it waits for counts. */
const NOT_YET: readonly CertificateVerdict[] = ['not_issued', 'unreachable'];

export interface CertificateFacts {
  /** The last check; null: never. */
  readonly check: {
    readonly verdict: CertificateVerdict;
    readonly refused: boolean;
    readonly expires_at: Instant | null;
    readonly checked_at: Instant;
  } | null;
  readonly dnsRight: boolean;
  /** A run that ends with the certificates is at work. */
  readonly underWay: boolean;
  /** When a restart or a retry was asked for last: a refusal from before says nothing about the attempt under way. */
  readonly askedAgainAt: Instant | null;
  readonly now: Instant;
}

export function certificateState({ check, dnsRight, underWay, askedAgainAt, now }: CertificateFacts): CertificateState {
  if (check === null) return notYet({ dnsRight, underWay }) ?? 'pending';
  const { verdict, refused, expires_at, checked_at } = check;
  const isOld = underWay && askedAgainAt !== null && checked_at < askedAgainAt;
  if (refused && !isOld && lacksCertificate(verdict)) return 'refused';
  if (NOT_YET.includes(verdict)) return notYet({ dnsRight, underWay }) ?? STATE_OF[verdict];
  const isGood = verdict === 'good' || verdict === 'expires_soon';
  return isGood && expires_at !== null && expires_at <= now ? 'unknown' : STATE_OF[verdict];
}

function notYet({ dnsRight, underWay }: Pick<CertificateFacts, 'dnsRight' | 'underWay'>): CertificateState | null {
  if (!dnsRight) return 'waiting_for_dns';
  return underWay ? 'issuing' : null;
}
