import { Module } from '@nestjs/common';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { DeploymentsModule } from '../deployments/deployments.module';
import { BackupPromises } from './backup-modes';
import { BackupsController } from './backups.controller';
import { DeployCopy } from './deploy-copy';
import { ReadBackups } from './read-backups';
import { RequestBackup } from './request-backup';
import { RestoreBackup } from './restore-backup';

/** Backups of deployments: their list and the requests of users. The provisioner creates and restores them. */
@Module({
  imports: [CatalogueModule, DeploymentsModule],
  controllers: [BackupsController],
  providers: [BackupPromises, ReadBackups, RequestBackup, RestoreBackup, DeployCopy],
  exports: [BackupPromises],
})
export class BackupsModule {}
