import { Module } from '@nestjs/common';
import { ProvisionerBackupsModule } from '../backups/backups.module';
import { FollowMoves } from '../moves/follow-moves.service';
import { MoveEvents } from '../moves/move-events.service';
import { StepsModule } from '../steps/steps.module';
import { Changes } from './changes.service';
import { Rollouts } from './rollouts.service';
import { RecoverySweep } from './recovery-sweep.service';
import { RunEvents } from './run-events.service';
import { RunLifecycle } from './run-lifecycle.service';
import { RunWalker } from './run-walker.service';

@Module({
  imports: [ProvisionerBackupsModule, StepsModule],
  providers: [Changes, Rollouts, RunLifecycle, RunEvents, FollowMoves, MoveEvents, RunWalker, RecoverySweep],
  exports: [RecoverySweep],
})
export class LifecycleModule {}
