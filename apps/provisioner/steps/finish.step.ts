import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { CustomerAccess } from './customer-access';

@Injectable()
export class FinishStep implements Step {
  constructor(private readonly access: CustomerAccess) {}

  /** The end of a plan: the deployment's move belongs to the run's end. */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    await this.access.openWithBilling(context, signal);
    return { done: true };
  }
}
