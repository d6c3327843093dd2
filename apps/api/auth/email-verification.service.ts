import { event, type Sent, toSent } from '@moorage/contracts';
import { auditLog } from '@moorage/database';
import { ACCESS_MESSAGES, DomainError, type Instant, MINUTE_MS } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, type Tx, violatedConstraint } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { FreeCreditCodes } from '../credits/free-credit-codes.service';
import { Mailboxes } from '../credits/mailboxes.repository';
import { ReferralCredits } from '../credits/referral-credits.service';
import { endEarlierCredentials } from './factor-change';
import { SecurityMails } from '../mail/security-mails.service';
import { usersRepository } from '../users-store/users.repository';
import { LINK_ENDED, type LinkToken, UserTokens } from './user-tokens.service';

/** A second click within this time is answered like the first. Later the address may have changed again. */
const REPEAT_MS_MAX = 10 * MINUTE_MS;
const LOCKED = { state: 'active', lock: 'for no key update' } as const;

@Injectable()
export class EmailVerification {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly tokens: UserTokens,
    private readonly referralCredits: ReferralCredits,
    private readonly freeCreditCodes: FreeCreditCodes,
    private readonly mailboxes: Mailboxes,
    private readonly securityMails: SecurityMails,
  ) {}

  /** Confirms the address that a link was sent to: the address of a new account, or the one an account changes to. */
  async verify(token: string): Promise<Sent> {
    try {
      return await this.db.tx('auth.verify-email', async (tx) => {
        const link = await this.tokens.linkInForce(tx, token, 'verify_email', 'change_email');
        const at = await this.clock.now(tx);
        return link.purpose === 'verify_email' ? this.verifyFirst(tx, link, at) : this.change(tx, link, at);
      });
    } catch (error) {
      // Another account has taken the address since the link was sent.
      if (violatedConstraint(error) !== 'users_email') throw error;
      throw new DomainError('ACCOUNT_EXISTS', ACCESS_MESSAGES.account_taken);
    }
  }

  /** Marks the address as verified and grants the credits of the account's sign-up code in the same transaction. */
  private async verifyFirst(tx: Tx, link: LinkToken, at: Instant): Promise<Sent> {
    const pair = await this.referralCredits.lockWallets(tx, link.user_id);
    const user = await usersRepository.find(tx, link.user_id, ['is_verified'], LOCKED);
    if (user === null) throw new DomainError('TOKEN_INVALID', LINK_ENDED);
    // Opening the same link twice has no further effect and is no error.
    if (user.is_verified && (await this.tokens.usedAt(tx, link)) !== null)
      return toSent(ACCESS_MESSAGES.email_verified);
    if (!(await this.tokens.spendLink(tx, link, at))) throw new DomainError('TOKEN_INVALID', LINK_ENDED);
    if (!user.is_verified) {
      await usersRepository.verify(tx, link.user_id);
      await this.referralCredits.grant(tx, pair, at);
      const { userId, signupIp: ipAddress } = pair;
      await this.freeCreditCodes.payHolder(tx, { userId, ipAddress, at });
      await this.outbox.append(tx, event('user.verified', link.user_id, { user_id: link.user_id }));
    }
    return toSent(ACCESS_MESSAGES.email_verified);
  }

  /**
   * Makes the pending address the account's and notifies the old one. Links sent to the old address stop working, and
   * every session ends except the one that requested the change.
   */
  private async change(tx: Tx, link: LinkToken, at: Instant): Promise<Sent> {
    const userId = link.user_id;
    const user = await usersRepository.find(tx, userId, ['pending_email'], LOCKED);
    const usedAt = await this.tokens.usedAt(tx, link);
    if (user !== null && usedAt !== null && at - usedAt <= REPEAT_MS_MAX) return toSent(ACCESS_MESSAGES.email_changed);
    const email = user?.pending_email ?? null;
    if (email === null || !(await this.tokens.spendLink(tx, link, at)))
      throw new DomainError('TOKEN_INVALID', LINK_ENDED);
    await this.securityMails.post(tx, { userId, template: 'email_changed', facts: { email }, at });
    await this.tokens.revokeLinks(tx, { userId, purpose: 'reset_password', at });
    await endEarlierCredentials(tx, { userId, ownSessionId: link.session_id, at });
    await this.mailboxes.store(tx, { userId, at });
    await usersRepository.setEmail(tx, userId, email);
    const subject = `user:${userId}`;
    await auditLog.record(tx, { actor: userId, action: 'account.email_changed', subject, facts: {}, at });
    await this.mailboxes.store(tx, { userId, at });
    await this.outbox.append(tx, event('user.changed', userId, { user_id: userId }));
    return toSent(ACCESS_MESSAGES.email_changed);
  }
}
