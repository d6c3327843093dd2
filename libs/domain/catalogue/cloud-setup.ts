import type { ServerType } from '../deployment/server-type';
import { CLOUD_NAMES, type CloudName, isCloudName } from './providers';
import { type Margin, NO_MARGIN } from './selling-price';

/** `live`: real servers for real money. `simulated`: servers of the sandbox. `off`: this installation does not talk to it. */
export const PROVIDER_MODES = ['live', 'simulated', 'off'] as const;
export type ProviderMode = (typeof PROVIDER_MODES)[number];

/** How an installation runs its providers (decisions 53). */
export interface CloudSetup {
  readonly modes: Readonly<Record<CloudName, ProviderMode>>;
  /** What is added to the prices of a live provider; none where there is no entry. */
  readonly margins: Readonly<Partial<Record<CloudName, Margin>>>;
}

/** `chosen` where it names the provider; else simulated in a sandbox, and live without one. */
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

/** The one answer to how a provider is run here. A name that no provider has, and none at all, are `off`. */
export function providerMode({ modes }: CloudSetup, provider: string | null): ProviderMode {
  return isCloudName(provider) ? modes[provider] : 'off';
}

/** What is added to this provider's prices; nothing where it is simulated. */
export const marginAt = (setup: CloudSetup, provider: CloudName): Margin =>
  (setup.modes[provider] === 'live' ? setup.margins[provider] : undefined) ?? NO_MARGIN;

/**
 * Where new servers can be ordered: at the simulated providers, and at the live ones that are `proven`: their credentials
 * have shown our project, and still do.
 */
export const offeredProviders = (setup: CloudSetup, proven: readonly CloudName[]): readonly CloudName[] =>
  CLOUD_NAMES.filter((name) => {
    const mode = providerMode(setup, name);
    return mode === 'simulated' || (mode === 'live' && proven.includes(name));
  });

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

/** What the providers that are not off have in common. */
export function cloudMix({ modes }: CloudSetup): CloudMix {
  const run = Object.values(modes).filter((mode) => mode !== 'off');
  const simulated = run.filter((mode) => mode === 'simulated');
  if (simulated.length === 0) return 'live';
  return simulated.length === run.length ? 'sandbox' : 'mixed';
}
