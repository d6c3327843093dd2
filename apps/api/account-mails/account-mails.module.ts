import { Module } from '@nestjs/common';
import { BackupPolicyModule } from '../backup-policy/backup-policy.module';
import { DeploymentsModule } from '../deployments/deployments.module';
import { AccountMailEvents } from './account-mails.events';

/** Emails to accounts about events. */
@Module({ imports: [BackupPolicyModule, DeploymentsModule], providers: [AccountMailEvents] })
export class AccountMailsModule {}
