import type { RedirectFacts } from '@moorage/contracts';
import { isDomainName } from '@moorage/domain';
import type { Tree } from './template';

const MIDDLEWARE = 'further-domain';

/**
 * Returns Traefik's rules that redirect each host to the same path and query of `target`. A host has routers of its
 * own, so that it gets its own certificate, which another host's missing record cannot prevent. Throws RangeError for a
 * value that is not a host name.
 */
export function redirectRules(
  { web, secure, resolver }: Pick<RedirectFacts, 'web' | 'secure' | 'resolver'>,
  { target, hosts }: { target: string; hosts: readonly string[] },
): Tree {
  if (![target, ...hosts].every(isDomainName)) throw new RangeError('a further domain is not a host name');
  // Traefik rejects empty sections.
  if (hosts.length === 0) return {};
  const routers = hosts.flatMap((host, index) => {
    const router = { rule: `Host(\`${host}\`)`, middlewares: [MIDDLEWARE], service: 'noop@internal' };
    const name = `${MIDDLEWARE}-${index + 1}`;
    return [
      [`${name}-web`, { ...router, entryPoints: [web] }],
      [name, { ...router, entryPoints: [secure], tls: { certResolver: resolver } }],
    ] as const;
  });
  const redirectRegex = { regex: '^https?://[^/]+/(.*)$', replacement: `https://${target}/$\{1}`, permanent: true };
  return { http: { middlewares: { [MIDDLEWARE]: { redirectRegex } }, routers: Object.fromEntries(routers) } };
}
