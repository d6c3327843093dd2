import { z } from 'zod';
import { CloudError } from '../cloud';
import { type CloudCheck, listedRights, type QuotaUse, type RightCheck } from '../rights';
import { AZURE_COUNTRIES } from './azure-catalogue';
import type { CloudHttp } from './cloud-http';

/** Actions of the calls that the adapter makes (https://learn.microsoft.com/azure/role-based-access-control/permissions). */
export const AZURE_RIGHTS = [
  'Microsoft.Resources/subscriptions/locations/read',
  'Microsoft.Resources/subscriptions/resourceGroups/read',
  'Microsoft.Resources/subscriptions/resourceGroups/write',
  'Microsoft.Resources/subscriptions/resourceGroups/delete',
  'Microsoft.Compute/skus/read',
  'Microsoft.Compute/virtualMachines/read',
  'Microsoft.Compute/virtualMachines/write',
  'Microsoft.Compute/virtualMachines/deallocate/action',
  'Microsoft.Compute/virtualMachines/start/action',
  'Microsoft.Network/networkSecurityGroups/read',
  'Microsoft.Network/networkSecurityGroups/write',
  'Microsoft.Network/networkSecurityGroups/join/action',
  'Microsoft.Network/virtualNetworks/read',
  'Microsoft.Network/virtualNetworks/write',
  'Microsoft.Network/virtualNetworks/subnets/join/action',
  'Microsoft.Network/publicIPAddresses/read',
  'Microsoft.Network/publicIPAddresses/write',
  'Microsoft.Network/publicIPAddresses/join/action',
  'Microsoft.Network/networkInterfaces/read',
  'Microsoft.Network/networkInterfaces/write',
  'Microsoft.Network/networkInterfaces/join/action',
] as const;

const API = { permissions: '2022-04-01', usages: '2024-11-01' } as const;
const REGIONS_AT_ONCE = 4;

const permission = z.object({ actions: z.array(z.string()).optional(), notActions: z.array(z.string()).optional() });
type Permission = z.infer<typeof permission>;
const permissions = z.object({ value: z.array(permission) });
const usages = z.object({
  value: z.array(
    z.object({ name: z.object({ value: z.string().optional() }), currentValue: z.number(), limit: z.number() }),
  ),
});

/** Quotas that our servers use. */
const METRICS: readonly string[] = ['cores', 'virtualMachines', 'standardBSFamily'];

/** Reads our permissions as reported by the subscription, and the quotas of its regions. */
export async function checkAzure(
  { http, subscription }: { http: CloudHttp; subscription: string },
  signal?: AbortSignal,
): Promise<CloudCheck> {
  return { rights: await rightsOf(http, subscription, signal), quota: await quotaOf(http, subscription, signal) };
}

async function rightsOf(http: CloudHttp, subscription: string, signal?: AbortSignal): Promise<RightCheck[]> {
  try {
    const { value } = await http.send('GET', `${subscription}/providers/Microsoft.Authorization/permissions`, {
      query: { 'api-version': API.permissions },
      answer: permissions,
      signal,
    });
    return listedRights(AZURE_RIGHTS, (action) => value.some((one) => grants(one, action)));
  } catch (error) {
    if (!(error instanceof CloudError) || error.kind === 'auth') throw error;
    return AZURE_RIGHTS.map((name) => ({ name, state: 'unknown', words: error.message }));
  }
}

const grants = ({ actions = [], notActions = [] }: Permission, action: string): boolean =>
  actions.some((pattern) => fits(pattern, action)) && !notActions.some((pattern) => fits(pattern, action));

/** Matches Azure's patterns, in which `*` stands for any text. The comparison ignores case. */
function fits(pattern: string, action: string): boolean {
  const parts = pattern.toLowerCase().split('*');
  const [first = '', ...rest] = parts;
  const text = action.toLowerCase();
  if (rest.length === 0) return text === first;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

async function quotaOf(http: CloudHttp, subscription: string, signal?: AbortSignal): Promise<QuotaUse[] | null> {
  const regions = Object.keys(AZURE_COUNTRIES);
  const found: QuotaUse[] = [];
  for (let from = 0; from < regions.length; from += REGIONS_AT_ONCE) {
    const some = regions.slice(from, from + REGIONS_AT_ONCE);
    found.push(...(await Promise.all(some.map((region) => usedIn(http, subscription, region, signal)))).flat());
  }
  return found.length === 0 ? null : found;
}

/** Returns the usage in a region, or nothing if the subscription may not use the region or it does not respond. */
async function usedIn(
  http: CloudHttp,
  subscription: string,
  region: string,
  signal: AbortSignal | undefined,
): Promise<QuotaUse[]> {
  try {
    const path = `${subscription}/providers/Microsoft.Compute/locations/${region}/usages`;
    const { value } = await http.send('GET', path, { query: { 'api-version': API.usages }, answer: usages, signal });
    return value.flatMap(({ name: { value: name = '' }, limit, currentValue: used }) =>
      METRICS.includes(name) ? [{ name, region, limit, used }] : [],
    );
  } catch (error) {
    if (error instanceof CloudError) return [];
    throw error;
  }
}
