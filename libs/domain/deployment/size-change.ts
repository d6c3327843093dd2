import { diskAfterResize, refusalToResize, type ResizeRequest, resizeRules } from '../catalogue/resizing';
import type { InstanceType } from '../catalogue/offer';

export interface SizeChange extends Omit<ResizeRequest, 'from'> {
  /** Current size, or null if it is no longer offered. */
  readonly from: InstanceType | null;
  readonly growDisk: boolean;
}

export interface SizeChangeEffect {
  /** Disk afterwards in GB, or null if unknown. */
  readonly diskGb: number | null;
  readonly addressMayChange: boolean;
  /** The server can get its current size again. */
  readonly wayBack: boolean;
}

/** Returns the effects of another size besides its price. The size is not refused (`refusalToResize`). */
export function effectOfSize({ from, growDisk: grow, ...request }: SizeChange): SizeChangeEffect {
  const { provider, to } = request;
  const diskGb = diskAfterResize({ ...request, grow });
  const back = from === null ? null : { ...request, from: to, to: { ...from, available: true }, diskGb };
  return {
    diskGb,
    addressMayChange: resizeRules(provider)?.changesAddress === true,
    wayBack: back !== null && refusalToResize(back) === null,
  };
}
