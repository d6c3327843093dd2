import { z } from 'zod';
import { CloudError } from '../cloud';
import { type CloudCheck, listedRights, type QuotaUse, type RightCheck } from '../rights';
import type { CloudHttp } from './cloud-http';

/** Permissions of the calls that the adapter makes (https://cloud.google.com/compute/docs/reference/rest/v1). */
export const GCP_RIGHTS = [
  'compute.projects.get',
  'compute.regions.list',
  'compute.zones.list',
  'compute.machineTypes.list',
  'compute.instances.list',
  'compute.instances.get',
  'compute.instances.create',
  'compute.instances.delete',
  'compute.instances.stop',
  'compute.instances.start',
  'compute.instances.setMachineType',
  'compute.instances.setLabels',
  'compute.instances.setMetadata',
  'compute.instances.setTags',
  'compute.disks.create',
  'compute.disks.setLabels',
  'compute.subnetworks.use',
  'compute.subnetworks.useExternalIp',
  'compute.networks.updatePolicy',
  'compute.firewalls.get',
  'compute.firewalls.create',
  'compute.firewalls.update',
  'compute.zoneOperations.get',
  'compute.globalOperations.get',
] as const;

/** Quotas that our servers use. */
const METRICS: readonly string[] = ['CPUS', 'INSTANCES', 'IN_USE_ADDRESSES', 'SSD_TOTAL_GB'];

const granted = z.object({ permissions: z.array(z.string()).optional() });
const regions = z.object({
  items: z
    .array(
      z.object({
        name: z.string(),
        quotas: z.array(z.object({ metric: z.string(), limit: z.number(), usage: z.number() })).optional(),
      }),
    )
    .optional(),
});

/**
 * Reads our permissions as reported by the project (`testIamPermissions`, which needs no right itself). If it does not
 * report them, for example because the Cloud Resource Manager API is not enabled, no right is proven.
 */
export async function checkGcp(
  { http, iam, project, regionsPath }: { http: CloudHttp; iam: CloudHttp; project: string; regionsPath: string },
  signal?: AbortSignal,
): Promise<CloudCheck> {
  const rights = await permissions(iam, project, signal);
  return { rights, quota: await quotaOf(http, regionsPath, signal) };
}

async function permissions(iam: CloudHttp, project: string, signal?: AbortSignal): Promise<RightCheck[]> {
  try {
    const { permissions: found = [] } = await iam.send(
      'POST',
      `/v1/projects/${encodeURIComponent(project)}:testIamPermissions`,
      { body: { permissions: GCP_RIGHTS }, answer: granted, signal },
    );
    return listedRights(GCP_RIGHTS, (name) => found.includes(name));
  } catch (error) {
    if (!(error instanceof CloudError) || error.kind === 'auth') throw error;
    return GCP_RIGHTS.map((name) => ({ name, state: 'unknown', words: error.message }));
  }
}

async function quotaOf(http: CloudHttp, path: string, signal?: AbortSignal): Promise<QuotaUse[] | null> {
  try {
    const { items = [] } = await http.send('GET', path, { query: { maxResults: 500 }, answer: regions, signal });
    return items.flatMap(({ name: region, quotas = [] }) =>
      quotas
        .filter(({ metric }) => METRICS.includes(metric))
        .map(({ metric: name, limit, usage: used }) => ({ name, region, limit, used })),
    );
  } catch (error) {
    if (error instanceof CloudError) return null;
    throw error;
  }
}
