import type { VpsCheckAnswer } from '@moorage/contracts';
import { ROOT_USER } from '@moorage/domain';
import { api } from './api';
import { useRead } from './use-read';

/**
 * Loads the docker-compose file that grants the platform access to a user on the server. Without a package, the file
 * fits all packages.
 */
export const usePeripheryScript = (forPackage: string | null, enabled = true, user: string = ROOT_USER) =>
  useRead(
    'servers',
    'GET /servers/periphery-script',
    { query: { package: forPackage, ...(user === ROOT_USER ? {} : { user }) } },
    { enabled, staleTime: Infinity },
  );

/**
 * Starts or polls a server check. 202 with `asked` means that the check is still running. A refusal is an ApiError with
 * the results next to its code.
 */
export async function validateVps(
  address: string,
  { user, password }: { user: string; password: string },
  signal: AbortSignal,
): Promise<VpsCheckAnswer> {
  const login = user === ROOT_USER ? {} : { ssh_user: user, sudo_password: password === '' ? null : password };
  return api('POST /servers/validate-vps', { body: { ip_address: address, ...login }, signal });
}
