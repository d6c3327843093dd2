import { dailyMicros } from '@moorage/domain';
import { z } from 'zod';
import { ourLabels } from '../cloud';
import { type CloudHoldings, type Holding, holdingsOf, type Shelf } from '../holdings';
import { type CloudHttp, ifNameIsFree } from './cloud-http';

/** Published prices of 2026-11 for a standard SSD and a snapshot per GB and month, and for an address per hour. */
const DISK_USD = 0.075;
const SNAPSHOT_USD = 0.05;
const ADDRESS_HOURLY_USD = 0.005;
/** Billed disk sizes in GB. A disk is billed at the next larger size. */
const DISK_SIZES = [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32767];

const reference = z.object({ id: z.string().optional() }).nullish();
const resource = z.object({
  id: z.string(),
  name: z.string(),
  location: z.string().optional(),
  tags: z.record(z.string(), z.string()).nullish(),
  sku: z.object({ name: z.string().optional() }).nullish(),
  managedBy: z.string().nullish(),
  properties: z
    .object({
      diskSizeGB: z.number().nullish(),
      ipConfiguration: reference,
      natGateway: reference,
      virtualMachine: reference,
      privateEndpoint: reference,
      networkInterfaces: z.array(reference).nullish(),
      subnets: z.array(reference).nullish(),
    })
    .optional(),
});
type Resource = z.infer<typeof resource>;

interface AzureShelf {
  readonly kind: Holding['kind'];
  /** Resource type, for example `Microsoft.Compute/disks`. */
  readonly type: string;
  readonly version: 'disks' | 'compute' | 'network';
  readonly users: (found: Resource) => readonly z.infer<typeof reference>[];
  readonly micros: (found: Resource) => number | null;
}

const free = (): number => 0;
const SHELVES: readonly AzureShelf[] = [
  {
    kind: 'disk',
    type: 'Microsoft.Compute/disks',
    version: 'disks',
    users: ({ managedBy }) => [managedBy == null || managedBy === '' ? null : { id: managedBy }],
    micros: diskMicros,
  },
  {
    kind: 'address',
    type: 'Microsoft.Network/publicIPAddresses',
    version: 'network',
    users: ({ properties }) => [properties?.ipConfiguration, properties?.natGateway],
    micros: () => dailyMicros({ hourlyUsd: ADDRESS_HOURLY_USD }),
  },
  {
    kind: 'network_card',
    type: 'Microsoft.Network/networkInterfaces',
    version: 'network',
    users: ({ properties }) => [properties?.virtualMachine, properties?.privateEndpoint],
    micros: free,
  },
  {
    kind: 'firewall',
    type: 'Microsoft.Network/networkSecurityGroups',
    version: 'network',
    users: ({ properties }) => [...(properties?.networkInterfaces ?? []), ...(properties?.subnets ?? [])],
    micros: free,
  },
  {
    kind: 'image',
    type: 'Microsoft.Compute/snapshots',
    version: 'disks',
    users: () => [],
    micros: ({ properties }) =>
      properties?.diskSizeGB == null ? null : dailyMicros({ monthlyUsd: SNAPSHOT_USD * properties.diskSizeGB }),
  },
  { kind: 'image', type: 'Microsoft.Compute/images', version: 'compute', users: () => [], micros: () => null },
  { kind: 'key', type: 'Microsoft.Compute/sshPublicKeys', version: 'compute', users: () => [], micros: free },
];

export const HOLDING_VERSIONS = { disks: '2024-03-02', compute: '2024-11-01', network: '2024-05-01' } as const;

export interface AzureApi {
  readonly http: CloudHttp;
  readonly subscription: string;
  readonly pages: <T>(
    path: string,
    version: string,
    item: z.ZodType<T>,
    signal: AbortSignal | undefined,
  ) => Promise<T[]>;
  /** Returns the tags of each of our resource groups by its name in lower case. */
  readonly groupTags: (signal: AbortSignal | undefined) => Promise<ReadonlyMap<string, Record<string, string>>>;
}

/** Resources in an Azure subscription with our tags, or in a resource group with our tags. */
export function azureHoldings(api: AzureApi): CloudHoldings {
  return holdingsOf(async (signal) => {
    const groups = await api.groupTags(signal);
    return SHELVES.map((shelf) => shelfOf(api, shelf, groups));
  });
}

function shelfOf(
  { http, subscription, pages }: AzureApi,
  { kind, type, version, users, micros }: AzureShelf,
  groups: ReadonlyMap<string, Record<string, string>>,
): Shelf {
  const query = { 'api-version': HOLDING_VERSIONS[version] };
  const holdingOf = (found: Resource): Holding => ({
    kind,
    id: found.id,
    name: found.name,
    region: found.location ?? '',
    labels: ourLabels({ ...groups.get(groupOf(found.id)), ...found.tags }),
    used_by:
      users(found)
        .find((user) => user != null)
        ?.id?.split('/')
        .at(-1) ?? null,
    micros_per_day: micros(found),
  });
  return {
    kind,
    holds: (id) => id.startsWith(`${subscription}/`) && id.includes(`/providers/${type}/`) && !id.includes('..'),
    list: async (_installation, signal) =>
      (await pages(`/providers/${type}`, query['api-version'], resource, signal)).map(holdingOf),
    async read({ id }, signal) {
      const found = await http.find(id, { query, answer: resource, signal });
      return found === null ? null : holdingOf(found);
    },
    async delete({ id }, signal) {
      // A conflict means that it is already being removed.
      await ifNameIsFree(http.remove(id, { query, signal }));
    },
  };
}

function diskMicros({ sku, properties }: Resource): number | null {
  const size = DISK_SIZES.find((gb) => gb >= (properties?.diskSizeGB ?? Infinity));
  if (sku?.name !== 'StandardSSD_LRS' || size === undefined) return null;
  return dailyMicros({ monthlyUsd: DISK_USD * size });
}

/** Returns the resource group of an id. Azure writes the id in varying case. */
const groupOf = (id: string): string => /\/resourceGroups\/([^/]+)\//i.exec(id)?.[1]?.toLowerCase() ?? '';
