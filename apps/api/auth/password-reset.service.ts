import { auditLog } from '@moorage/database';
import { ACCESS_MESSAGES, DomainError } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Origin } from '../http/call-input';
import { RateLimiter } from '../http/rate-limiter.service';
import { Mails } from '../mail/mails.service';
import { readUser } from '../users-store/accounts';
import { KnownNetworks } from './known-networks.repository';
import { LoginLimits } from './login-limits.policy';
import { Passwords } from './passwords.service';
import { SecurityMails } from '../mail/security-mails.service';
import { usersRepository } from '../users-store/users.repository';
import { Sessions } from './sessions.service';
import { LINK_ENDED, UserTokens } from './user-tokens.service';
import { type Sent, toSent } from '@moorage/contracts';

/**
 * A known address costs an additional write. Every response takes this long, so that its time does not reveal which
 * addresses are known.
 */
const FORGOT_MS = 250;

@Injectable()
export class PasswordReset {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly rateLimiter: RateLimiter,
    private readonly mails: Mails,
    private readonly limits: LoginLimits,
    private readonly networks: KnownNetworks,
    private readonly passwords: Passwords,
    private readonly securityMails: SecurityMails,
    private readonly sessions: Sessions,
    private readonly tokens: UserTokens,
  ) {}

  /** Emails a link to a known address. The response is the same for an unknown address. */
  async request(email: string): Promise<Sent> {
    // Counted per address, known or not.
    await this.rateLimiter.take('password_mail', email.toLowerCase());
    const answered = this.clock.sleep(FORGOT_MS);
    await this.db.tx('auth.forgot-password', async (tx) => {
      const columns = ['id', 'username', 'email', 'language'] as const;
      const user = await usersRepository.findByEmail(tx, email.toLowerCase(), columns, { state: 'active' });
      if (user === null) return;
      const link = await this.tokens.issueLink(tx, {
        userId: user.id,
        purpose: 'reset_password',
        at: await this.clock.now(tx),
      });
      await this.mails.post(tx, {
        cause: `reset_password:${link.id}`,
        recipient: user.email,
        language: user.language,
        template: 'reset_password',
        facts: { username: user.username, token: link.token },
      });
    });
    await answered;
    return toSent(ACCESS_MESSAGES.reset_sent);
  }

  /**
   * Sets a new password and ends every session and every personal API token, so that nobody else stays logged in
   * (decision 47).
   */
  async reset({ token, new_password }: { token: string; new_password: string }, origin: Origin): Promise<Sent> {
    // Checked before hashing, so that wrong tokens cost nothing.
    const owner = await this.db.tx('auth.find-reset', async (tx) =>
      readUser(tx, (await this.tokens.linkInForce(tx, token, 'reset_password')).user_id),
    );
    const passwordHash = await this.passwords.hashChosen(new_password, owner, 'new_password');
    await this.db.tx('auth.reset-password', async (tx) => {
      const link = await this.tokens.linkInForce(tx, token, 'reset_password');
      const at = await this.clock.now(tx);
      if (!(await this.tokens.spendLink(tx, link, at))) throw new DomainError('TOKEN_INVALID', LINK_ENDED);
      // An attacker who knew the old password may have requested a change of address.
      if (!(await usersRepository.setPassword(tx, link.user_id, passwordHash)))
        throw new DomainError('TOKEN_INVALID', LINK_ENDED);
      await this.sessions.endAll(tx, link.user_id);
      await this.tokens.revokeAllApiTokens(tx, { userId: link.user_id, at });
      // Access to the account's emails proves ownership. This lets an owner back in who is blocked by a flood of
      // guesses.
      await this.networks.remember(tx, { userId: link.user_id, origin, at });
      await this.securityMails.post(tx, { userId: link.user_id, template: 'password_changed', facts: {}, at });
      const subject = `user:${link.user_id}`;
      await auditLog.record(tx, { actor: link.user_id, action: 'account.password_reset', subject, facts: {}, at });
    });
    // Others behind the same address may have used up the logins of this network.
    const email = owner.email.toLowerCase();
    await this.limits.succeeded({ email, accountId: owner.id, origin, isKnownNetwork: true });
    return toSent(ACCESS_MESSAGES.reset_done);
  }
}
