import type { Message } from '../messages/message';
import { RESIZE_MESSAGES } from '../messages/resize';
import { type PackageNeeds, unfitReason } from './fits';
import type { InstanceType } from './offer';
import { type CloudName, isCloudName, providerName } from './providers';

/** How a provider changes the size of an existing server. */
export interface ResizeRules {
  /** Whether a server can get a smaller size in place. */
  readonly canShrink: boolean;
  /**
   * What happens to the disk. `optional` grows only on request, and only a server whose disk did not grow can
   * get its previous size again. `always` grows with every larger size. `separate` is a volume that keeps its size.
   */
  readonly disk: 'optional' | 'always' | 'separate';
  /** Whether the server may have another public address afterwards. */
  readonly changesAddress: boolean;
  /** Matches sizes with Arm processors, which no server with an x86 disk can get. Null if the provider has none. */
  readonly arm: RegExp | null;
}

/**
 * Resizing as documented by each provider, and as configured by our adapters.
 *
 * - AWS: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-resize.html. Our servers have no Elastic IP
 *   address, so a stop releases the address.
 * - Azure: https://learn.microsoft.com/azure/virtual-machines/sizes/resize-vm. Our addresses are static.
 * - Google Cloud: https://cloud.google.com/compute/docs/instances/changing-machine-type-of-stopped-instance. Our
 *   addresses are ephemeral, so a stop releases them.
 * - DigitalOcean: https://docs.digitalocean.com/products/droplets/how-to/resize.
 * - Hetzner: https://docs.hetzner.cloud/reference/cloud#server-actions-change-the-type-of-a-server.
 * - Linode: https://techdocs.akamai.com/linode-api/reference/post-resize-linode-instance.
 * - Vultr: https://docs.vultr.com/products/compute/cloud-compute/management/how-to-upgrade-a-vultr-cloud-compute-instance.
 */
export const RESIZING: Readonly<Record<CloudName, ResizeRules>> = {
  aws: { canShrink: true, disk: 'separate', changesAddress: true, arm: /^[a-z]+\d+g[a-z]*\./ },
  azure: { canShrink: true, disk: 'separate', changesAddress: false, arm: /^Standard_[A-Z]+\d+p/ },
  gcp: { canShrink: true, disk: 'separate', changesAddress: true, arm: /^(t2a|c4a|n4a)-/ },
  digitalocean: { canShrink: true, disk: 'optional', changesAddress: false, arm: null },
  hetzner: { canShrink: true, disk: 'optional', changesAddress: false, arm: /^cax/ },
  linode: { canShrink: true, disk: 'optional', changesAddress: false, arm: null },
  vultr: { canShrink: false, disk: 'always', changesAddress: false, arm: null },
};

/** Returns the rules of a provider, or null for customers' own servers. */
export const resizeRules = (provider: string): ResizeRules | null =>
  isCloudName(provider) ? RESIZING[provider] : null;

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
