import type { VpsCheckAnswer } from '@moorage/contracts';
import { api } from './api';
import { useRead } from './use-read';

/** Loads the docker-compose file that grants the platform access. Without a package, the file fits all packages. */
export const usePeripheryScript = (forPackage: string | null, enabled = true) =>
  useRead(
    'servers',
    'GET /servers/periphery-script',
    { query: { package: forPackage } },
    { enabled, staleTime: Infinity },
  );

/**
 * Starts or polls a server check. 202 with `asked` means that the check is still running. A refusal is an ApiError with
 * the results next to its code.
 */
export async function validateVps(address: string, signal: AbortSignal): Promise<VpsCheckAnswer> {
  return api('POST /servers/validate-vps', { body: { ip_address: address }, signal });
}
