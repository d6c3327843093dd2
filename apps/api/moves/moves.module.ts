import { Module } from '@nestjs/common';
import { BackupPolicyModule } from '../backup-policy/backup-policy.module';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { DeploymentsModule } from '../deployments/deployments.module';
import { EndMove } from './end-move.use-case';
import { MovesController } from './moves.controller';
import { StartMove } from './start-move.use-case';

/** Moves and clones of deployments: their orders and their early ends. */
@Module({
  imports: [BackupPolicyModule, CatalogueModule, DeploymentsModule],
  controllers: [MovesController],
  providers: [StartMove, EndMove],
})
export class MovesModule {}
