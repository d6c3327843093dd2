import { HOUR_MS, ROLLED_UP_AFTER_MS, spanOf } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { oldestHour, rollUpHour } from './metrics-rows';

/** Maximum number of hours per run. After a longer outage, the next runs continue. */
const HOURS_MAX = 24;

/** Replaces spans of five minutes that are older than a day with hours. */
@Injectable()
export class MetricsRollup {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    for (let hours = 0; hours < HOURS_MAX; hours++) {
      const isOver = await this.db.tx('metrics.roll-up', async (tx) => {
        const before = spanOf((await this.clock.now(tx)) - ROLLED_UP_AFTER_MS, HOUR_MS);
        const hour = await oldestHour(tx, before);
        if (hour !== null) await rollUpHour(tx, hour);
        return hour === null;
      });
      if (isOver) return;
    }
  }
}
