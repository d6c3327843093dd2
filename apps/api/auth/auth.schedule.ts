import { ScheduledTasks } from '@moorage/runtime';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { RateLimiter } from '../http/rate-limiter.service';
import { KnownNetworks } from './known-networks.repository';

@Injectable()
export class AuthSchedule {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly rateLimiter: RateLimiter,
    private readonly networks: KnownNetworks,
    private readonly tasks: ScheduledTasks,
  ) {}

  /** Removes expired rows of rate limits and of known networks. */
  @Cron('20 */10 * * * *', { name: 'auth.clean', timeZone: 'UTC', waitForCompletion: true })
  clean(): Promise<void> {
    return this.tasks.run('auth.clean', async () => {
      await this.rateLimiter.clean();
      await this.db.tx('auth.clean', async (tx) => this.networks.clean(tx, await this.clock.now(tx)));
    });
  }
}
