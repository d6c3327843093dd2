import type { HoldingKind } from '@moorage/domain';

/** Our labels of a resource, from its labels, tags or name. */
export type HoldingLabels = Readonly<Partial<Record<'managed-by' | 'installation' | 'deployment', string>>>;

/** Identifies one resource at a provider. */
export interface HoldingPlace {
  readonly kind: HoldingKind;
  /** Empty where the provider has it in no region. */
  readonly region: string;
  /** The id in the provider's API. */
  readonly id: string;
}

/** A thing other than a server that a provider holds for us. */
export interface Holding extends HoldingPlace {
  readonly name: string;
  readonly labels: HoldingLabels;
  /** The server or other resource that uses it; null: it is left over. */
  readonly used_by: string | null;
  /** null: no price of it is known. */
  readonly micros_per_day: number | null;
}

/**
 * What came of a removal. `asked`: the provider accepted it; only a later `gone` proves it. `not_ours`: it does not carry
 * the label of this installation. `in_use`: something uses it. Neither of the last two is removed.
 */
export type Removal = 'asked' | 'gone' | 'not_ours' | 'in_use';

/** Lists and removes our resources at a provider other than servers. */
export interface CloudHoldings {
  /** Lists resources with the label of this installation in all regions. */
  list(installation: string, signal?: AbortSignal): Promise<Holding[]>;
  /** Reads the thing again, and asks for its removal if it still carries the label and nothing uses it. */
  remove(place: HoldingPlace, installation: string, signal?: AbortSignal): Promise<Removal>;
}

/** One kind of thing at one provider. */
export interface Shelf {
  readonly kind: HoldingKind;
  /** Tells apart the shelves of one kind, as snapshots and images. */
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

/** A tag carries no label: the deployment whose ref it names decides whose it is. */
const isOurs = ({ kind, labels }: Holding, installation: string): boolean =>
  labels['managed-by'] === 'moorage' &&
  (kind === 'tag' ? labels.deployment !== undefined : labels.installation === installation);

/** A provider that holds nothing but servers, as a simulated one. */
export const NOTHING_HELD: CloudHoldings = holdingsOf(() => Promise.resolve([]));
