import { type Catalogue, Money } from '@moorage/domain';
import type { Packages } from '../catalogue/packages';
import type { ApiDeps, Feature } from '../feature';
import type { Idempotency } from '../http/idempotency';
import { createCreateDeployment } from './create-deployment';
import { createDeleteDeployment } from './delete-deployment';
import {
  createAccountExists,
  DEPLOYMENTS,
  DeploymentsController,
  type DeploymentsServices,
} from './deployments.controller';
import { createCountDeployments, createListDeployments } from './list-deployments';
import { createReadDns } from './dns-records';
import { createReadProgress } from './progress';
import { createReadDeployment } from './read-deployment';
import { createReopenDeployment } from './reopen-deployment';
import { createRepairDeployment } from './repair-deployment';
import { createSupportLevels } from './support-level';
import { createUsualDurations } from './usual-durations';

/** Ordering, watching, changing and giving up deployments. */
export function createDeploymentsFeature(
  deps: ApiDeps,
  { packages, catalogue, idempotency }: { packages: Packages; catalogue: Catalogue; idempotency: Idempotency },
): Feature {
  const { db, clock, settings } = deps;
  const sandbox = settings.clouds.mode === 'sandbox';
  const services: DeploymentsServices = {
    list: createListDeployments({ db, sandbox }),
    count: createCountDeployments({ db }),
    accountExists: createAccountExists(db),
    read: createReadDeployment({ ...deps, sandbox }),
    progress: createReadProgress({ db, clock, usual: createUsualDurations({ clock }) }),
    dns: createReadDns({ db, clock, packages }),
    create: createCreateDeployment({
      ...deps,
      packages,
      catalogue,
      idempotency,
      sandbox,
      allowedCidrs: settings.vpsAllowedCidrs,
      creditOnlyMaxHourly: Money.of(settings.creditOnlyMaxHourly),
    }),
    remove: createDeleteDeployment({ ...deps, idempotency }),
    repair: createRepairDeployment({ ...deps, sandbox }),
    reopen: createReopenDeployment({ ...deps, idempotency, sandbox }),
    levels: createSupportLevels({ ...deps, idempotency, sandbox }),
  };
  return {
    controllers: [DeploymentsController],
    providers: [{ provide: DEPLOYMENTS, useValue: services }],
  };
}
