import {
  builtInOffer,
  CLOUD_NAMES,
  type CloudName,
  type CloudSetup,
  CREATE_REFUSED_MS,
  HOUR_MS,
  type Instant,
  isCloudName,
  isPlaceRefused,
  iso,
  marginAt,
  Money,
  offeredProviders,
  type ProviderOffer,
  type ProviderMode,
  providerMode,
  type RefusedPlace,
  standInOffer,
} from '@moorage/domain';
import type { Reads, Tx } from '@moorage/server';
import { z } from 'zod';

/** Source of an offer. `live` is the provider's own response, `built_in` the catalogue file. */
export type OfferSource = 'live' | 'built_in';

export interface StoredOffer {
  readonly offer: ProviderOffer;
  readonly source: OfferSource;
  /** Time at which a live provider last returned its prices. Null if it never did or is simulated. */
  readonly priced_at: Instant | null;
}

/** Maximum age of an offer. Older offers are not sold, because prices and sizes may have changed. */
const FRESH_MS = 48 * HOUR_MS;

const name = z.string().min(1).max(100);
const storedType = z.strictObject({
  name,
  display_name: name,
  cpu: z.number().positive(),
  memory_gb: z.number().positive(),
  // Missing in older rows.
  disk_gb: z.number().positive().optional(),
  // Missing in older rows.
  available: z.boolean().default(true),
  hourly_micros: z.string().regex(/^[1-9]\d{0,17}$/),
});
const storedRegion = z.strictObject({
  name,
  display_name: name,
  country_code: z.string().regex(/^[a-z]{2}$/),
  instance_types: z.array(storedType),
});
/** Format of `catalogues.regions`, a ProviderOffer without its provider. Prices are whole micro-units per hour. */
const storedRegions = z.array(storedRegion);

/**
 * Stores a provider's offer until `due_at`, without the regions and sizes that cannot be sold (a price of 0, or a name
 * that is too long).
 *
 * @returns the names left out
 * @throws ZodError if nothing in the offer can be sold
 */
export async function saveOffer(
  tx: Tx,
  { provider, regions }: ProviderOffer,
  { source, now, due_at }: { source: OfferSource; now: Instant; due_at: Instant },
): Promise<string[]> {
  const dropped: string[] = [];
  const isSold = (place: string, { success }: { readonly success: boolean }): boolean => {
    if (!success) dropped.push(place.slice(0, DROPPED_NAME_MAX));
    return success;
  };
  const answered = regions.map(rowOf);
  const stillOffered = answered
    .map((region) => ({
      ...region,
      instance_types: region.instance_types.filter((type) =>
        isSold(`${region.name}/${type.name}`, storedType.safeParse(type)),
      ),
    }))
    .filter((region) => isSold(region.name, storedRegion.safeParse(region)));
  const isAnythingLeft = stillOffered.some(({ instance_types }) => instance_types.length > 0);
  const stored = storedRegions.parse(isAnythingLeft ? stillOffered : answered);
  await tx.execute(
    `insert into catalogues (provider, source, regions, refreshed_at, due_at) values ($1, $2, $3, $4, $5)
     on conflict (provider) do update set source = $2, regions = $3, refreshed_at = $4, due_at = $5`,
    [provider, source, JSON.stringify(stored), iso(now), iso(due_at)],
  );
  return dropped;
}

/** Length to which a reported name is truncated. */
const DROPPED_NAME_MAX = 200;

const rowOf = ({ name, displayName, countryCode, instanceTypes }: ProviderOffer['regions'][number]) => ({
  name,
  display_name: displayName,
  country_code: countryCode,
  instance_types: instanceTypes.map((type) => ({
    name: type.name,
    display_name: type.displayName,
    cpu: type.cpu,
    memory_gb: type.memoryGb,
    // A size with an invalid disk is stored without its disk.
    disk_gb: (type.diskGb ?? 0) > 0 ? type.diskGb : undefined,
    available: type.available,
    hourly_micros: String(type.hourlyCost.micros),
  })),
});

/** Marks a size as sold out after the provider rejected it, so that it is not sold again until the next offer. */
export async function markSoldOut(
  tx: Tx,
  { provider, region, instance_type }: { provider: CloudName; region: string; instance_type: string },
): Promise<void> {
  const [row] = await tx.query<{ regions: unknown }>(
    'select regions from catalogues where provider = $1 and regions is not null for update',
    [provider],
  );
  const stored = storedRegions.safeParse(row?.regions);
  const type = stored.data
    ?.find((one) => one.name === region)
    ?.instance_types.find((one) => one.name === instance_type && one.available);
  if (type === undefined) return;
  type.available = false;
  await tx.execute('update catalogues set regions = $2 where provider = $1', [provider, JSON.stringify(stored.data)]);
}

/** Returns the providers with credentials that are currently accepted for the project confirmed by an administrator. */
export async function provenProviders(reads: Reads): Promise<CloudName[]> {
  const rows = await reads.query<{ provider: string }>(
    `select provider from provider_breakers
     where proven_at is not null and refused_at is null and confirmed_project_id = project_id`,
  );
  return rows.map(({ provider }) => provider).filter(isCloudName);
}

/**
 * Returns the offers for new servers in catalogue order, optionally of a single provider.
 *
 * Each provider's stored offer is used. If a live provider has returned none for two days, the built-in catalogue is
 * used with everything that the provider bills and the platform's margin. If a simulated provider has not returned any
 * yet, the built-in catalogue is used unchanged. Where the platform may not create servers, no size is available.
 */
export async function offersOf(
  reads: Reads,
  setup: CloudSetup,
  { now, provider: only }: { now: Instant; provider?: string },
): Promise<StoredOffer[]> {
  const hasLive = Object.values(setup.modes).includes('live');
  const proven = hasLive ? await provenProviders(reads) : [];
  const offered = offeredProviders(setup, proven).filter((name) => only === undefined || name === only);
  if (offered.length === 0) return [];
  const rows = await reads.query<{ provider: string; source: OfferSource; regions: unknown; refreshed_at: Instant }>(
    'select provider, source, regions, refreshed_at from catalogues where provider = any($1) and regions is not null',
    [[...offered]],
  );
  const refusals = await refusedPlaces(reads, offered, now);
  return offered.map((provider) => {
    const isLive = providerMode(setup, provider) === 'live';
    const source = isLive ? 'live' : 'built_in';
    const row = rows.find((one) => one.provider === provider && one.source === source);
    const fresh = row !== undefined && (source === 'built_in' || now - row.refreshed_at < FRESH_MS);
    const parsed = fresh ? storedRegions.safeParse(row.regions) : undefined;
    const priced_at = isLive ? (row?.refreshed_at ?? null) : null;
    const refused = refusals.filter((one) => one.provider === provider);
    if (parsed?.success === true) {
      const offer = { provider, regions: parsed.data.map(regionOf) };
      return { offer: withoutRefused(offer, refused, now), source, priced_at };
    }
    const offer = isLive ? standInOffer(provider, marginAt(setup, provider)) : builtInOffer(provider);
    return { offer: withoutRefused(offer, refused, now), source: 'built_in', priced_at };
  });
}

type RefusedPlaceOf = RefusedPlace & { readonly provider: string };

/** Returns the recent rejections of these providers that still count. */
export const refusedPlaces = (reads: Reads, providers: readonly string[], now: Instant): Promise<RefusedPlaceOf[]> =>
  reads.query<RefusedPlaceOf>(
    `select r.provider, r.region, r.instance_type, d.user_id, r.refused_at, r.disproven
     from refused_places r join deployments d on d.id = r.deployment_id
     where r.provider = any($1) and r.refused_at > $2`,
    [[...providers], iso(now - CREATE_REFUSED_MS)],
  );

function withoutRefused(offer: ProviderOffer, refusals: readonly RefusedPlace[], now: Instant): ProviderOffer {
  if (refusals.length === 0) return offer;
  return {
    ...offer,
    regions: offer.regions.map((region) => ({
      ...region,
      instanceTypes: region.instanceTypes.map((type) => {
        const place = { region: region.name, instance_type: type.name };
        return { ...type, available: type.available && !isPlaceRefused(refusals, place, now) };
      }),
    })),
  };
}

/** State of a provider's prices, for operators. */
export interface CatalogueState {
  readonly provider: CloudName;
  readonly mode: ProviderMode;
  /** Reason why a live provider is not offered, or null if it is. */
  readonly unoffered: 'unproven' | 'unconfirmed' | 'refused' | null;
  /** Time of the last response in this mode, or null if there was none. */
  readonly refreshed_at: Instant | null;
  /** Time of the next request, or null if there was none yet. */
  readonly due_at: Instant | null;
  readonly source: OfferSource;
  readonly sizes: number;
  /** Sizes sold out, as `region/size`. */
  readonly sold_out: readonly string[];
}

/** Returns the state of every provider that is not off, in catalogue order. */
export async function catalogueStates(reads: Reads, setup: CloudSetup, now: Instant): Promise<CatalogueState[]> {
  const offers = await offersOf(reads, setup, { now });
  const rows = await reads.query<{
    provider: string;
    source: OfferSource | null;
    refreshed_at: Instant | null;
    due_at: Instant | null;
    proven_at: Instant | null;
    refused_at: Instant | null;
  }>(
    `select provider, c.source, c.refreshed_at, c.due_at, b.proven_at, b.refused_at
     from catalogues c full join provider_breakers b using (provider)`,
  );
  return CLOUD_NAMES.flatMap((provider) => {
    const mode = providerMode(setup, provider);
    if (mode === 'off') return [];
    const row = rows.find((one) => one.provider === provider);
    const found = offers.find(({ offer }) => offer.provider === provider);
    const types = (found?.offer.regions ?? []).flatMap(({ name: region, instanceTypes }) =>
      instanceTypes.map((type) => ({ name: `${region}/${type.name}`, available: type.available })),
    );
    const accepted = row?.proven_at == null ? 'unproven' : 'unconfirmed';
    const unproven = row?.refused_at == null ? accepted : 'refused';
    return [
      {
        provider,
        mode,
        unoffered: found === undefined ? unproven : null,
        refreshed_at: row?.source === (mode === 'live' ? 'live' : 'built_in') ? row.refreshed_at : null,
        due_at: row?.due_at ?? null,
        source: found?.source ?? 'built_in',
        sizes: types.length,
        sold_out: types.filter(({ available }) => !available).map(({ name }) => name),
      },
    ];
  });
}

function regionOf(stored: z.infer<typeof storedRegions>[number]): ProviderOffer['regions'][number] {
  return {
    name: stored.name,
    displayName: stored.display_name,
    countryCode: stored.country_code,
    instanceTypes: stored.instance_types.map((type) => ({
      name: type.name,
      displayName: type.display_name,
      cpu: type.cpu,
      memoryGb: type.memory_gb,
      ...(type.disk_gb === undefined ? {} : { diskGb: type.disk_gb }),
      available: type.available,
      hourlyCost: Money.fromMicrosText(type.hourly_micros),
    })),
  };
}
