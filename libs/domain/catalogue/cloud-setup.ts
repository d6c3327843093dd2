import type { ServerType } from '../deployment/server-type';
import { CLOUD_NAMES, type CloudName, isCloudName } from './providers';

/** `live`: real servers for real money. `simulated`: servers of the sandbox. `off`: this installation does not talk to it. */
export const PROVIDER_MODES = ['live', 'simulated', 'off'] as const;
export type ProviderMode = (typeof PROVIDER_MODES)[number];

/** How an installation runs its providers (decisions 53). */
export interface CloudSetup {
  readonly modes: Readonly<Record<CloudName, ProviderMode>>;
  /** Providers that it has credentials for: a live one without is not offered. */
  readonly withCredentials: readonly CloudName[];
}

/** `chosen` where it names the provider; else simulated in a sandbox, and without one live where there are credentials. */
export function cloudSetup({
  sandbox,
  chosen,
  withCredentials,
}: {
  sandbox: boolean;
  chosen: Readonly<Partial<Record<CloudName, ProviderMode | undefined>>>;
  withCredentials: readonly CloudName[];
}): CloudSetup {
  const usual = (name: CloudName): ProviderMode =>
    sandbox ? 'simulated' : withCredentials.includes(name) ? 'live' : 'off';
  const modes = Object.fromEntries(CLOUD_NAMES.map((name) => [name, chosen[name] ?? usual(name)]));
  return { modes: modes as Record<CloudName, ProviderMode>, withCredentials };
}

/** The one answer to how a provider is run here. A name that no provider has, and none at all, are `off`. */
export function providerMode({ modes }: CloudSetup, provider: string | null): ProviderMode {
  return isCloudName(provider) ? modes[provider] : 'off';
}

/** Can new servers be ordered there? */
export function isOffered(setup: CloudSetup, provider: CloudName): boolean {
  const mode = providerMode(setup, provider);
  return mode === 'simulated' || (mode === 'live' && setup.withCredentials.includes(provider));
}

export const offeredProviders = (setup: CloudSetup): readonly CloudName[] =>
  CLOUD_NAMES.filter((name) => isOffered(setup, name));

/** Is the server of such a deployment simulated? A server of the user's own never is. */
export function isSimulated(
  setup: CloudSetup,
  place: { readonly server_type: ServerType; readonly cloud_provider: string | null },
): boolean {
  return place.server_type === 'new' && providerMode(setup, place.cloud_provider) === 'simulated';
}

/** Is any provider simulated? Then the sandbox answers for its addresses, names and certificates. */
export const hasSandbox = ({ modes }: CloudSetup): boolean => Object.values(modes).includes('simulated');

/** `sandbox`: every new server is simulated. `mixed`: it depends on the provider. `live`: none is. */
export const CLOUD_MIXES = ['sandbox', 'mixed', 'live'] as const;
export type CloudMix = (typeof CLOUD_MIXES)[number];

/** What the providers that are offered have in common. */
export function cloudMix(setup: CloudSetup): CloudMix {
  const offered = offeredProviders(setup);
  const simulated = offered.filter((name) => providerMode(setup, name) === 'simulated');
  if (simulated.length === 0) return 'live';
  return simulated.length === offered.length ? 'sandbox' : 'mixed';
}
