import { dailyMicros } from '@moorage/domain';
import { z } from 'zod';
import { type CloudHoldings, type Holding, holdingsOf, type Shelf } from '../holdings';
import { labelsOfDeploymentTag } from './flat-tags';
import { labelsOf, labelsOfName, type RestApi, restShelf } from './rest-shelf';

/** Published prices of 2026-11 in dollars per GB and month. */
const VOLUME_USD = 0.1;
const IMAGE_USD = 0.1;
const MB_PER_GB = 1024;

const tags = z.array(z.string()).nullish();

const SHELVES = [
  restShelf({
    kind: 'disk',
    path: 'volumes',
    list: 'data',
    one: null,
    item: z.object({
      id: z.number(),
      label: z.string(),
      region: z.string(),
      size: z.number(),
      linode_id: z.number().nullable(),
      tags,
    }),
    facts: ({ id, label, region, size, linode_id, tags }) => ({
      id,
      name: label,
      region,
      labels: labelsOf(tags, label),
      used_by: linode_id?.toString() ?? null,
      micros_per_day: dailyMicros({ monthlyUsd: VOLUME_USD * size }),
    }),
  }),
  restShelf({
    kind: 'image',
    path: 'images',
    list: 'data',
    one: null,
    /** Size in MB. */
    item: z.object({ id: z.string(), label: z.string(), size: z.number(), tags }),
    facts: ({ id, label, size, tags }) => ({
      id,
      name: label,
      labels: labelsOf(tags, label),
      micros_per_day: dailyMicros({ monthlyUsd: (IMAGE_USD * size) / MB_PER_GB }),
    }),
  }),
  restShelf({
    kind: 'firewall',
    path: 'networking/firewalls',
    list: 'data',
    one: null,
    item: z.object({
      id: z.number(),
      label: z.string(),
      tags,
      // Omitted by older versions of the API.
      entities: z.array(z.object({ id: z.number() })).optional(),
    }),
    facts: ({ id, label, tags, entities }) => ({
      id,
      name: label,
      labels: labelsOf(tags, label),
      used_by: entities === undefined ? 'unknown' : (entities[0]?.id.toString() ?? null),
    }),
  }),
  restShelf({
    kind: 'key',
    path: 'profile/sshkeys',
    list: 'data',
    one: null,
    item: z.object({ id: z.number(), label: z.string() }),
    facts: ({ id, label }) => ({ id, name: label, labels: labelsOfName(label) }),
  }),
  tagShelf,
];

/**
 * Resources of a Linode account. Volumes, images and firewalls carry tags, and a key is ours by its label. Linode
 * removes a firewall even while it protects a server, so a firewall whose servers are not reported counts as in use.
 */
export const linodeHoldings = (api: Pick<RestApi, 'http' | 'pages'>): CloudHoldings =>
  holdingsOf(() => Promise.resolve(SHELVES.map((shelf) => shelf({ ...api, root: '/', prices: null }))));

/** Lists tags. A tag cannot be read separately, because its URL lists the tagged objects. */
function tagShelf({ http, pages }: RestApi): Shelf {
  const prefix = 'tags/';
  const all = { path: 'tags', list: 'data', item: z.object({ label: z.string() }) };
  const holdingOf = (label: string, used_by: string | null): Holding => ({
    kind: 'tag',
    id: `${prefix}${label}`,
    name: label,
    region: '',
    labels: labelsOfDeploymentTag(label),
    used_by,
    micros_per_day: 0,
  });
  const pathOf = (id: string): string => `${prefix}${encodeURIComponent(id.slice(prefix.length))}`;
  return {
    kind: 'tag',
    holds: (id) => id.startsWith(prefix),
    // The objects of a tag are read only before its removal.
    list: async (installation, signal) =>
      (await pages(all, installation, signal)).map(({ label }) => holdingOf(label, null)),
    async read({ id }, signal) {
      const known = (await pages(all, '', signal)).find(({ label }) => id === `${prefix}${label}`);
      if (known === undefined) return null;
      const on = await pages({ path: pathOf(id), list: 'data', item: z.object({ type: z.string() }) }, '', signal);
      return holdingOf(known.label, on[0]?.type ?? null);
    },
    async delete({ id }, signal) {
      await http.remove(`/${pathOf(id)}`, { signal });
    },
  };
}
