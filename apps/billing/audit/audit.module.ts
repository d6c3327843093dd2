import { Module } from '@nestjs/common';
import { Audit } from './audit.service';

@Module({ providers: [Audit], exports: [Audit] })
export class AuditModule {}
