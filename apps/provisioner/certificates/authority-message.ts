/**
 * Extracts the certificate authority's error from a router's log line, namely the problem's name and its message
 * (`connection: Get "http://...": connection refused`). Text without such a part is returned unchanged.
 */
export function authorityMessage(logged: string): string {
  const [, problem, text] = /urn:ietf:params:acme:error:(\w+) :: (.*)$/s.exec(logged) ?? [];
  if (problem === undefined || text === undefined) return logged.trim();
  return `${problem}: ${text.replace(/,? url: *$/, '').trim()}`;
}
