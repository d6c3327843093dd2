import {
  builtInOffer,
  type CloudSetup,
  HOUR_MS,
  type Instant,
  iso,
  Money,
  offeredProviders,
  type ProviderOffer,
  providerMode,
} from '@moorage/domain';
import type { Reads, Tx } from '@moorage/server';
import { z } from 'zod';

/** `live`: the provider's own answer. `built_in`: what the product knows without asking. */
export type OfferSource = 'live' | 'built_in';

export interface StoredOffer {
  readonly offer: ProviderOffer;
  readonly source: OfferSource;
}

/** An answer that is older is not sold from: prices and sizes have changed meanwhile. */
const FRESH_MS = 48 * HOUR_MS;

const name = z.string().min(1).max(100);
/** `catalogues.regions`: a ProviderOffer without its provider; prices are whole micro-units an hour. */
const storedRegions = z.array(
  z.strictObject({
    name,
    display_name: name,
    country_code: z.string().regex(/^[a-z]{2}$/),
    instance_types: z.array(
      z.strictObject({
        name,
        display_name: name,
        cpu: z.number().positive(),
        memory_gb: z.number().positive(),
        hourly_micros: z.string().regex(/^[1-9]\d{0,17}$/),
      }),
    ),
  }),
);

/** Keeps what a provider answered, until `due_at`. Throws ZodError for an answer that cannot be sold from, a price of 0 for one. */
export async function saveOffer(
  tx: Tx,
  { provider, regions }: ProviderOffer,
  { source, now, due_at }: { source: OfferSource; now: Instant; due_at: Instant },
): Promise<void> {
  const stored = storedRegions.parse(
    regions.map((region) => ({
      name: region.name,
      display_name: region.displayName,
      country_code: region.countryCode,
      instance_types: region.instanceTypes.map((type) => ({
        name: type.name,
        display_name: type.displayName,
        cpu: type.cpu,
        memory_gb: type.memoryGb,
        hourly_micros: String(type.hourlyCost.micros),
      })),
    })),
  );
  await tx.execute(
    `insert into catalogues (provider, source, regions, refreshed_at, due_at) values ($1, $2, $3, $4, $5)
     on conflict (provider) do update set source = $2, regions = $3, refreshed_at = $4, due_at = $5`,
    [provider, source, JSON.stringify(stored), iso(now), iso(due_at)],
  );
}

/**
 * What is offered for new servers here, in the catalogue's order: of each provider (or of one) its stored answer. Where a live provider
 * has given none for two days, and a simulated one none yet, it is the built-in catalogue's.
 */
export async function offersOf(
  reads: Reads,
  setup: CloudSetup,
  { now, provider: only }: { now: Instant; provider?: string },
): Promise<StoredOffer[]> {
  const offered = offeredProviders(setup).filter((name) => only === undefined || name === only);
  if (offered.length === 0) return [];
  const rows = await reads.query<{ provider: string; source: OfferSource; regions: unknown; refreshed_at: Instant }>(
    'select provider, source, regions, refreshed_at from catalogues where provider = any($1) and regions is not null',
    [[...offered]],
  );
  return offered.map((provider) => {
    const source = providerMode(setup, provider) === 'live' ? 'live' : 'built_in';
    const row = rows.find((one) => one.provider === provider && one.source === source);
    const fresh = row !== undefined && (source === 'built_in' || now - row.refreshed_at < FRESH_MS);
    const parsed = fresh ? storedRegions.safeParse(row.regions) : undefined;
    if (parsed?.success !== true) return { offer: builtInOffer(provider), source: 'built_in' };
    return { offer: { provider, regions: parsed.data.map(regionOf) }, source };
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
      hourlyCost: Money.fromMicrosText(type.hourly_micros),
    })),
  };
}
