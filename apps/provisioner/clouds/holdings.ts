import type { HoldingKind } from '@moorage/domain';

/** Those of our labels that a thing carries, in a label, a tag or its name. */
export type HoldingLabels = Readonly<Partial<Record<'managed-by' | 'installation' | 'deployment', string>>>;

/** Where one thing is at a provider. */
export interface HoldingPlace {
  readonly kind: HoldingKind;
  /** Empty where the provider has it in no region. */
  readonly region: string;
  /** What the provider's API calls it by. */
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

/** Everything of ours at a provider besides servers. */
export interface CloudHoldings {
  /** Whatever carries the label of this installation, in all regions. */
  list(installation: string, signal?: AbortSignal): Promise<Holding[]>;
  /** Reads the thing again, and asks for its removal if it still carries the label and nothing uses it. */
  remove(place: HoldingPlace, installation: string, signal?: AbortSignal): Promise<Removal>;
}

/** One kind of thing at one provider. */
export interface Shelf {
  readonly kind: HoldingKind;
  /** Tells apart the shelves of one kind, as snapshots and images. */
  readonly holds: (id: string) => boolean;
  /** At least whatever carries the label of this installation. */
  list(installation: string, signal: AbortSignal | undefined): Promise<Holding[]>;
  /** null: the provider says that there is no such thing. */
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
