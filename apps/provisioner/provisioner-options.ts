import type { Cidr } from '@moorage/domain';

/** What an installation, a test or a simulation decides about the provisioner. */
export abstract class ProvisionerOptions {
  /** Ranges that users' own servers may have although they are not public: those of a lab. */
  abstract readonly vpsAllowedCidrs: readonly Cidr[];
  abstract readonly vpsSshPort: number;
  /** The address that new servers call, to which the provider's name is added; null: none that they could reach safely. */
  abstract readonly callbacksUrl: string | null;
  abstract readonly acmeDirectoryUrl: string;
  /** `off`: a lab whose servers cannot fetch router plugins. */
  abstract readonly traefikPlugins: 'on' | 'off';
  /** `20.10`: the oldest Docker Engine that will do, in place of what a package asks for: a lab. */
  abstract readonly dockerMinimum?: string | undefined;
  /** Returns whether servers of this provider are real. Their project must be confirmed before the first one. */
  abstract readonly isLive: (provider: string) => boolean;
}
