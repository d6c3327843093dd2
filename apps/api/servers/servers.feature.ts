import type { Packages } from '../catalogue/packages';
import type { ApiDeps, Feature } from '../feature';
import { SERVERS_SERVICE, ServersController, VPS_CHECKS } from './servers.controller';
import { createServersService } from './servers.service';
import { createUserKeys } from './user-key';
import { createVpsChecks } from './vps-checks';

/** Servers of deployments, and the way onto a user's own server. */
export function createServersFeature(
  { db, clock, random, work, secrets, settings }: ApiDeps,
  { packages }: { packages: Packages },
): Feature {
  const userKeys = createUserKeys({ random, secrets });
  return {
    controllers: [ServersController],
    providers: [
      {
        provide: SERVERS_SERVICE,
        useValue: createServersService({ db, packages, userKeys, sandbox: settings.clouds.mode === 'sandbox' }),
      },
      {
        provide: VPS_CHECKS,
        useValue: createVpsChecks({ db, clock, work, userKeys, allowedCidrs: settings.vpsAllowedCidrs }),
      },
    ],
  };
}
