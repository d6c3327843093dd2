import type { Cidr } from '@moorage/domain';

/** Settings of an installation, a test or a simulation for the provisioner. */
export abstract class ProvisionerOptions {
  /** Non-public address ranges that are allowed for users' own servers, such as those of a lab. */
  abstract readonly vpsAllowedCidrs: readonly Cidr[];
  abstract readonly vpsSshPort: number;
  /** URL that new servers call, completed with the provider's name. Null if they could not reach it safely. */
  abstract readonly callbacksUrl: string | null;
  abstract readonly acmeDirectoryUrl: string;
  /** `off` is for labs without access to router plugins. */
  abstract readonly traefikPlugins: 'on' | 'off';
  /** Oldest accepted Docker Engine, such as `20.10`. Replaces the requirement of a package in labs. */
  abstract readonly dockerMinimum?: string | undefined;
  /** Returns whether servers of this provider are real. Their project must be confirmed before the first server. */
  abstract readonly isLive: (provider: string) => boolean;
}
