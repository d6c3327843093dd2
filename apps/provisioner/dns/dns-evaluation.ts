import { DNS_MESSAGES, type Message } from '@moorage/domain';
import { isFailure } from './dns-resolver-client';
import { type CaaAnswer, caaRefusal, UNREADABLE } from './caa';
import { isCloudflare } from './cloudflare';
import type { DnsProblem, RecordCheckResult, ResolverAnswer } from './types';

/** The record that the owner must enter, and the accepted values. */
export interface Wanted {
  readonly host: string;
  readonly required: boolean;
  readonly ipv4: string | null;
  readonly ipv6: string | null;
  /** Authority of the wanted certificates, such as `letsencrypt.org`, or null to skip CAA. */
  readonly authority: string | null;
}

/**
 * Evaluates the responses for one record (decisions 22, R16). It is correct if all public resolvers except at most one,
 * at least one resolver, and the zone's own server agree. If no server of the zone responds, the resolvers decide. An
 * extra address or a stale AAAA record would break the certificate, so both are wrong. `caa` is null if CAA is not
 * checked.
 */
export function evaluate(wanted: Wanted, seen: readonly ResolverAnswer[], caa: CaaAnswer | null): RecordCheckResult {
  const { problem, reason } = verdictOf(wanted, seen, caa);
  return {
    host: wanted.host,
    type: wanted.ipv4 === null ? 'AAAA' : 'A',
    value: wanted.ipv4 ?? wanted.ipv6 ?? '',
    required: wanted.required,
    right: problem === null,
    problem,
    reason,
    seen,
  };
}

type Verdict = { readonly problem: DnsProblem | null; readonly reason: Message | null };

function verdictOf(wanted: Wanted, seen: readonly ResolverAnswer[], caa: CaaAnswer | null): Verdict {
  const evaluated = seen.map((answer) => ({ answer, problem: problemOf(wanted, answer) }));
  const ofPublic = evaluated.filter(({ answer }) => answer.kind === 'public');
  const zone = evaluated.filter(({ answer }) => answer.kind === 'zone');
  const ofZone = zone.filter(({ problem }) => problem !== 'no_answer');
  const right = ofPublic.filter(({ problem }) => problem === null);
  const enough = right.length >= Math.max(1, ofPublic.length - 1);
  const zoneRight = ofZone.every(({ problem }) => problem === null);
  if (enough && zoneRight) return caaVerdict(wanted, caa);

  // The zone's own server knows the owner's current entry, whereas resolvers may still have cached the previous entry.
  const wrongZone = ofZone.find(({ problem }) => problem !== null);
  const telling = mostSpecific(ofPublic);
  const silentZone = zone.find(({ problem }) => problem === 'no_answer');
  const decisive = wrongZone ?? (telling?.problem === 'no_answer' ? (silentZone ?? telling) : telling);
  const zoneHasIt = ofZone.length > 0 && zoneRight;
  if (decisive === undefined || zoneHasIt || (ofZone.length === 0 && right.length > 0)) {
    const late = ofPublic.filter(({ problem }) => problem !== null).map(({ answer }) => answer.resolver);
    return {
      problem: 'not_everywhere_yet',
      reason: lateMessage(wanted.host, late),
    };
  }
  const problem = decisive.problem ?? 'no_answer';
  return { problem, reason: messageOf(problem, wanted, decisive.answer) };
}

function lateMessage(host: string, late: readonly string[]): Message {
  const resolvers = late.join(', ');
  return late.length === 1
    ? DNS_MESSAGES.not_everywhere_one({ host, resolver: resolvers })
    : DNS_MESSAGES.not_everywhere({ host, resolvers });
}

function caaVerdict({ authority }: Wanted, caa: CaaAnswer | null): Verdict {
  const reason = authority === null || caa === null ? null : caaRefusal(caa, authority);
  if (reason === null) return { problem: null, reason: null };
  return { problem: caa?.error === null || caa?.error === UNREADABLE ? 'caa_forbids' : 'caa_unanswered', reason };
}

function problemOf({ ipv4, ipv6 }: Wanted, { a, aaaa, cname, error }: ResolverAnswer): DnsProblem | null {
  // A server has responded if it returns the wanted type of address, even if the other type fails.
  if (isFailure(error) && (ipv4 === null ? aaaa : a).length === 0) return 'no_answer';
  // No other record can be added next to an alias.
  if (a.length === 0 && aaaa.length === 0) return cname === null ? 'none' : 'cname_elsewhere';
  const strangers = [...a.filter((text) => text !== ipv4), ...aaaa.filter((text) => text !== ipv6)];
  if (strangers.some(isCloudflare)) return 'proxied';
  const rightFour = ipv4 === null ? a.length === 0 : a.length === 1 && a[0] === ipv4;
  if (!rightFour) {
    if (cname !== null && (ipv4 === null || !a.includes(ipv4))) return 'cname_elsewhere';
    if (a.length > 1) return 'several_addresses';
    return a.length === 0 ? 'none' : 'wrong_address';
  }
  if (aaaa.some((text) => text !== ipv6)) return 'aaaa_elsewhere';
  return ipv4 === null && aaaa.length === 0 ? 'none' : null;
}

/**
 * Returns the most informative wrong result. A wrong record is more informative than a missing record, and both are
 * more informative than a timeout.
 */
function mostSpecific<T extends { problem: DnsProblem | null }>(evaluated: readonly T[]): T | undefined {
  const wrong = evaluated.filter(({ problem }) => problem !== null);
  return (
    wrong.find(({ problem }) => problem !== 'no_answer' && problem !== 'none') ??
    wrong.find(({ problem }) => problem === 'none') ??
    wrong[0]
  );
}

function messageOf(problem: DnsProblem, { host, ipv4, ipv6 }: Wanted, seen: ResolverAnswer): Message {
  const type = ipv4 === null ? 'AAAA' : 'A';
  const value = ipv4 ?? ipv6 ?? '';
  const error = seen.error ?? 'NODATA';
  const others = (addresses: readonly string[]): string =>
    addresses
      .filter((text) => text !== ipv4 && text !== ipv6)
      .slice(0, 3)
      .join(', ');
  switch (problem) {
    case 'none':
      return DNS_MESSAGES.none({ type, host, value });
    case 'wrong_address':
      return DNS_MESSAGES.wrong_address({ type, host, value, addresses: others(seen.a) });
    case 'several_addresses':
      return DNS_MESSAGES.several_addresses({ host, value, addresses: seen.a.slice(0, 4).join(', ') });
    case 'cname_elsewhere':
      return seen.cname === null
        ? DNS_MESSAGES.cname_unknown({ type, host, value })
        : DNS_MESSAGES.cname_elsewhere({ type, host, value, cname: seen.cname });
    case 'aaaa_elsewhere':
      return DNS_MESSAGES.aaaa_elsewhere({ host, addresses: others(seen.aaaa) });
    case 'proxied':
      return DNS_MESSAGES.proxied({ host });
    case 'no_answer':
      return seen.kind === 'zone'
        ? DNS_MESSAGES.zone_silent({ host, error })
        : DNS_MESSAGES.no_answer({ host, error, resolver: seen.resolver });
    case 'caa_forbids':
    case 'caa_unanswered':
    case 'not_everywhere_yet':
      return DNS_MESSAGES.not_right({ host });
  }
}
