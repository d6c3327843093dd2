import type { VpsCheckAnswer } from '@moorage/contracts';
import { useQuery } from '@tanstack/react-query';
import { api } from './api';

/** The docker-compose file that lets the platform in; without a package, the one that fits all. */
export function usePeripheryScript(forPackage: string | null, enabled = true) {
  return useQuery({
    queryKey: ['periphery-script', forPackage],
    queryFn: ({ signal }) => api('GET /servers/periphery-script', { query: { package: forPackage }, signal }),
    enabled,
    staleTime: Infinity,
  });
}

/** 202, `asked`: the answer is not there yet, ask again. A refusal is an ApiError with the results beside its code. */
export async function validateVps(address: string, signal: AbortSignal): Promise<VpsCheckAnswer> {
  return api('POST /servers/validate-vps', { body: { ip_address: address }, signal });
}
