import { Injectable } from '@nestjs/common';
import { CustomerAccess } from '../access/customer-access.service';
import type { Step, StepContext, StepOutcome } from '../runs/step';

@Injectable()
export class FinishStep implements Step {
  constructor(private readonly access: CustomerAccess) {}

  /** Ends a plan. The end of the run changes the deployment's status. */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    return { done: true, ...(await this.access.openWithBilling(context, signal)) };
  }
}
