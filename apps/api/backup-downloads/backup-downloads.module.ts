import { Module } from '@nestjs/common';
import { DeploymentsModule } from '../deployments/deployments.module';
import { BackupDownloads } from './backup-downloads.service';
import { BackupDownloadsController } from './backup-downloads.controller';

/** Backup archives for their owners. */
@Module({
  imports: [DeploymentsModule],
  controllers: [BackupDownloadsController],
  providers: [BackupDownloads],
})
export class BackupDownloadsModule {}
