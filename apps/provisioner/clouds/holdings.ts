import type { HoldingKind } from '@moorage/domain';

/** Our labels of a resource, read from its labels, tags or name. */
export type HoldingLabels = Readonly<Partial<Record<'managed-by' | 'installation' | 'deployment', string>>>;

/** Identifies one resource at a provider. */
export interface HoldingPlace {
  readonly kind: HoldingKind;
  /** Empty if the resource belongs to no region. */
  readonly region: string;
  /** Id in the provider's API. */
  readonly id: string;
}

/** A resource other than a server that we have at a provider. */
export interface Holding extends HoldingPlace {
  readonly name: string;
  readonly labels: HoldingLabels;
  /** The server or other resource that uses it, or null if it is orphaned. */
  readonly used_by: string | null;
  /** Null if the price is unknown. */
  readonly micros_per_day: number | null;
}

/**
 * Outcome of a removal. `asked` means that the provider accepted it, but only a later `gone` proves it. `not_ours`
 * (without the label of this installation) and `in_use` mean that the resource was not removed.
 */
export type Removal = 'asked' | 'gone' | 'not_ours' | 'in_use';

/** Lists and removes our resources at a provider other than servers. */
export interface CloudHoldings {
  /** Lists resources with the label of this installation in all regions. */
  list(installation: string, signal?: AbortSignal): Promise<Holding[]>;
  /** Reads the resource again, and requests its removal if it still carries the label and nothing uses it. */
  remove(place: HoldingPlace, installation: string, signal?: AbortSignal): Promise<Removal>;
}

/** Resources of one kind at one provider. */
export interface Shelf {
  readonly kind: HoldingKind;
  /** Distinguishes the shelves of one kind, such as snapshots and images, by id. */
  readonly holds: (id: string) => boolean;
  /** Lists at least all resources with the label of this installation. */
  list(installation: string, signal: AbortSignal | undefined): Promise<Holding[]>;
  /** Returns null if the provider reports that the resource does not exist. */
  read(place: HoldingPlace, signal: AbortSignal | undefined): Promise<Holding | null>;
  delete(place: HoldingPlace, signal: AbortSignal | undefined): Promise<void>;
}

export function holdingsOf(open: (signal: AbortSignal | undefined) => Promise<readonly Shelf[]>): CloudHoldings {
  return {
    async list(installation, signal) {
      const all: Holding[] = [];
      for (const shelf of await open(signal)) {
        all.push(...(await shelf.list(installation, signal)).filter((found) => isOurs(found, installation)));
      }
      return all;
    },

    async remove(place, installation, signal) {
      const shelf = (await open(signal)).find(({ kind, holds }) => kind === place.kind && holds(place.id));
      if (shelf === undefined) return 'not_ours';
      const found = await shelf.read(place, signal);
      if (found === null) return 'gone';
      if (!isOurs(found, installation)) return 'not_ours';
      if (found.used_by !== null) return 'in_use';
      await shelf.delete(place, signal);
      return 'asked';
    },
  };
}

/**
 * Returns whether a resource belongs to this installation. A tag carries no label, so the deployment in its name
 * decides.
 */
const isOurs = ({ kind, labels }: Holding, installation: string): boolean =>
  labels['managed-by'] === 'moorage' &&
  (kind === 'tag' ? labels.deployment !== undefined : labels.installation === installation);

/** Holdings of a provider that has only servers, such as a simulated provider. */
export const NOTHING_HELD: CloudHoldings = holdingsOf(() => Promise.resolve([]));
