import { Module } from '@nestjs/common';
import { ProvisionerBackupsModule } from '../backups/backups.module';
import { StepsModule } from '../steps/steps.module';
import { RecoverySweep } from './recovery-sweep';
import { RunEvents } from './run-events';
import { RunLifecycle } from './run-lifecycle';
import { RunWalker } from './run-walker';

@Module({
  imports: [ProvisionerBackupsModule, StepsModule],
  providers: [RunLifecycle, RunEvents, RunWalker, RecoverySweep],
  exports: [RecoverySweep],
})
export class RunsModule {}
