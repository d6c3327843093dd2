import type { Packages } from '../catalogue/packages';
import type { ApiDeps, Feature } from '../feature';
import { ServersController } from './servers.controller';
import { ServersService } from './servers.service';
import { UserKeys } from './user-keys';
import { VpsChecks } from './vps-checks';

/** Servers of deployments, and access to users' own servers. */
export function createServersFeature(
  { db, clock, random, work, secrets, settings }: ApiDeps,
  { packages }: { packages: Packages },
): Feature {
  const userKeys = new UserKeys(random, secrets);
  return {
    controllers: [ServersController],
    providers: [
      { provide: ServersService, useValue: new ServersService(db, packages, userKeys, settings) },
      { provide: VpsChecks, useValue: new VpsChecks(db, clock, work, userKeys, settings) },
    ],
  };
}
