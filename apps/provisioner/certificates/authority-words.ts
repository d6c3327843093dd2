/**
 * What a certificate authority said, out of a router's log line: the problem's name and its sentence
 * (`connection: Get "http://...": connection refused`). Text that has no such part is given back as it is.
 */
export function authorityWords(logged: string): string {
  const [, problem, said] = /urn:ietf:params:acme:error:(\w+) :: (.*)$/s.exec(logged) ?? [];
  if (problem === undefined || said === undefined) return logged.trim();
  return `${problem}: ${said.replace(/,? url: *$/, '').trim()}`;
}
