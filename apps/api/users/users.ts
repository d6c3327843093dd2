import { event, type signup, type User } from '@moorage/contracts';
import { ACCESS_WORDS, DomainError, iso, say } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { z } from 'zod';
import type { Passwords } from '../auth/passwords';
import type { Sessions } from '../auth/sessions';
import type { UserTokens } from '../auth/user-tokens';
import type { ApiDeps } from '../feature';
import type { Caller, Origin } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import type { Mails } from '../mail/mails';
import { readUser } from './accounts';
import { insertAccount } from './new-account';

export interface Users {
  /** Account, wallet, verification mail and event in one transaction. */
  signup(form: z.output<typeof signup>, origin: Origin): Promise<User>;
  me(caller: Caller): Promise<User>;
  resendVerification(caller: Caller): Promise<{ message: string }>;
  apiTokens(caller: Caller): Promise<ApiToken[]>;
  makeApiToken(caller: Caller, label: string): Promise<ApiToken & { token: string }>;
  revokeApiToken(caller: Caller, id: number): Promise<{ message: string }>;
}

export interface ApiToken {
  readonly id: number;
  readonly label: string;
  readonly created_at: string;
}

const API_TOKENS_MAX = 20;

export interface UsersNeeds {
  readonly mails: Mails;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly tokens: UserTokens;
}

export function createUsers(deps: ApiDeps, { mails, passwords, sessions, tokens }: UsersNeeds): Users {
  const { db, clock, outbox } = deps;

  async function mailVerification(
    tx: Tx,
    { id, username, email }: Pick<User, 'id' | 'username' | 'email'>,
    at: number,
  ): Promise<void> {
    const link = await tokens.issueLink(tx, { userId: id, purpose: 'verify_email', at });
    await mails.post(tx, {
      cause: `verify_email:${link.id}`,
      recipient: email,
      template: 'verify_email',
      facts: { username, token: link.token },
    });
  }

  return {
    async signup({ username, email, password, referral_code }, { ip }) {
      const passwordHash = await passwords.hash(password);
      return db.tx('users.signup', async (tx) => {
        const at = await clock.now(tx);
        const referredByUserId = await referrerOf(tx, referral_code ?? '');
        const id = await insertAccount(tx, { username, email, passwordHash, at, referredByUserId, signupIp: ip }, deps);
        const user = await readUser(tx, id);
        await mailVerification(tx, user, at);
        await outbox.append(tx, event('user.registered', id, { user_id: id }));
        return user;
      });
    },

    me: (caller) => db.tx('users.me', (tx) => readUser(tx, caller.userId)),

    async resendVerification(caller) {
      if (caller.isVerified) throw new DomainError('ACCOUNT_STATE', ACCESS_WORDS.email_verified_before);
      await db.tx('users.resend-verification', async (tx) => {
        await mailVerification(tx, { ...caller, id: caller.userId }, await clock.now(tx));
      });
      return { message: ACCESS_WORDS.email_sent };
    },

    async apiTokens(caller) {
      const rows = await db.tx('users.api-tokens', (tx) => tokens.apiTokens(tx, caller.userId));
      return rows.map(shown);
    },

    async makeApiToken(caller, label) {
      return db.tx('users.make-api-token', async (tx) => {
        await tx.query('select id from users where id = $1 for no key update', [caller.userId]);
        // read again under the lock: a password reset that came in between has ended this session, and no token may follow it
        const { userId, credentialId: id } = caller;
        if ((await sessions.accountOf(tx, { id, userId })) === null) {
          throw new DomainError('UNAUTHENTICATED', ACCESS_WORDS.session_ended);
        }
        if ((await tokens.apiTokens(tx, caller.userId)).length >= API_TOKENS_MAX) {
          throw new DomainError('ACCOUNT_STATE', say(ACCESS_WORDS.tokens_most, { most: API_TOKENS_MAX }));
        }
        const made = await tokens.issueApiToken(tx, { userId: caller.userId, label, at: await clock.now(tx) });
        return { ...shown(made), token: made.token };
      });
    },

    async revokeApiToken(caller, id) {
      const revoked = await db.tx('users.revoke-api-token', async (tx) =>
        tokens.revokeApiToken(tx, { id, userId: caller.userId, at: await clock.now(tx) }),
      );
      if (!revoked) throw new DomainError('NOT_FOUND', ACCESS_WORDS.token_unknown);
      return { message: ACCESS_WORDS.token_revoked };
    },
  };
}

function shown({ id, label, created_at }: { id: number; label: string; created_at: number }): ApiToken {
  return { id, label, created_at: iso(created_at) };
}

/** Whose code it is; empty: nobody's. A code that opens nothing is said here: afterwards it could not be mended. */
async function referrerOf(tx: Tx, code: string): Promise<number | null> {
  if (code === '') return null;
  const [referrer] = await tx.query<{ id: number }>(
    'select id from users where referral_code = $1 and deactivated_at is null',
    [code.toUpperCase()],
  );
  if (referrer === undefined)
    throw new FieldsInvalid([{ path: 'referral_code', message: ACCESS_WORDS.referral_unknown }]);
  return referrer.id;
}
