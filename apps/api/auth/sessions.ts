import { DAY_MS, MINUTE_MS } from '@moorage/domain';
import { type Clock, iso, kept, type Random, type Reads, type Tx } from '@moorage/server';
import { JwtService } from '@nestjs/jwt';
import type { KeyObject } from 'node:crypto';

/** However busy, a session ends. */
export const SESSION_MS_MAX = 30 * DAY_MS;
/** Unused this long, it ends too. */
export const SESSION_IDLE_MS_MAX = 14 * DAY_MS;
/** Use is noted at most this often, so that reading costs no write. */
const NOTED_EVERY_MS = 5 * MINUTE_MS;

export const TOKEN_ISSUER = 'moorage';

/** What a session token says; everything else is looked up. */
export interface TokenClaims {
  readonly sub: string;
  readonly sid: string;
  readonly exp: number;
}

export interface AccountRow {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly is_admin: boolean;
  readonly is_verified: boolean;
}

/** A token opens nothing by itself: its session's row decides, at each call. */
export interface Sessions {
  /**
   * Opens a session and returns its token, under the account's row lock; null when the password is no longer the one whose
   * hash was compared, or the account has ended: a reset that overlaps ends this login too.
   */
  open(tx: Tx, login: { userId: number; passwordHash: string }): Promise<string | null>;
  /** The account of a session that is in force, or null; `isNoted`: that it is in use was written down lately. */
  accountOf(
    reads: Reads,
    session: { id: string; userId: number },
  ): Promise<{ account: AccountRow; isNoted: boolean } | null>;
  /** Writes down that a session is in use. */
  noteUse(tx: Tx, id: string): Promise<void>;
  end(tx: Tx, id: string): Promise<void>;
  endAll(tx: Tx, userId: number): Promise<void>;
}

/** `key`: signs the tokens (HS256); a key object, since from a text the signature's library would make one at each call. */
export function createSessions({ clock, random, key }: { clock: Clock; random: Random; key: KeyObject }): Sessions {
  const jwt = new JwtService({ privateKey: key, signOptions: { algorithm: 'HS256', issuer: TOKEN_ISSUER } });
  return {
    async open(tx, { userId, passwordHash }) {
      const unchanged = await tx.query(
        'select 1 from users where id = $1 and password_hash = $2 and deactivated_at is null and erased_at is null for no key update',
        [userId, passwordHash],
      );
      if (unchanged.length === 0) return null;
      const now = clock.wall();
      const id = random.text(32);
      await tx.execute(
        'insert into sessions (id, user_id, created_at, last_used_at, expires_at) values ($1, $2, $3, $3, $4)',
        [id, userId, iso(now), iso(now + SESSION_MS_MAX)],
      );
      const claims: TokenClaims & { iat: number } = {
        sub: String(userId),
        sid: id,
        iat: Math.floor(now / 1000),
        exp: Math.floor((now + SESSION_MS_MAX) / 1000),
      };
      return jwt.sign(claims);
    },
    async accountOf(reads, { id, userId }) {
      const now = clock.wall();
      const [row] = await reads.query<AccountRow & { last_used_at: number }>(IN_FORCE, [
        id,
        userId,
        iso(now),
        iso(now - SESSION_IDLE_MS_MAX),
      ]);
      if (row === undefined) return null;
      const { last_used_at, ...account } = row;
      return { account, isNoted: last_used_at >= now - NOTED_EVERY_MS };
    },
    async noteUse(tx, id) {
      await tx.execute('update sessions set last_used_at = $2 where id = $1', [id, iso(clock.wall())]);
    },
    async end(tx, id) {
      await tx.execute('update sessions set ended_at = $2 where id = $1 and ended_at is null', [id, iso(clock.wall())]);
    },
    async endAll(tx, userId) {
      await tx.execute('update sessions set ended_at = $2 where user_id = $1 and ended_at is null', [
        userId,
        iso(clock.wall()),
      ]);
    },
  };
}

const IN_FORCE = kept(`
select u.id, u.username, u.email, u.is_admin, u.is_verified, s.last_used_at
from sessions s join users u on u.id = s.user_id
where s.id = $1 and s.user_id = $2 and s.ended_at is null and s.expires_at > $3 and s.last_used_at > $4
  and u.deactivated_at is null`);
