import { Module } from '@nestjs/common';
import { MovedSources } from './moved-sources.service';

@Module({ providers: [MovedSources], exports: [MovedSources] })
export class BillingMovesModule {}
