import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { CustomerAccess } from './customer-access.service';

@Injectable()
export class FinishStep implements Step {
  constructor(private readonly access: CustomerAccess) {}

  /** Ends a plan. The end of the run changes the deployment's status. */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    await this.access.openWithBilling(context, signal);
    return { done: true };
  }
}
