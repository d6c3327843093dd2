import type { Catalogue } from '@moorage/domain';
import type { Packages } from '../catalogue/packages';
import type { ApiDeps, Feature } from '../feature';
import type { Idempotency } from '../http/idempotency';
import { CreateDeployment } from './create-deployment';
import { DeleteDeployment } from './delete-deployment';
import { DeploymentAnswers } from './deployment-answers';
import { DeploymentsController } from './deployments.controller';
import { ReadDnsRecords } from './dns-records';
import { ListDeployments } from './list-deployments';
import { ReadProgress } from './progress';
import { ReadDeployment } from './read-deployment';
import { ReopenDeployment } from './reopen-deployment';
import { RepairDeployment } from './repair-deployment';
import { SupportLevels } from './support-level';
import { UsualDurations } from './usual-durations';

/** Ordering, watching, changing and deleting deployments. */
export function createDeploymentsFeature(
  deps: ApiDeps,
  { packages, catalogue, idempotency }: { packages: Packages; catalogue: Catalogue; idempotency: Idempotency },
): Feature {
  const { db, clock, random, outbox, ledger, deployments, secrets, settings } = deps;
  const answers = new DeploymentAnswers(settings);
  const services = [
    new ListDeployments(db, answers),
    new ReadDeployment(db, clock, secrets, answers),
    new ReadProgress(db, clock, new UsualDurations(clock)),
    new ReadDnsRecords(db, clock, packages),
    new CreateDeployment(random, outbox, ledger, secrets, packages, catalogue, idempotency, settings, answers),
    new DeleteDeployment(outbox, ledger, deployments, secrets, idempotency),
    new RepairDeployment(db, clock, outbox, deployments, answers),
    new ReopenDeployment(ledger, deployments, idempotency, answers),
    new SupportLevels(db, clock, outbox, ledger, deployments, idempotency, answers),
  ];
  return {
    controllers: [DeploymentsController],
    providers: services.map((service) => ({ provide: service.constructor, useValue: service })),
  };
}
