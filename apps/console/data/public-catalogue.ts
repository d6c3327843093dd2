import type { CloudProviderAnswer, PackageAnswer } from '@moorage/contracts';
import { api } from './api';

/** Loads the packages with their lowest daily price, where the catalogue knows it. */
export const loadPackages = (signal: AbortSignal): Promise<readonly PackageAnswer[]> =>
  api('GET /deployments/packages', { signal });

/** Loads the live providers whose own prices are currently unavailable. */
export const loadOldPrices = async (signal: AbortSignal): Promise<readonly CloudProviderAnswer[]> =>
  (await api('GET /deployments/cloud-providers', { signal })).filter(
    ({ simulated, prices }) => !simulated && prices === 'built_in',
  );

interface Named {
  readonly name: string;
  readonly display_name: string;
}

export interface ExampleServer {
  readonly cpu: number;
  readonly memory: number;
  readonly region: string;
  /** Currency units. */
  readonly hourly: number;
}

const EXAMPLE = { provider: 'hetzner', region: 'fsn1', size: 'cpx22', cpu: 2, memory: 4 };

/**
 * Loads a familiar size at a real price of the catalogue. Falls back to the first provider, region and size offered.
 */
export async function loadExampleServer(signal: AbortSignal): Promise<ExampleServer | null> {
  const pick = <T extends Named>(offered: readonly T[], usual: string): T | undefined =>
    offered.find(({ name }) => name === usual) ?? offered[0];
  const provider = pick(await api('GET /deployments/cloud-providers', { signal }), EXAMPLE.provider);
  if (provider === undefined) return null;
  const region = pick(
    await api('GET /deployments/regions/{provider}', { params: { provider: provider.name }, signal }),
    EXAMPLE.region,
  );
  if (region === undefined) return null;
  const sizes = await api('GET /deployments/instance-types/{provider}/{region}', {
    params: { provider: provider.name, region: region.name },
    signal,
  });
  const large = sizes.filter(
    ({ cpu, memory, available }) => available && cpu >= EXAMPLE.cpu && memory >= EXAMPLE.memory,
  );
  const size = pick(
    large.sort((a, b) => a.hourly_cost - b.hourly_cost),
    EXAMPLE.size,
  );
  if (size === undefined) return null;
  return { cpu: size.cpu, memory: size.memory, region: region.display_name, hourly: size.hourly_cost };
}
