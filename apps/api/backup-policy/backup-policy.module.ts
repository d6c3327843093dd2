import { Module } from '@nestjs/common';
import { BackupPromises } from './backup-promises.policy';

/** Imported by every feature that needs to know whether and how a deployment is backed up. */
@Module({ providers: [BackupPromises], exports: [BackupPromises] })
export class BackupPolicyModule {}
