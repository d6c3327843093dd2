import type { OperatorHealthAnswer } from '@moorage/contracts';
import { Alerts } from '@moorage/database';
import { alertTitle, type Day, type Instant, iso, isoOrNull } from '@moorage/domain';
import { TransportState } from '@moorage/runtime';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { isWatchLate } from './alert-mail.service';

interface RunRow {
  readonly day: Day;
  readonly started_at: Instant;
  readonly passed_at: Instant | null;
  readonly finished_at: Instant | null;
}

/** Health information for operators: open alerts, and when the checks behind them last ran. */
@Injectable()
export class OperatorHealth {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly alerts: Alerts,
    private readonly transports: TransportState,
  ) {}

  read(): Promise<OperatorHealthAnswer> {
    return this.db.tx('alerts.health', async (tx) => {
      const open = await this.alerts.open(tx);
      const late = await isWatchLate(tx, this.alerts, await this.clock.now(tx));
      const [run] = await tx.query<RunRow>(
        'select day, started_at, passed_at, finished_at from billing_runs order by day desc limit 1',
      );
      const troubles = this.transports.troubles();
      return {
        status: open.length === 0 && !late && troubles.length === 0 ? ('ok' as const) : ('attention' as const),
        checked_at: isoOrNull(await this.alerts.lastRun(tx, 'watch')),
        audited_at: isoOrNull(await this.alerts.lastRun(tx, 'audit')),
        daily_run:
          run === undefined
            ? null
            : {
                day: run.day,
                started_at: iso(run.started_at),
                passed_at: isoOrNull(run.passed_at),
                finished_at: isoOrNull(run.finished_at),
              },
        transports: { ...this.transports.chosen, troubles },
        alerts: open.map(({ kind, subject, facts, first_seen_at, last_seen_at, mailed_at }) => ({
          kind,
          title: alertTitle(kind),
          subject,
          facts,
          first_seen_at: iso(first_seen_at),
          last_seen_at: iso(last_seen_at),
          mailed_at: isoOrNull(mailed_at),
        })),
      };
    });
  }
}
