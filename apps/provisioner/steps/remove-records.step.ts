import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PlatformDns } from '../platform-dns/platform-dns';
import { PlatformRecordsService } from '../platform-dns/platform-records.service';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { unlessDown } from './set-records.step';

@Injectable()
export class RemoveRecordsStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly dns: PlatformDns,
    private readonly records: PlatformRecordsService,
  ) {}

  /**
   * Removes the records of the platform's name before the server, because its address may soon be somebody else's. If
   * the new deployment of a move is removed, the name returns to the old one.
   */
  async run({ deployment, run, assertLease }: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const names = await this.db.tx('remove-records.read', async (tx) => {
      const found = await this.records.ofRemoved(tx, deployment);
      for (const { name, source } of found)
        if (source !== null) await this.records.assign(tx, name, source.id, source.address);
      await assertLease(tx);
      return found;
    });
    return unlessDown(run, async () => {
      for (const { name, source } of names) {
        if (source !== null) {
          await this.dns.put({ name, address: source.address }, signal);
          continue;
        }
        await this.dns.remove(name, signal);
        await this.db.tx('remove-records.removed', async (tx) => {
          await this.records.removed(tx, name, await this.clock.now(tx));
          await assertLease(tx);
        });
      }
    });
  }
}
