import { z } from 'zod';
import { proveRights } from '../prove-rights';
import type { CloudCheck } from '../rights';
import type { CloudHttp } from './cloud-http';

const answer = z.unknown();

/**
 * Checks whether a Hetzner token may read and write. Writing is proven by the removal of a server that cannot exist.
 */
export async function checkHetzner(http: CloudHttp, signal?: AbortSignal): Promise<CloudCheck> {
  const rights = await proveRights([
    { name: 'read', prove: () => http.send('GET', '/servers', { query: { per_page: 1 }, answer, signal }) },
    { name: 'write', prove: () => http.send('DELETE', '/servers/0', { answer, signal }) },
  ]);
  return { rights, quota: null };
}
