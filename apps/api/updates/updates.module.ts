import { Module } from '@nestjs/common';
import { BackupPolicyModule } from '../backup-policy/backup-policy.module';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { DeploymentsModule } from '../deployments/deployments.module';
import { AutomaticUpdates } from './automatic-updates.service';
import { DueSettings } from './due-settings.service';
import { ChangeUpdateSettings } from './change-update-settings.use-case';
import { ReadUpdates } from './read-updates.use-case';
import { ReleaseRollouts } from './release-rollouts.service';
import { RebootServer } from './reboot-server.use-case';
import { UpdateDeployment } from './update-deployment.use-case';
import { UpdatesController } from './updates.controller';
import { UpdatesSchedule } from './updates.schedule';
import { VersionMails } from './version-mails.service';

/** Updates of deployments to newer releases of their packages. The provisioner carries them out. */
@Module({
  imports: [BackupPolicyModule, CatalogueModule, DeploymentsModule],
  controllers: [UpdatesController],
  providers: [
    ReadUpdates,
    UpdateDeployment,
    RebootServer,
    ChangeUpdateSettings,
    ReleaseRollouts,
    DueSettings,
    AutomaticUpdates,
    VersionMails,
    UpdatesSchedule,
  ],
})
export class UpdatesModule {}
