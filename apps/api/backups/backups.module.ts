import { Module } from '@nestjs/common';
import { BackupPolicyModule } from '../backup-policy/backup-policy.module';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { DeploymentsModule } from '../deployments/deployments.module';
import { BackupsController } from './backups.controller';
import { DeployCopy } from './deploy-copy.use-case';
import { ReadBackups } from './read-backups.use-case';
import { RequestBackup } from './request-backup.use-case';
import { RestoreBackup } from './restore-backup.use-case';

/** Backups of deployments: their list and the requests of users. The provisioner creates and restores them. */
@Module({
  imports: [BackupPolicyModule, CatalogueModule, DeploymentsModule],
  controllers: [BackupsController],
  providers: [ReadBackups, RequestBackup, RestoreBackup, DeployCopy],
})
export class BackupsModule {}
