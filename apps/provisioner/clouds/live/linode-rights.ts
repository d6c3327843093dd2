import { z } from 'zod';
import { proveRights } from '../prove-rights';
import type { CloudCheck } from '../rights';
import type { CloudHttp } from './cloud-http';

const answer = z.unknown();

/** Checks the scopes of a token. Writing is proven by the removal of a resource that cannot exist. */
export async function checkLinode(http: CloudHttp, signal?: AbortSignal): Promise<CloudCheck> {
  const read = (path: string) => () => http.send('GET', path, { answer, signal });
  const remove = (path: string) => () => http.send('DELETE', path, { answer, signal });
  const rights = await proveRights([
    { name: 'account:read_only', prove: read('/account') },
    { name: 'linodes:read_only', prove: read('/linode/instances') },
    { name: 'linodes:read_write', prove: remove('/linode/instances/0') },
    { name: 'firewall:read_only', prove: read('/networking/firewalls') },
    { name: 'firewall:read_write', prove: remove('/networking/firewalls/0') },
  ]);
  return { rights, quota: null };
}
