import type { Money } from '../money';
import type { CloudName } from './providers';

export interface Region {
  readonly name: string;
  readonly displayName: string;
  /** Two lower-case letters. */
  readonly countryCode: string;
}

export interface InstanceType {
  readonly name: string;
  readonly displayName: string;
  readonly cpu: number;
  readonly memoryGb: number;
  /** Disk size in GB, or undefined if unknown. */
  readonly diskGb?: number | undefined;
  readonly hourlyCost: Money;
  /** False if the size is currently sold out in this region. */
  readonly available: boolean;
}

/** Splits the remark in brackets from a size's name, as in `CX23 (often sold out)`. */
export function splitTypeName(displayName: string): { readonly name: string; readonly remark: string | null } {
  const at = displayName.lastIndexOf(' (');
  return at > 0 && displayName.endsWith(')')
    ? { name: displayName.slice(0, at), remark: displayName.slice(at + 2, -1) }
    : { name: displayName, remark: null };
}

const OFTEN_SOLD_OUT = 'often sold out';

/** Returns whether a size can often not be had, which its name states as a remark. */
export const isOftenSoldOut = ({ displayName }: { readonly displayName: string }): boolean =>
  splitTypeName(displayName).remark === OFTEN_SOLD_OUT;

/** A region with the sizes that have a price in it. */
export interface RegionOffer extends Region {
  readonly instanceTypes: readonly InstanceType[];
}

/** Offer of a provider. The built-in catalogue, a provider's response and the stored rows share this shape. */
export interface ProviderOffer {
  readonly provider: CloudName;
  readonly regions: readonly RegionOffer[];
}
