import { Module } from '@nestjs/common';
import { OverviewController } from './overview.controller';
import { ReadBalanceEnds } from './read-balance-ends.use-case';
import { ReadOverview } from './read-overview.use-case';

/** Overview of the platform for administrators. */
@Module({ controllers: [OverviewController], providers: [ReadOverview, ReadBalanceEnds] })
export class OverviewModule {}
