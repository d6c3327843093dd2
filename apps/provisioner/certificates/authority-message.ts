/**
 * Extracts the certificate authority's error from a router's log line, namely the problem's name and its message
 * (`connection: Get "http://...": connection refused`). Text without such a part is returned unchanged.
 */
export function authorityMessage(logged: string): string {
  const [, problem, said] = /urn:ietf:params:acme:error:(\w+) :: (.*)$/s.exec(logged) ?? [];
  if (problem === undefined || said === undefined) return logged.trim();
  return `${problem}: ${said.replace(/,? url: *$/, '').trim()}`;
}
