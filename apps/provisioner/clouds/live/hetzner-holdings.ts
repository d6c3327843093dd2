import { dailyMicros } from '@moorage/domain';
import { z } from 'zod';
import { ourLabels } from '../cloud';
import { type CloudHoldings, holdingsOf } from '../holdings';
import { type RestApi, restShelf } from './rest-shelf';

const labels = z.record(z.string(), z.string());
const named = z.object({ id: z.number(), name: z.string(), labels });
const place = z.object({ name: z.string() });
const net = z.object({ net: z.string() });
const prices = z.object({
  pricing: z.object({
    volume: z.object({ price_per_gb_month: net }).optional(),
    image: z.object({ price_per_gb_month: net }).optional(),
    primary_ips: z.array(
      z.object({ type: z.string(), prices: z.array(z.object({ location: z.string(), price_hourly: net })) }),
    ),
    floating_ips: z.array(
      z.object({
        type: z.string(),
        prices: z.array(z.object({ location: z.string(), price_monthly: net })).optional(),
      }),
    ),
  }),
});

/** Prices in micro-dollars per day. Null if Hetzner's price list does not include it. */
interface Prices {
  perGb(what: 'volume' | 'image', gb: number): number | null;
  primaryIp(type: string, location: string | undefined): number | null;
  floatingIp(type: string, location: string): number | null;
}

const used = (id: number | null): string | null => (id === null ? null : String(id));

const SHELVES = [
  restShelf({
    kind: 'disk',
    path: 'volumes',
    list: 'volumes',
    one: 'volume',
    item: named.extend({ size: z.number(), location: place, server: z.number().nullable() }),
    facts: ({ id, name, labels, size, location, server }, of: Prices) => ({
      id,
      name,
      region: location.name,
      labels: ourLabels(labels),
      used_by: used(server),
      micros_per_day: of.perGb('volume', size),
    }),
  }),
  restShelf({
    kind: 'address',
    path: 'primary_ips',
    list: 'primary_ips',
    one: 'primary_ip',
    item: named.extend({ type: z.string(), assignee_id: z.number().nullable(), location: place.nullish() }),
    facts: ({ id, name, labels, type, assignee_id, location }, of: Prices) => ({
      id,
      name,
      region: location?.name ?? '',
      labels: ourLabels(labels),
      used_by: used(assignee_id),
      micros_per_day: of.primaryIp(type, location?.name),
    }),
  }),
  restShelf({
    kind: 'address',
    path: 'floating_ips',
    list: 'floating_ips',
    one: 'floating_ip',
    item: named.extend({ type: z.string(), server: z.number().nullable(), home_location: place }),
    facts: ({ id, name, labels, type, server, home_location: { name: region } }, of: Prices) => ({
      id,
      name,
      region,
      labels: ourLabels(labels),
      used_by: used(server),
      micros_per_day: of.floatingIp(type, region),
    }),
  }),
  restShelf({
    kind: 'image',
    path: 'images',
    list: 'images',
    one: 'image',
    item: z.object({ id: z.number(), description: z.string().nullish(), labels, image_size: z.number().nullish() }),
    facts: ({ id, description, labels, image_size }, of: Prices) => ({
      id,
      name: description ?? '',
      labels: ourLabels(labels),
      micros_per_day: image_size == null ? null : of.perGb('image', image_size),
    }),
  }),
  restShelf({
    kind: 'firewall',
    path: 'firewalls',
    list: 'firewalls',
    one: 'firewall',
    item: named.extend({ applied_to: z.array(z.object({ type: z.string() })) }),
    facts: ({ id, name, labels, applied_to: [user] }, _of: Prices) => ({
      id,
      name,
      labels: ourLabels(labels),
      used_by: user?.type ?? null,
    }),
  }),
  restShelf({
    kind: 'key',
    path: 'ssh_keys',
    list: 'ssh_keys',
    one: 'ssh_key',
    item: named,
    facts: ({ id, name, labels }, _of: Prices) => ({ id, name, labels: ourLabels(labels) }),
  }),
];

/** Resources in a Hetzner project. All kinds have labels, and the prices come from the API. */
export function hetznerHoldings(api: Omit<RestApi<Prices>, 'root' | 'prices'>, usdPerEur: number): CloudHoldings {
  return holdingsOf(async (signal) => {
    const { pricing } = await api.http.send('GET', '/pricing', { answer: prices, signal });
    return SHELVES.map((shelf) => shelf({ ...api, root: '/', prices: pricesOf(pricing, usdPerEur) }));
  });
}

/** Converts Hetzner's prices, which are in euros without tax. */
function pricesOf(pricing: z.infer<typeof prices>['pricing'], usdPerEur: number): Prices {
  const dollars = (price: z.infer<typeof net> | undefined): number => Number(price?.net) * usdPerEur;
  const orNull = (micros: number): number | null => (Number.isFinite(micros) ? micros : null);
  return {
    perGb: (what, gb) => orNull(dailyMicros({ monthlyUsd: dollars(pricing[what]?.price_per_gb_month) * gb })),
    primaryIp(type, location) {
      // IPv6 addresses are free.
      if (type === 'ipv6') return 0;
      const list = pricing.primary_ips.find((one) => one.type === type)?.prices ?? [];
      const price = list.find((one) => one.location === location) ?? list[0];
      return orNull(dailyMicros({ hourlyUsd: dollars(price?.price_hourly) }));
    },
    floatingIp(type, location) {
      const list = pricing.floating_ips.find((one) => one.type === type)?.prices ?? [];
      const price = list.find((one) => one.location === location);
      return orNull(dailyMicros({ monthlyUsd: dollars(price?.price_monthly) }));
    },
  };
}
