import { z } from 'zod';
import { proveRights } from '../prove-rights';
import type { CloudCheck } from '../rights';
import type { CloudHttp } from './cloud-http';

const answer = z.unknown();

/** A token of Hetzner may read, or read and write. A write is proven by the removal of a server that cannot exist. */
export async function checkHetzner(http: CloudHttp, signal?: AbortSignal): Promise<CloudCheck> {
  const rights = await proveRights([
    { name: 'read', prove: () => http.send('GET', '/servers', { query: { per_page: 1 }, answer, signal }) },
    { name: 'write', prove: () => http.send('DELETE', '/servers/0', { answer, signal }) },
  ]);
  return { rights, quota: null };
}
