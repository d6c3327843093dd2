import type { NameContext } from '@moorage/domain';
import { useQuery } from '@tanstack/react-query';
import { useConsoleSettings } from './brand';

/**
 * Returns the domains that can be ordered. The public suffix list is large and loaded on demand. Until then, only the
 * API validates.
 */
export function useNames(): NameContext {
  const { allowed_zones: allowedZones, platform_domain: platformDomain } = useConsoleSettings();
  const { data: parseName = null } = useQuery({
    queryKey: ['public-suffix-list'],
    queryFn: async () => (await import('tldts')).parse,
    staleTime: Infinity,
  });
  return { allowedZones, parseName, platformDomain };
}
