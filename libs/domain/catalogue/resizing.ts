import type { Message } from '../messages/message';
import { RESIZE_MESSAGES } from '../messages/resize';
import { type PackageNeeds, unfitReason } from './fits';
import type { InstanceType } from './offer';
import type { ResizeRules } from './provider-descriptor';
import { descriptorOf, isCloudName, providerName } from './providers';

/** Returns the rules of a provider, or null for customers' own servers. */
export const resizeRules = (provider: string): ResizeRules | null =>
  isCloudName(provider) ? descriptorOf(provider).resizing : null;

export interface ResizeRequest {
  readonly provider: string;
  readonly from: Pick<InstanceType, 'name' | 'cpu' | 'memoryGb'>;
  readonly to: InstanceType;
  /**
   * Current size of the server's disk in GB, or null if unknown. That is the disk of its first size unless the disk has
   * grown since.
   */
  readonly diskGb: number | null;
  readonly package: { readonly name: string; readonly needs: PackageNeeds };
}

/** Returns why a server can't get this size in place, or null if it can. */
export function refusalToResize({
  provider,
  from,
  to,
  diskGb,
  package: { name, needs },
}: ResizeRequest): Message | null {
  const rules = resizeRules(provider);
  if (rules === null) return RESIZE_MESSAGES.own_server;
  const size = to.displayName;
  if (to.name === from.name) return RESIZE_MESSAGES.same_size;
  const unfit = unfitReason(to, { needs, name });
  if (unfit !== null) return unfit;
  if (isArm(rules, from.name) !== isArm(rules, to.name)) return RESIZE_MESSAGES.other_architecture({ size });
  if (rules.disk !== 'separate' && diskGb !== null && to.diskGb !== undefined && to.diskGb < diskGb)
    return RESIZE_MESSAGES.smaller_disk({ disk: diskGb, size_disk: to.diskGb, size });
  if (!rules.canShrink && (to.cpu < from.cpu || to.memoryGb < from.memoryGb))
    return RESIZE_MESSAGES.only_larger({ provider: providerName(provider) });
  return to.available ? null : RESIZE_MESSAGES.sold_out({ size });
}

const isArm = ({ arm }: ResizeRules, size: string): boolean => arm?.test(size) === true;

/** Returns the disk in GB after a resize, or null if unknown. `grow` matters only where the disk grows on request. */
export function diskAfterResize({
  provider,
  to,
  diskGb,
  grow,
}: Pick<ResizeRequest, 'provider' | 'to' | 'diskGb'> & { readonly grow: boolean }): number | null {
  const disk = resizeRules(provider)?.disk ?? 'separate';
  if (disk === 'separate' || (disk === 'optional' && !grow)) return diskGb;
  return to.diskGb ?? diskGb;
}
