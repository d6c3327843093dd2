import { z } from 'zod';
import { type CloudCheck, listedRights } from '../rights';
import type { CloudHttp } from './cloud-http';

/** Rights of the key's user to list, order, upgrade and remove servers and to open their ports. */
export const VULTR_RIGHTS = ['subscriptions_view', 'provisioning', 'subscriptions', 'upgrade', 'firewall'] as const;

const account = z.object({ account: z.object({ acls: z.array(z.string()) }) });

/** Checks the rights of the key's user, which Vultr lists with the account. */
export async function checkVultr(http: CloudHttp, signal?: AbortSignal): Promise<CloudCheck> {
  const { acls } = (await http.send('GET', '/account', { answer: account, signal })).account;
  return { rights: listedRights(VULTR_RIGHTS, (name) => acls.includes(name)), quota: null };
}
