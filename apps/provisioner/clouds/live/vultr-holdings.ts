import { dailyMicros } from '@moorage/domain';
import { z } from 'zod';
import { type CloudHoldings, holdingsOf } from '../holdings';
import { labelsOfName, type RestApi, restShelf } from './rest-shelf';

/** Published prices of 2026-11 for an address per month, and for a snapshot per GB and month. */
const ADDRESS_USD = 3;
const SNAPSHOT_USD = 0.05;
const BYTES_PER_GB = 1024 ** 3;

const SHELVES = [
  restShelf({
    kind: 'disk',
    path: 'blocks',
    list: 'blocks',
    one: 'block',
    item: z.object({
      id: z.string(),
      label: z.string(),
      region: z.string(),
      /** Price in dollars per month. */
      cost: z.number(),
      attached_to_instance: z.string().nullish(),
    }),
    facts: ({ id, label, region, cost, attached_to_instance }) => ({
      id,
      name: label,
      region,
      labels: labelsOfName(label),
      // An empty string means none.
      used_by: attached_to_instance || null,
      micros_per_day: dailyMicros({ monthlyUsd: cost }),
    }),
  }),
  restShelf({
    kind: 'address',
    path: 'reserved-ips',
    list: 'reserved_ips',
    one: 'reserved_ip',
    item: z.object({ id: z.string(), label: z.string(), region: z.string(), instance_id: z.string().nullish() }),
    facts: ({ id, label, region, instance_id }) => ({
      id,
      name: label,
      region,
      labels: labelsOfName(label),
      used_by: instance_id || null,
      micros_per_day: dailyMicros({ monthlyUsd: ADDRESS_USD }),
    }),
  }),
  restShelf({
    kind: 'image',
    path: 'snapshots',
    list: 'snapshots',
    one: 'snapshot',
    item: z.object({ id: z.string(), description: z.string(), size: z.number() }),
    facts: ({ id, description, size }) => ({
      id,
      name: description,
      labels: labelsOfName(description),
      micros_per_day: dailyMicros({ monthlyUsd: (SNAPSHOT_USD * size) / BYTES_PER_GB }),
    }),
  }),
  restShelf({
    kind: 'firewall',
    path: 'firewalls',
    list: 'firewall_groups',
    one: 'firewall_group',
    item: z.object({ id: z.string(), description: z.string(), instance_count: z.number() }),
    facts: ({ id, description, instance_count }) => ({
      id,
      name: description,
      labels: labelsOfName(description),
      used_by: instance_count === 0 ? null : `${instance_count} servers`,
    }),
  }),
  restShelf({
    kind: 'key',
    path: 'ssh-keys',
    list: 'ssh_keys',
    one: 'ssh_key',
    item: z.object({ id: z.string(), name: z.string() }),
    facts: ({ id, name }) => ({ id, name, labels: labelsOfName(name) }),
  }),
];

/** Resources in a Vultr account. Only instances have tags, so other kinds are identified by name. */
export const vultrHoldings = (api: Pick<RestApi, 'http' | 'pages'>): CloudHoldings =>
  holdingsOf(() => Promise.resolve(SHELVES.map((shelf) => shelf({ ...api, root: '/', prices: null }))));
