import { builtInCatalogue } from '@moorage/domain';
import type { Clock, Db } from '@moorage/server';
import type { Dial } from '../../ssh/types';
import { type CloudCatalogue, CLOUD_NAMES, type CloudName, type Clouds } from '../cloud';
import { createSandboxAuthority, type SandboxAuthority } from './authority';
import { type FaultMode, plantFault, type SandboxCall } from './faults';
import { createHosts } from './host-state';
import { createSandboxNames, type SandboxNames } from './names';
import { createSandboxNetwork } from './network';
import { createSandboxCloud } from './sandbox.cloud';

/**
 * The sandbox (decisions 33): one simulated cloud behind all seven names, whose servers are real SSH servers on loopback with
 * a simulated docker, a DNS and an authority of their own. Everything it knows is in the database, so several processes share
 * it and a killed one loses nothing.
 */
export interface Sandbox {
  readonly clouds: Clouds;
  readonly dial: Dial;
  readonly names: SandboxNames;
  readonly authority: SandboxAuthority;
  /** The next `times` calls of this kind go wrong so; `any`: at every provider. */
  fault(provider: CloudName | 'any', call: SandboxCall, mode: FaultMode, times: number): Promise<void>;
  close(): Promise<void>;
}

const BOOT_MS = 400;

export function createSandbox({ db, clock, boot_ms = BOOT_MS }: { db: Db; clock: Clock; boot_ms?: number }): Sandbox {
  const hosts = createHosts({ db, now: (tx) => clock.now(tx) });
  const names = createSandboxNames({ db, clock });
  const authority = createSandboxAuthority({ db, clock });
  const network = createSandboxNetwork({ hosts, names, authority });
  const cloud = (name: CloudName) => createSandboxCloud(name, { db, clock, boot_ms, catalogue: sandboxCatalogue });
  return {
    clouds: Object.fromEntries(CLOUD_NAMES.map((name) => [name, cloud(name)])) as unknown as Clouds,
    dial: network.dial,
    names,
    authority,
    fault: (provider, call, mode, times) => plantFault(db, { provider, call, mode, times }),
    close: network.close,
  };
}

function sandboxCatalogue(name: CloudName): CloudCatalogue {
  const catalogue = builtInCatalogue();
  const regions = catalogue.regions(name) ?? [];
  return {
    regions: regions.map((region) => ({
      name: region.name,
      display_name: region.displayName,
      country_code: region.countryCode,
    })),
    instance_types: regions.flatMap((region) =>
      (catalogue.instanceTypes(name, region.name) ?? []).map((type) => ({
        region: region.name,
        name: type.name,
        display_name: type.displayName,
        cpu: type.cpu,
        memory_gb: type.memoryGb,
        hourly_micros: type.hourlyCost.micros,
      })),
    ),
  };
}
