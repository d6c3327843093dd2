import { dailyMicros } from '@moorage/domain';
import { z } from 'zod';
import { type CloudHoldings, holdingsOf } from '../holdings';
import { labelsOfDeploymentTag, labelsOfTags, OURS } from './flat-tags';
import { labelsOf, labelsOfName, type RestApi, restShelf } from './rest-shelf';

/** Published prices of 2026-11 in dollars per GB and month. */
const VOLUME_USD = 0.1;
const SNAPSHOT_USD = 0.06;

const tags = z.array(z.string()).nullish();
const droplet_ids = z.array(z.number()).nullish();
const firewall = z.object({ id: z.string(), name: z.string(), tags, droplet_ids });

/** Returns the labels of a firewall. A firewall's tags are those of the droplets it applies to. */
function firewallLabels({ name, tags: selected }: z.infer<typeof firewall>) {
  const byTag = labelsOfTags([OURS, ...(selected ?? [])]);
  return byTag.installation === undefined ? labelsOfName(name) : byTag;
}

const SHELVES = [
  restShelf({
    kind: 'disk',
    path: 'volumes',
    list: 'volumes',
    one: 'volume',
    item: z.object({
      id: z.string(),
      name: z.string(),
      size_gigabytes: z.number(),
      region: z.object({ slug: z.string() }),
      droplet_ids,
      tags,
    }),
    facts: ({ id, name, size_gigabytes, region, droplet_ids, tags }) => ({
      id,
      name,
      region: region.slug,
      labels: labelsOf(tags, name),
      used_by: droplet_ids?.[0]?.toString() ?? null,
      micros_per_day: dailyMicros({ monthlyUsd: VOLUME_USD * size_gigabytes }),
    }),
  }),
  restShelf({
    kind: 'image',
    path: 'snapshots',
    list: 'snapshots',
    one: 'snapshot',
    item: z.object({
      // Droplet ids are numbers.
      id: z.union([z.string(), z.number()]),
      name: z.string(),
      size_gigabytes: z.number(),
      regions: z.array(z.string()),
      tags,
    }),
    facts: ({ id, name, size_gigabytes, regions: [region = ''], tags }) => ({
      id,
      name,
      region,
      labels: labelsOf(tags, name),
      micros_per_day: dailyMicros({ monthlyUsd: SNAPSHOT_USD * size_gigabytes }),
    }),
  }),
  restShelf({
    kind: 'firewall',
    path: 'firewalls',
    list: 'firewalls',
    one: 'firewall',
    item: firewall,
    facts: (found) => ({
      id: found.id,
      name: found.name,
      labels: firewallLabels(found),
      used_by: found.droplet_ids?.[0]?.toString() ?? null,
    }),
  }),
  restShelf({
    kind: 'key',
    path: 'account/keys',
    list: 'ssh_keys',
    one: 'ssh_key',
    item: z.object({ id: z.number(), name: z.string() }),
    facts: ({ id, name }) => ({ id, name, labels: labelsOfName(name) }),
  }),
  restShelf({
    kind: 'tag',
    path: 'tags',
    list: 'tags',
    one: 'tag',
    item: z.object({ name: z.string(), resources: z.object({ count: z.number() }) }),
    facts: ({ name, resources: { count } }) => ({
      id: name,
      name,
      labels: labelsOfDeploymentTag(name),
      used_by: count === 0 ? null : `${count} resources`,
    }),
  }),
];

/**
 * Resources of a DigitalOcean team. Volumes and snapshots carry tags. A firewall is ours by the tag that selects its
 * droplets, and a key by its name. Reserved addresses have neither name nor tag, so they cannot be identified as ours.
 */
export const digitalOceanHoldings = (api: Pick<RestApi, 'http' | 'pages'>): CloudHoldings =>
  holdingsOf(() => Promise.resolve(SHELVES.map((shelf) => shelf({ ...api, root: '/v2/', prices: null }))));
