import { Module } from '@nestjs/common';
import { SecurityMails } from './security-mails';

/** Beside the module of sign-in, so that features which that one imports can tell the owner of an account too. */
@Module({ providers: [SecurityMails], exports: [SecurityMails] })
export class SecurityMailsModule {}
