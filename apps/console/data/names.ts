import type { NameContext } from '@moorage/domain';
import { useQuery } from '@tanstack/react-query';
import { useConsoleSettings } from '../ui/brand';

/** The domains that may be ordered here. The public suffix list is large and loaded on demand; until then the api decides. */
export function useNames(): NameContext {
  const { allowed_zones: allowedZones } = useConsoleSettings();
  const { data: parseName = null } = useQuery({
    queryKey: ['public-suffix-list'],
    queryFn: async () => (await import('tldts')).parse,
    staleTime: Infinity,
  });
  return { allowedZones, parseName };
}
