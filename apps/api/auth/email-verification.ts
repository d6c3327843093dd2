import { event, type Sent, toSent } from '@moorage/contracts';
import { ACCESS_MESSAGES, DomainError } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ReferralCredits } from './referral-credits';
import { LINK_ENDED, UserTokens } from './user-tokens';

@Injectable()
export class EmailVerification {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly tokens: UserTokens,
    private readonly referralCredits: ReferralCredits,
  ) {}

  /** Marks the address as verified and grants the credits of a referral, in one transaction. */
  async verify(token: string): Promise<Sent> {
    return this.db.tx('auth.verify-email', async (tx) => {
      const link = await this.tokens.linkInForce(tx, { token, purpose: 'verify_email' });
      const at = await this.clock.now(tx);
      const pair = await this.referralCredits.lockWallets(tx, link.user_id);
      const [user] = await tx.query<{ is_verified: boolean }>(
        'select is_verified from users where id = $1 and deactivated_at is null for no key update',
        [link.user_id],
      );
      if (user === undefined) throw new DomainError('TOKEN_INVALID', LINK_ENDED);
      // the same link opened twice: nothing happens again, and nothing is wrong
      if (user.is_verified && link.used_at !== null) return toSent(ACCESS_MESSAGES.email_verified);
      if (!(await this.tokens.spendLink(tx, link, at))) throw new DomainError('TOKEN_INVALID', LINK_ENDED);
      if (!user.is_verified) {
        await tx.execute('update users set is_verified = true, version = version + 1 where id = $1', [link.user_id]);
        await this.referralCredits.grant(tx, pair, at);
        await this.outbox.append(tx, event('user.verified', link.user_id, { user_id: link.user_id }));
      }
      return toSent(ACCESS_MESSAGES.email_verified);
    });
  }
}
