import { Module } from '@nestjs/common';
import { ProvisionerBackupsModule } from '../backups/backups.module';
import { ProvisionerMovesModule } from '../moves/moves.module';
import { StepsModule } from '../steps/steps.module';
import { Changes } from './changes.service';
import { Rollouts } from './rollouts.service';
import { RecoverySweep } from './recovery-sweep.service';
import { RunEvents } from './run-events.service';
import { RunLifecycle } from './run-lifecycle.service';
import { RunWalker } from './run-walker.service';

@Module({
  imports: [ProvisionerMovesModule, ProvisionerBackupsModule, StepsModule],
  providers: [Changes, Rollouts, RunLifecycle, RunEvents, RunWalker, RecoverySweep],
  exports: [RecoverySweep],
})
export class LifecycleModule {}
