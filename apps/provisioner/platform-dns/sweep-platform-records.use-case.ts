import { Alerts } from '@moorage/database';
import { planRecordSweep } from '@moorage/domain';
import { Clock, Db, Log } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PlatformDns, PlatformDnsError } from './platform-dns';
import { PlatformRecordsService } from './platform-records.service';

const SWEEP_MS = 4 * 60_000;

/** Repairs the records of the platform's names, and removes those that belong to no deployment. */
@Injectable()
export class SweepPlatformRecords {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly dns: PlatformDns,
    private readonly records: PlatformRecordsService,
    private readonly alerts: Alerts,
    private readonly log: Log,
  ) {}

  /** One failure ends the sweep, because the name server is likely to reject the rest as well. The next one continues. */
  async run(signal: AbortSignal = AbortSignal.timeout(SWEEP_MS)): Promise<void> {
    try {
      await this.sweep(signal);
      await this.db.tx('platform-records.resolved', (tx) => this.alerts.resolve(tx, { kind: 'platform_dns' }));
    } catch (error) {
      if (!(error instanceof PlatformDnsError)) throw error;
      this.log.warn('platform records not swept', { kind: error.kind, reason: error.message });
      const facts = { problem: error.kind, answer: error.message.slice(0, 300) };
      await this.db.tx('platform-records.failed', (tx) => this.alerts.raise(tx, { kind: 'platform_dns', facts }));
    }
  }

  private async sweep(signal: AbortSignal): Promise<void> {
    const before = await this.db.tx('platform-records.read', async (tx) => ({
      given: await this.records.given(tx),
      stored: await this.records.stored(tx),
    }));
    const found = await this.dns.list(signal);
    if (before.given.length + before.stored.length + found.length === 0) return;
    const plan = await this.db.tx('platform-records.plan', async (tx) => {
      const now = await this.clock.now(tx);
      const planned = planRecordSweep({ ...before, found, now });
      await this.records.suspect(tx, planned.suspect, now);
      await this.records.clear(tx, planned.clear);
      for (const name of planned.release)
        if (!(await this.records.isInUse(tx, name))) await this.records.removed(tx, name, now);
      return planned;
    });
    for (const record of plan.put) {
      this.log.info('platform records repaired', record);
      await this.dns.put(record, signal);
    }
    for (const name of plan.remove) await this.remove(name, signal);
  }

  private async remove(name: string, signal: AbortSignal): Promise<void> {
    const isInUse = await this.db.tx('platform-records.look-again', (tx) => this.records.isInUse(tx, name));
    if (isInUse) return;
    this.log.info('platform records removed', { name });
    await this.dns.remove(name, signal);
    await this.db.tx('platform-records.removed', async (tx) => {
      if (!(await this.records.isInUse(tx, name))) await this.records.removed(tx, name, await this.clock.now(tx));
    });
  }
}
