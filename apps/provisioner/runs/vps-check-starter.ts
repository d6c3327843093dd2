import { CHECK_VPS_WORK } from '@moorage/contracts';
import { type Claim, type Outcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { startCheckRun } from './run-store';

@Injectable()
export class VpsCheckStarter {
  constructor(
    private readonly clock: Clock,
    private readonly work: WorkSchedule,
  ) {}

  /** Starts the run of a check that the api has asked for. */
  @HandlesWork(CHECK_VPS_WORK, { concurrency: 2 })
  start(claim: Claim): Promise<Outcome> {
    return Promise.resolve({
      done: true,
      commit: async (tx) => startCheckRun(tx, this.work, { checkId: Number(claim.key), at: await this.clock.now(tx) }),
    });
  }
}
