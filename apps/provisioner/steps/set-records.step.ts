import { STEP_MESSAGES } from '@moorage/domain';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PlatformDns, PlatformDnsError } from '../platform-dns/platform-dns';
import { PlatformRecordsService } from '../platform-dns/platform-records.service';
import { type Step, type StepContext, StepError, type StepOutcome } from '../runs/step';

/**
 * Failed attempts after which a run continues without the name server. The sweep then sets or removes the records, and
 * the check of DNS waits for them.
 */
export const RECORD_ATTEMPTS = 4;

@Injectable()
export class SetRecordsStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly dns: PlatformDns,
    private readonly records: PlatformRecordsService,
  ) {}

  /** Points the platform's name to the server. The row is written first, so that the sweep knows of the records. */
  async run({ deployment, run, assertLease }: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const address = deployment.instance_ip ?? deployment.vps_ip_address;
    if (address === null) throw new StepError(STEP_MESSAGES.address_unknown, { permanent: true });
    const name = await this.db.tx('set-records.acquire', async (tx) => {
      const acquired = await this.records.acquire(tx, deployment, address);
      await assertLease(tx);
      return acquired;
    });
    if (name === null) return { done: true };
    return unlessDown(run, () => this.dns.put({ name, address }, signal));
  }
}

/** Calls the name server. Failures are retried a few times and then left to the sweep. */
export async function unlessDown(
  { step_attempts: attempts }: StepContext['run'],
  call: () => Promise<void>,
): Promise<StepOutcome> {
  try {
    await call();
    return { done: true };
  } catch (error) {
    if (!(error instanceof PlatformDnsError) || attempts < RECORD_ATTEMPTS) throw error;
    return { done: true, message: STEP_MESSAGES.records_later };
  }
}
