import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { CancelDeployment } from './cancel-deployment';
import { ChangeDomain } from './change-domain';
import { CreateDeployment } from './create-deployment';
import { DeleteDeployment } from './delete-deployment';
import { DeploymentActs } from './deployment-acts';
import { DeploymentAnswers } from './deployment-answers';
import { DeploymentDetails } from './deployment-details';
import { DeploymentsController } from './deployments.controller';
import { ListDeployments } from './list-deployments';
import { OrderAgain } from './order-again';
import { PlaceOrder } from './place-order';
import { ReadAlternatives } from './read-alternatives';
import { ReadDeployment } from './read-deployment';
import { ReadDnsRecords } from './read-dns-records';
import { ReadProgress } from './read-progress';
import { ReopenDeployment } from './reopen-deployment';
import { RepairDeployment } from './repair-deployment';
import { RetryDeployment } from './retry-deployment';
import { PackageCredentials } from './sign-ins';
import { StopDeployment } from './stop-deployment';
import { SupportLevels } from './support-levels';
import { UnpaidEndings } from './unpaid-endings';
import { UsualDurations } from './usual-durations';

/** Ordering, monitoring, changing and deleting deployments. */
@Module({
  imports: [AuthModule, CatalogueModule],
  controllers: [DeploymentsController],
  providers: [
    DeploymentActs,
    DeploymentAnswers,
    PackageCredentials,
    ListDeployments,
    ReadDeployment,
    ReadProgress,
    ReadDnsRecords,
    UsualDurations,
    OrderAgain,
    PlaceOrder,
    CreateDeployment,
    ReadAlternatives,
    RetryDeployment,
    DeleteDeployment,
    CancelDeployment,
    StopDeployment,
    ChangeDomain,
    DeploymentDetails,
    RepairDeployment,
    ReopenDeployment,
    SupportLevels,
    UnpaidEndings,
  ],
  exports: [DeploymentActs, DeploymentAnswers, OrderAgain, PlaceOrder, ReadProgress, PackageCredentials],
})
export class DeploymentsModule {}
