import { Module } from '@nestjs/common';
import { BackupPolicyModule } from '../backup-policy/backup-policy.module';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { CancelDeployment } from './cancel-deployment.use-case';
import { ChangeConfiguration } from './change-configuration.use-case';
import { ChangeDomain } from './change-domain.use-case';
import { CreateDeployment } from './create-deployment.use-case';
import { DeleteDeployment } from './delete-deployment.use-case';
import { DeploymentActs } from './deployment-acts.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { DeploymentDetails } from './deployment-details.service';
import { DeploymentsController } from './deployments.controller';
import { HandOverDeployment } from './hand-over-deployment.use-case';
import { ListDeployments } from './list-deployments.use-case';
import { OrderAgain } from './order-again.use-case';
import { PlaceOrder } from './place-order.use-case';
import { PlatformNames } from './platform-names.service';
import { ReadAlternatives } from './read-alternatives.use-case';
import { ReadDeployment } from './read-deployment.use-case';
import { ReadDnsRecords } from './read-dns-records.use-case';
import { ReadProgress } from './read-progress.use-case';
import { ReopenDeployment } from './reopen-deployment.use-case';
import { RepairDeployment } from './repair-deployment.use-case';
import { ResizeDeployment } from './resize-deployment.use-case';
import { RestoreDeleted } from './restore-deleted.use-case';
import { RetryDeployment } from './retry-deployment.use-case';
import { PackageCredentials } from './package-credentials.service';
import { StopDeployment } from './stop-deployment.use-case';
import { SupportLevels } from './support-levels.service';
import { UnpaidEndings } from './unpaid-endings.service';
import { UsualDurations } from './usual-durations.service';

/** Ordering, monitoring, changing and deleting deployments. */
@Module({
  imports: [BackupPolicyModule, CatalogueModule],
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
    PlatformNames,
    PlaceOrder,
    CreateDeployment,
    ReadAlternatives,
    RetryDeployment,
    DeleteDeployment,
    CancelDeployment,
    HandOverDeployment,
    StopDeployment,
    ChangeConfiguration,
    ChangeDomain,
    DeploymentDetails,
    RepairDeployment,
    ReopenDeployment,
    RestoreDeleted,
    SupportLevels,
    ResizeDeployment,
    UnpaidEndings,
  ],
  exports: [
    DeploymentActs,
    DeploymentAnswers,
    OrderAgain,
    PlaceOrder,
    PlatformNames,
    ReadProgress,
    PackageCredentials,
    StopDeployment,
    UsualDurations,
  ],
})
export class DeploymentsModule {}
