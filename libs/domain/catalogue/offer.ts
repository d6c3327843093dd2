import type { Money } from '../money';
import type { CloudName } from './providers';

export interface Region {
  readonly name: string;
  readonly displayName: string;
  /** Two letters, lower case. */
  readonly countryCode: string;
}

export interface InstanceType {
  readonly name: string;
  readonly displayName: string;
  readonly cpu: number;
  readonly memoryGb: number;
  /** GB of its disk; absent: not known. */
  readonly diskGb?: number | undefined;
  readonly hourlyCost: Money;
  /** False: sold out there just now. */
  readonly available: boolean;
}

/** The catalogue's remark stands in brackets behind a type's name: `CX23 (often sold out)`. */
export function splitTypeName(displayName: string): { readonly name: string; readonly remark: string | null } {
  const at = displayName.lastIndexOf(' (');
  return at > 0 && displayName.endsWith(')')
    ? { name: displayName.slice(0, at), remark: displayName.slice(at + 2, -1) }
    : { name: displayName, remark: null };
}

/** A region with the types that have a price in it. */
export interface RegionOffer extends Region {
  readonly instanceTypes: readonly InstanceType[];
}

/** What one provider offers: the one shape of the built-in catalogue, of a provider's own answer and of the stored rows. */
export interface ProviderOffer {
  readonly provider: CloudName;
  readonly regions: readonly RegionOffer[];
}
