import type { VpsCheckAnswer } from '@moorage/contracts';
import { useQuery } from '@tanstack/react-query';
import { api } from './api';

/** Loads the docker-compose file that grants the platform access. Without a package, the file fits all packages. */
export function usePeripheryScript(forPackage: string | null, enabled = true) {
  return useQuery({
    queryKey: ['periphery-script', forPackage],
    queryFn: ({ signal }) => api('GET /servers/periphery-script', { query: { package: forPackage }, signal }),
    enabled,
    staleTime: Infinity,
  });
}

/**
 * Starts or polls a server check. 202 with `asked` means that the check is still running. A refusal is an ApiError with
 * the results next to its code.
 */
export async function validateVps(address: string, signal: AbortSignal): Promise<VpsCheckAnswer> {
  return api('POST /servers/validate-vps', { body: { ip_address: address }, signal });
}
