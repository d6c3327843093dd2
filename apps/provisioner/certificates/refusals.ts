import type { CertificateRefusal } from '@moorage/database';
import { CERTIFICATE_MESSAGES, type Message, type RefusalProblem, refusalProblem } from '@moorage/domain';
import { authorityMessage } from './authority-message';

/**
 * Returns the authority's error for each host from a router's log, whose newest line is last. A line applies to the
 * hosts that it names. A line that names no host applies to all hosts without their own line.
 */
export function refusalsOf(
  hosts: readonly string[],
  logged: readonly string[],
): ReadonlyMap<string, CertificateRefusal> {
  const lines = logged.map((line) => ({ line, named: hosts.filter((host) => names(line, host)) }));
  const last = (wanted: (named: readonly string[]) => boolean): string | undefined =>
    lines.filter(({ named }) => wanted(named)).at(-1)?.line;
  const general = last((named) => named.length === 0);
  const found = new Map<string, CertificateRefusal>();
  for (const host of hosts) {
    const line = last((named) => named.includes(host)) ?? general;
    if (line !== undefined) found.set(host, refusalIn(line));
  }
  return found;
}

/** Compares whole names, so that `admin.a.test` does not match `a.test`. */
function names(line: string, host: string): boolean {
  const escaped = host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w.-])${escaped}(?![\\w-]|\\.\\w)`, 'i').test(line);
}

function refusalIn(line: string): CertificateRefusal {
  const problem = /urn:ietf:params:acme:error:(\w+)/.exec(line)?.[1];
  return { problem: problem === undefined ? 'other' : refusalProblem(problem), words: authorityMessage(line) };
}

const MESSAGES = {
  connection: CERTIFICATE_MESSAGES.refused_connection,
  dns: CERTIFICATE_MESSAGES.refused_dns,
  unauthorized: CERTIFICATE_MESSAGES.refused_unauthorized,
  caa: CERTIFICATE_MESSAGES.refused_caa,
  rateLimited: CERTIFICATE_MESSAGES.refused_rate,
  rejectedIdentifier: CERTIFICATE_MESSAGES.refused_identifier,
  serverInternal: CERTIFICATE_MESSAGES.refused_server,
  other: CERTIFICATE_MESSAGES.refused_other,
} as const satisfies Readonly<Record<RefusalProblem, unknown>>;

/** Returns the message for the customer about an authority's error and its remedy. */
export const refusalMessage = (host: string, { problem }: CertificateRefusal): Message => MESSAGES[problem]({ host });
