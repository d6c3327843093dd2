import { Module } from '@nestjs/common';
import { SecurityMailsModule } from '../auth/security-mails.module';
import { AccountActs } from './account-acts';

@Module({ imports: [SecurityMailsModule], providers: [AccountActs], exports: [AccountActs] })
export class AccountActsModule {}
