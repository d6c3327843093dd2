import { type NewCreditRequest, type Sent, toSent } from '@moorage/contracts';
import { ACCESS_MESSAGES, iso, type Language, LANGUAGES, normaliseEmail } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller, Origin } from '../http/call-input';
import { Mails } from '../mail/mails.service';
import { ApiSettings } from '../settings';

/** Accepts requests for free credits (decisions 13). */
@Injectable()
export class CreditRequests {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly mails: Mails,
    private readonly settings: ApiSettings,
  ) {}

  /**
   * Stores a request. The response is always the same, so that it does not reveal whether the address has an account or
   * was used before.
   */
  submit(
    { email, reason }: NewCreditRequest,
    { caller, origin, language }: { caller: Caller | null; origin: Origin; language: Language },
  ): Promise<Sent> {
    return this.db.tx('credits.request', async (tx) => {
      const at = await this.clock.now(tx);
      const userId = caller?.userId ?? null;
      const [row] = await tx.query<{ id: number }>(
        `insert into credit_requests (email, email_normalised, reason, user_id, ip_address, language, created_at, state)
         values ($1, $2, $3, $4, $5, $6, $7, 'waiting')
         on conflict (email_normalised) where state = 'waiting' do nothing returning id`,
        [email, normaliseEmail(email), reason, userId, origin.ip, language, iso(at)],
      );
      if (row !== undefined)
        await this.mails.post(tx, {
          cause: `credit_request:${row.id}`,
          recipient: this.settings.brand.supportEmail,
          language: LANGUAGES[0],
          template: 'free_credits_request',
          facts: { email, user_id: userId, message: reason },
        });
      return toSent(ACCESS_MESSAGES.credits_request_sent);
    });
  }
}
