import { Module } from '@nestjs/common';
import { BackupPolicyModule } from '../backup-policy/backup-policy.module';
import { DeploymentsModule } from '../deployments/deployments.module';
import { BackupBucket } from './backup-bucket.service';
import { BackupBucketController } from './backup-bucket.controller';

/** The customer's bucket to which backups are copied. The provisioner checks it and copies. */
@Module({
  imports: [BackupPolicyModule, DeploymentsModule],
  controllers: [BackupBucketController],
  providers: [BackupBucket],
})
export class BackupBucketModule {}
