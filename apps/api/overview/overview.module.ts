import { Module } from '@nestjs/common';
import { OverviewController } from './overview.controller';
import { ReadOverview } from './read-overview.use-case';

/** Overview of the platform for administrators. */
@Module({ controllers: [OverviewController], providers: [ReadOverview] })
export class OverviewModule {}
