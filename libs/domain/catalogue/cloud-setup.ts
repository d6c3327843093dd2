import type { ServerType } from '../deployment/server-type';
import type { Cidr } from '../servers/address';
import { isSimulatedOwnServer, SIMULATED_OWN_SERVERS } from '../servers/simulated-servers';
import { CLOUD_NAMES, type CloudName, isCloudName } from './providers';
import { type Margin, NO_MARGIN } from './selling-price';

/**
 * `live` orders real servers, which cost money. `simulated` uses servers of the sandbox. `off` means that this
 * installation does not contact the provider.
 */
export const PROVIDER_MODES = ['live', 'simulated', 'off'] as const;
export type ProviderMode = (typeof PROVIDER_MODES)[number];

/** Modes and margins of the providers of an installation (decision 53). */
export interface CloudSetup {
  readonly modes: Readonly<Record<CloudName, ProviderMode>>;
  /** Margins on the prices of live providers. A provider without an entry has no margin. */
  readonly margins: Readonly<Partial<Record<CloudName, Margin>>>;
}

/**
 * Creates the setup of an installation. A provider not listed in `chosen` is simulated in a sandbox and live otherwise.
 */
export function cloudSetup({
  sandbox,
  chosen,
  margins = {},
}: {
  sandbox: boolean;
  chosen: Readonly<Partial<Record<CloudName, ProviderMode | undefined>>>;
  margins?: CloudSetup['margins'];
}): CloudSetup {
  const usual: ProviderMode = sandbox ? 'simulated' : 'live';
  const modes = Object.fromEntries(CLOUD_NAMES.map((name) => [name, chosen[name] ?? usual]));
  return { modes: modes as Record<CloudName, ProviderMode>, margins };
}

/** Returns the mode of a provider. Null and unknown names are `off`. */
export function providerMode({ modes }: CloudSetup, provider: string | null): ProviderMode {
  return isCloudName(provider) ? modes[provider] : 'off';
}

/** Returns the margin of a provider, which is zero unless it is live. */
export const marginAt = (setup: CloudSetup, provider: CloudName): Margin =>
  (setup.modes[provider] === 'live' ? setup.margins[provider] : undefined) ?? NO_MARGIN;

/**
 * Returns the providers that accept orders for new servers. These are the simulated providers, and the live providers
 * in `proven`. Their credentials have been verified for the confirmed project.
 */
export const offeredProviders = (setup: CloudSetup, proven: readonly CloudName[]): readonly CloudName[] =>
  CLOUD_NAMES.filter((name) => {
    const mode = providerMode(setup, name);
    return mode === 'simulated' || (mode === 'live' && proven.includes(name));
  });

/**
 * Returns whether a deployment's server is simulated. A customer's own server is only where all providers are, and only
 * with an address of the range for such servers.
 */
export function isSimulated(
  setup: CloudSetup,
  place: {
    readonly server_type: ServerType;
    readonly cloud_provider: string | null;
    readonly vps_ip_address?: string | null;
  },
): boolean {
  if (place.server_type === 'new') return providerMode(setup, place.cloud_provider) === 'simulated';
  return cloudMix(setup) === 'sandbox' && isSimulatedOwnServer(place.vps_ip_address);
}

/** Returns the ranges of addresses that are accepted as simulated own servers. */
export const simulatedOwnServers = (setup: CloudSetup): readonly Cidr[] =>
  cloudMix(setup) === 'sandbox' ? [SIMULATED_OWN_SERVERS] : [];

/** Returns whether any provider is simulated. If so, the sandbox resolves its addresses, names and certificates. */
export const hasSandbox = ({ modes }: CloudSetup): boolean => Object.values(modes).includes('simulated');

/**
 * Mix of modes. `sandbox` means that all providers in use are simulated, `live` that none is, and `mixed` that it
 * depends on the provider.
 */
export const CLOUD_MIXES = ['sandbox', 'mixed', 'live'] as const;
export type CloudMix = (typeof CLOUD_MIXES)[number];

/** Returns the mix of the providers that are not off. */
export function cloudMix({ modes }: CloudSetup): CloudMix {
  const run = Object.values(modes).filter((mode) => mode !== 'off');
  const simulated = run.filter((mode) => mode === 'simulated');
  if (simulated.length === 0) return 'live';
  return simulated.length === run.length ? 'sandbox' : 'mixed';
}
