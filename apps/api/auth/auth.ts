import { event, type login } from '@moorage/contracts';
import { ACCESS_WORDS, DomainError } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { z } from 'zod';
import type { ApiDeps } from '../feature';
import type { Caller, Origin } from '../http/call-input';
import type { RateLimiter } from '../http/rate-limiter';
import type { Mails } from '../mail/mails';
import { createLoginPace, IS_KNOWN_NETWORK, type KnownNetworks, knownSince } from './login-pace';
import type { Passwords } from './passwords';
import { grantReferralCredits, lockReferralWallets } from './referral-credits';
import type { Sessions } from './sessions';
import type { LinkToken, UserTokens } from './user-tokens';

export interface Auth {
  login(form: z.output<typeof login>, origin: Origin): Promise<{ access_token: string; token_type: 'bearer' }>;
  logout(caller: Caller): Promise<{ message: string }>;
  /** Marks the address as verified and grants the credits of a referral, in one transaction. */
  verifyEmail(token: string): Promise<{ message: string }>;
  forgotPassword(email: string): Promise<{ message: string }>;
  /** Ends every session and every personal API token: whoever else was in is out (decision 47). */
  resetPassword(form: { token: string; new_password: string }, origin: Origin): Promise<{ message: string }>;
}

export interface AuthNeeds {
  readonly rateLimiter: RateLimiter;
  readonly networks: KnownNetworks;
  readonly mails: Mails;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly tokens: UserTokens;
}

interface LoginRow {
  readonly id: number;
  readonly username: string;
  readonly password_hash: string;
  readonly is_deactivated: boolean;
  readonly is_known_network: boolean;
}

/** A known address costs a write more: the answer waits until neither can be told by its time. */
const FORGOT_MS = 250;

const LINK_ENDED = ACCESS_WORDS.link_ended;

export function createAuth(
  deps: ApiDeps,
  { rateLimiter, networks, mails, passwords, sessions, tokens }: AuthNeeds,
): Auth {
  const { db, clock, outbox, ledger } = deps;
  const loginPace = createLoginPace(rateLimiter);

  return {
    async login({ username: email, password }, origin) {
      const address = email.toLowerCase();
      const [account] = await db.tx('auth.find-account', async (tx) =>
        tx.query<LoginRow>(
          `select id, username, password_hash, deactivated_at is not null as is_deactivated,
             ${IS_KNOWN_NETWORK} as is_known_network
           from users u where lower(email) = $1 and erased_at is null`,
          [address, origin.networks[0], knownSince(await clock.now(tx))],
        ),
      );
      const attempt = { email: address, origin, isKnownNetwork: account?.is_known_network ?? false };
      await loginPace.take(attempt);
      const right = await passwords.matches(password, account?.password_hash ?? null);
      if (!right || account === undefined) throw new DomainError('CREDENTIALS_WRONG', ACCESS_WORDS.credentials_wrong);
      // told only to who knows the password
      if (account.is_deactivated) throw new DomainError('ACCOUNT_DEACTIVATED', ACCESS_WORDS.deactivated);
      const access_token = await db.tx('auth.login', async (tx) => {
        const { id: userId, password_hash: passwordHash } = account;
        const opened = await sessions.open(tx, { userId, passwordHash });
        // changed while we compared: it is the password no longer
        if (opened === null) throw new DomainError('CREDENTIALS_WRONG', ACCESS_WORDS.credentials_wrong);
        await networks.remember(tx, { userId, origin, at: await clock.now(tx) });
        return opened;
      });
      await loginPace.succeeded(attempt);
      return { access_token, token_type: 'bearer' };
    },

    async logout(caller) {
      await db.tx('auth.logout', (tx) => sessions.end(tx, caller.credentialId));
      return { message: ACCESS_WORDS.logged_out };
    },

    async verifyEmail(token) {
      return db.tx('auth.verify-email', async (tx) => {
        const link = await inForce(tx, token, 'verify_email');
        const at = await clock.now(tx);
        const pair = await lockReferralWallets(tx, link.user_id, ledger);
        const [user] = await tx.query<{ is_verified: boolean }>(
          'select is_verified from users where id = $1 and deactivated_at is null for no key update',
          [link.user_id],
        );
        if (user === undefined) throw new DomainError('TOKEN_INVALID', LINK_ENDED);
        // the same link opened twice: nothing happens again, and nothing is wrong
        if (user.is_verified && link.used_at !== null) return { message: ACCESS_WORDS.email_verified };
        if (!(await tokens.spendLink(tx, { id: link.id, at }))) throw new DomainError('TOKEN_INVALID', LINK_ENDED);
        if (!user.is_verified) {
          await tx.execute('update users set is_verified = true, version = version + 1 where id = $1', [link.user_id]);
          await grantReferralCredits(tx, pair, { at, ledger });
          await outbox.append(tx, event('user.verified', link.user_id, { user_id: link.user_id }));
        }
        return { message: ACCESS_WORDS.email_verified };
      });
    },

    async forgotPassword(email) {
      // counted for the address, known or not: the answer is the same either way
      await rateLimiter.take('password_mail', email.toLowerCase());
      const answered = clock.sleep(FORGOT_MS);
      await db.tx('auth.forgot-password', async (tx) => {
        const [user] = await tx.query<{ id: number; username: string; email: string }>(
          'select id, username, email from users where lower(email) = $1 and deactivated_at is null',
          [email.toLowerCase()],
        );
        if (user === undefined) return;
        const link = await tokens.issueLink(tx, {
          userId: user.id,
          purpose: 'reset_password',
          at: await clock.now(tx),
        });
        await mails.post(tx, {
          cause: `reset_password:${link.id}`,
          recipient: user.email,
          template: 'reset_password',
          facts: { username: user.username, token: link.token },
        });
      });
      await answered;
      return { message: ACCESS_WORDS.reset_sent };
    },

    async resetPassword({ token, new_password }, origin) {
      // looked at before hashing, so that a guess costs us nothing
      await db.tx('auth.find-reset', (tx) => inForce(tx, token, 'reset_password'));
      const passwordHash = await passwords.hash(new_password);
      await db.tx('auth.reset-password', async (tx) => {
        const link = await inForce(tx, token, 'reset_password');
        const at = await clock.now(tx);
        if (!(await tokens.spendLink(tx, { id: link.id, at }))) throw new DomainError('TOKEN_INVALID', LINK_ENDED);
        const [user] = await tx.query<{ username: string; email: string }>(
          `update users set password_hash = $2, version = version + 1 where id = $1 and deactivated_at is null
           returning username, email`,
          [link.user_id, passwordHash],
        );
        if (user === undefined) throw new DomainError('TOKEN_INVALID', LINK_ENDED);
        await sessions.endAll(tx, link.user_id);
        await tokens.revokeAllApiTokens(tx, { userId: link.user_id, at });
        // who can read the account's mail owns it: the way in for an owner whom a flood of guesses keeps out
        await networks.remember(tx, { userId: link.user_id, origin, at });
        await mails.post(tx, {
          cause: `password_changed:${link.id}`,
          recipient: user.email,
          template: 'password_changed',
          facts: { username: user.username },
        });
      });
      return { message: ACCESS_WORDS.reset_done };
    },
  };

  /** A link that was made and not revoked; a used or ended one is told apart by who spends it. */
  async function inForce(tx: Tx, token: string, purpose: 'verify_email' | 'reset_password'): Promise<LinkToken> {
    const link = await tokens.findLink(tx, { token, purpose });
    if (link === null || (purpose === 'reset_password' && link.used_at !== null))
      throw new DomainError('TOKEN_INVALID', LINK_ENDED);
    return link;
  }
}
