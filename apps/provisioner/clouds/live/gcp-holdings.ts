import { dailyMicros } from '@moorage/domain';
import { z } from 'zod';
import { CloudError, ourLabels } from '../cloud';
import { type CloudHoldings, type Holding, holdingsOf, type Shelf } from '../holdings';
import type { CloudHttp } from './cloud-http';
import { everyPage } from './every-page';
import { installationTag } from './flat-tags';
import { labelsOfName } from './rest-shelf';

/** Published prices of 2026-11 in dollars per GB and month, and per hour for an unused address. */
const DISK_USD: Readonly<Record<string, number>> = { 'pd-standard': 0.04, 'pd-balanced': 0.1, 'pd-ssd': 0.17 };
const SNAPSHOT_USD = 0.05;
const ADDRESS_HOURLY_USD = 0.01;
const BYTES_PER_GB = 1e9;
const PAGE = 500;

const thing = z.object({
  name: z.string(),
  labels: z.record(z.string(), z.string()).optional(),
  users: z.array(z.string()).optional(),
  type: z.string().optional(),
  sizeGb: z.string().optional(),
  archiveSizeBytes: z.string().optional(),
  storageBytes: z.string().optional(),
});
type Thing = z.infer<typeof thing>;
const warning = z.object({ code: z.string().optional() }).optional();

interface GcpShelf {
  readonly kind: Holding['kind'];
  /** The last part of the path, for example `disks` in `zones/europe-west3-a/disks/name`. */
  readonly list: string;
  /** Listed across all zones and regions, or once for the project. */
  readonly scope: 'aggregated' | 'global';
  readonly micros: (found: Thing) => number | null;
  /** Identified by name, because a firewall has no labels. */
  readonly isNamed?: true;
}

const perGb = (usd: number | undefined, gb: number): number | null =>
  usd === undefined || !Number.isFinite(gb) ? null : dailyMicros({ monthlyUsd: usd * gb });

const SHELVES: readonly GcpShelf[] = [
  {
    kind: 'disk',
    list: 'disks',
    scope: 'aggregated',
    micros: ({ type = '', sizeGb }) => perGb(DISK_USD[type.split('/').at(-1) ?? ''], Number(sizeGb)),
  },
  {
    kind: 'address',
    list: 'addresses',
    scope: 'aggregated',
    micros: () => dailyMicros({ hourlyUsd: ADDRESS_HOURLY_USD }),
  },
  {
    kind: 'image',
    list: 'images',
    scope: 'global',
    micros: ({ archiveSizeBytes }) => perGb(SNAPSHOT_USD, Number(archiveSizeBytes) / BYTES_PER_GB),
  },
  {
    kind: 'image',
    list: 'snapshots',
    scope: 'global',
    micros: ({ storageBytes }) => perGb(SNAPSHOT_USD, Number(storageBytes) / BYTES_PER_GB),
  },
  { kind: 'firewall', list: 'firewalls', scope: 'global', micros: () => 0, isNamed: true },
];

interface GcpApi {
  readonly http: CloudHttp;
  /** Returns the path below the project. */
  readonly path: (rest: string) => string;
}

/**
 * Resources of a Google project. A firewall rule applies by the tags of servers and has no users of its own. Only rules
 * named after this installation are listed, never the rule `moorage` that all servers share.
 */
export const gcpHoldings = (api: GcpApi): CloudHoldings =>
  holdingsOf(() => Promise.resolve(SHELVES.map((shelf) => shelfOf(api, shelf))));

function shelfOf(api: GcpApi, shelf: GcpShelf): Shelf {
  const { http, path } = api;
  const { kind, list, isNamed } = shelf;
  const holdingOf = (scope: string, found: Thing): Holding => ({
    kind,
    id: `${scope}/${list}/${found.name}`,
    name: found.name,
    region: scope === 'global' ? '' : (scope.split('/')[1] ?? ''),
    labels: isNamed === true ? labelsOfName(found.name) : ourLabels(found.labels ?? {}),
    used_by: found.users?.[0]?.split('/').at(-1) ?? null,
    micros_per_day: shelf.micros(found),
  });
  return {
    kind,
    holds: (id) => new RegExp(`^(global|(zones|regions)/[a-z0-9-]+)/${list}/[a-z0-9-]+$`).test(id),
    list: async (installation, signal) =>
      (await itemsOf(api, shelf, installation, signal)).map(({ scope, found }) => holdingOf(scope, found)),
    async read({ id }, signal) {
      const found = await http.find(path(`/${id}`), { answer: thing, signal });
      return found === null ? null : holdingOf(id.slice(0, id.indexOf(`/${list}/`)), found);
    },
    async delete({ id }, signal) {
      await http.remove(path(`/${id}`), { signal });
    },
  };
}

/** Returns the items, each with its scope. Throws if a zone is missing from the list. */
async function itemsOf(
  { http, path }: GcpApi,
  { list, scope, isNamed }: GcpShelf,
  installation: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly scope: string; readonly found: Thing }[]> {
  const filter =
    isNamed === true
      ? `name eq "${installationTag(installation)}.*"`
      : `(labels.managed-by = "moorage") AND (labels.installation = "${installation}")`;
  const items = z.array(thing);
  const answer = z.object({
    items: z.union([items, z.record(z.string(), z.looseObject({ warning }))]).optional(),
    unreachables: z.array(z.string()).optional(),
    nextPageToken: z.string().optional(),
  });
  return everyPage<string | undefined, { scope: string; found: Thing }>(list, undefined, async (pageToken) => {
    const page = await http.send('GET', path(`/${scope}/${list}`), {
      query: { filter, maxResults: PAGE, pageToken },
      answer,
      signal,
    });
    const next = page.nextPageToken || null;
    if (Array.isArray(page.items)) return { items: page.items.map((found) => ({ scope, found })), next };
    const scopes = Object.entries(page.items ?? {});
    const isPartial = scopes.some(([, at]) => at.warning !== undefined && at.warning.code !== 'NO_RESULTS_ON_PAGE');
    if (isPartial || (page.unreachables ?? []).length > 0)
      throw new CloudError('transient', `the list of ${list} is incomplete`);
    const all = scopes.flatMap(([at, held]) => items.parse(held[list] ?? []).map((found) => ({ scope: at, found })));
    return { items: all, next };
  });
}
