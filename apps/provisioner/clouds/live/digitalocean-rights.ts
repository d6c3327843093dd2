import { z } from 'zod';
import { CloudError } from '../cloud';
import { proveRights } from '../prove-rights';
import type { CloudCheck, QuotaUse, Right } from '../rights';
import type { CloudHttp } from './cloud-http';

const answer = z.unknown();
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Checks the scopes of a token. A create is proven by an order without its required fields, which DigitalOcean cannot
 * carry out, and an update or a removal by an id that cannot exist.
 */
export async function checkDigitalOcean(http: CloudHttp, signal?: AbortSignal): Promise<CloudCheck> {
  const read = (name: string, path: string): Right => ({
    name,
    prove: () => http.send('GET', path, { query: { per_page: 1 }, answer, signal }),
  });
  const create = (name: string, path: string): Right => ({
    name,
    prove: () => http.send('POST', path, { body: {}, answer, signal }),
  });
  const rights = await proveRights([
    read('account:read', '/v2/account'),
    read('regions:read', '/v2/regions'),
    read('sizes:read', '/v2/sizes'),
    read('droplet:read', '/v2/droplets'),
    create('droplet:create', '/v2/droplets'),
    { name: 'droplet:update', prove: () => http.send('POST', '/v2/droplets/0/actions', { body: {}, answer, signal }) },
    { name: 'droplet:delete', prove: () => http.send('DELETE', '/v2/droplets/0', { answer, signal }) },
    read('firewall:read', '/v2/firewalls'),
    create('firewall:create', '/v2/firewalls'),
    {
      name: 'firewall:update',
      prove: () => http.send('PUT', `/v2/firewalls/${NOBODY}`, { body: {}, answer, signal }),
    },
    create('tag:create', '/v2/tags'),
    read('ssh_key:read', '/v2/account/keys/0'),
    create('ssh_key:create', '/v2/account/keys'),
  ]);
  return { rights, quota: await dropletQuota(http, signal) };
}

const limit = z.object({ account: z.object({ droplet_limit: z.number() }) });
const total = z.object({ meta: z.object({ total: z.number() }) });

async function dropletQuota(http: CloudHttp, signal?: AbortSignal): Promise<QuotaUse[] | null> {
  try {
    const { account } = await http.send('GET', '/v2/account', { answer: limit, signal });
    const { meta } = await http.send('GET', '/v2/droplets', { query: { per_page: 1 }, answer: total, signal });
    return [{ name: 'droplets', region: null, limit: account.droplet_limit, used: meta.total }];
  } catch (error) {
    // Without the right, the quota cannot be read.
    if (error instanceof CloudError) return null;
    throw error;
  }
}
