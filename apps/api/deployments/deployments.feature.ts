import { type Catalogue, HOUR_MS, Money } from '@moorage/domain';
import type { Packages } from '../catalogue/packages';
import type { ApiDeps, Feature } from '../feature';
import { cidrsOf } from '../servers/servers.feature';
import { createCreateDeployment } from './create-deployment';
import { createDeleteDeployment } from './delete-deployment';
import {
  createAccountExists,
  DEPLOYMENTS,
  DeploymentsController,
  type DeploymentsServices,
} from './deployments.controller';
import { createCountDeployments, createListDeployments } from './list-deployments';
import { createOrders } from './orders';
import { createReadDns } from './dns-records';
import { createReadProgress } from './progress';
import { createReadDeployment } from './read-deployment';
import { createRepairDeployment } from './repair-deployment';
import { createSupportLevels } from './support-level';
import { createUsualDurations } from './usual-durations';

/** Ordering, watching, changing and giving up deployments. */
export function createDeploymentsFeature(
  deps: ApiDeps,
  { packages, catalogue }: { packages: Packages; catalogue: Catalogue },
): Feature {
  const { db, clock, log, settings } = deps;
  const sandbox = settings.clouds.mode === 'sandbox';
  const orders = createOrders({ db, clock, secret: settings.jwtSecret });
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
      orders,
      sandbox,
      allowedCidrs: cidrsOf(settings.vpsAllowedCidrs),
      creditOnlyMaxHourly: Money.of(settings.creditOnlyMaxHourly),
    }),
    remove: createDeleteDeployment(deps),
    repair: createRepairDeployment({ ...deps, sandbox }),
    levels: createSupportLevels({ ...deps, sandbox }),
  };
  return {
    controllers: [DeploymentsController],
    providers: [{ provide: DEPLOYMENTS, useValue: services }],
    start: () =>
      Promise.resolve(
        clock.every(HOUR_MS, orders.clean, (error) =>
          log.error('old orders were not cleaned', { error: error as Error }),
        ),
      ),
  };
}
