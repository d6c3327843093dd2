import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../http/rate-limiter.service';
import { SecurityEvents } from './security-events.service';
import { SecurityMails } from '../mail/security-mails.service';

/** Reports wrong codes entered after the correct password, because an attacker may know the password. */
@Injectable()
export class RefusedCodes {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly rateLimiter: RateLimiter,
    private readonly events: SecurityEvents,
    private readonly securityMails: SecurityMails,
  ) {}

  /** Records a wrong code and emails the owner at most once per hour. */
  async report(userId: number): Promise<void> {
    this.events.record('code_refused', { accountId: userId });
    if (await this.rateLimiter.takeIfLeft('code_refused_mail', String(userId))) await this.mail(userId, false);
  }

  /** Emails the owner, at most once per day, that the codes of the day are used up. */
  async reportPause(userId: number): Promise<void> {
    if (await this.rateLimiter.takeIfLeft('codes_paused_mail', String(userId))) await this.mail(userId, true);
  }

  private mail(userId: number, paused: boolean): Promise<void> {
    return this.db.tx('auth.mail-refused-code', async (tx) =>
      this.securityMails.post(tx, {
        userId,
        template: 'code_refused',
        facts: { paused },
        at: await this.clock.now(tx),
      }),
    );
  }
}
