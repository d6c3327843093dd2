import type { UserSession } from '@moorage/contracts';
import { Session, type User } from '@moorage/database';
import { DAY_MS, type Instant, MINUTE_MS } from '@moorage/domain';
import { Clock, iso, prepared, Random, type Reads, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { type FindOperator, IsNull, MoreThan, Not } from 'typeorm';
import type { Origin } from '../http/call-input';
import { ApiSettings } from '../settings';
import { deviceOf } from '../http/devices';
import { usersRepository } from '../users-store/users.repository';

/** Maximum lifetime of a session, however active it is. */
export const SESSION_MS_MAX = 30 * DAY_MS;
/** Time after which an unused session ends. */
export const SESSION_IDLE_MS_MAX = 14 * DAY_MS;
/** Minimum interval between two records of a session's use, so that reads cost no write. */
const NOTED_EVERY_MS = 5 * MINUTE_MS;

const LISTED_MAX = 100;

export const TOKEN_ISSUER = 'moorage';
/** Audience of a token (`aud`). All kinds are signed with the same key, but none is accepted in place of another. */
export type TokenAudience = 'session' | 'view';

/** Claims of a session token. Everything else is read from the database. */
export interface TokenClaims {
  readonly sub: string;
  readonly sid: string;
  readonly exp: number;
  readonly aud: TokenAudience;
}

export interface AccountRow extends Pick<User, 'id' | 'username' | 'email' | 'is_admin' | 'is_verified'> {
  readonly has_two_factor: boolean;
}

/** Strength of a session's authentication, from its row. */
export type SessionStrength = Pick<Session, 'authenticated_at' | 'second_factor_at'>;

/** Manages sessions. A token alone grants nothing, because the row of its session decides at each call. */
@Injectable()
export class Sessions {
  private readonly jwt: JwtService;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    settings: ApiSettings,
  ) {
    this.jwt = tokenSigner(settings, 'session');
  }

  /**
   * Locks the account's row for a login. Returns null when the account has been deactivated or its password hash is no
   * longer the compared hash, so that a concurrent reset also ends this login.
   */
  async lockAccount(
    tx: Tx,
    { userId, passwordHash }: { userId: number; passwordHash: string },
  ): Promise<{ readonly has_two_factor: boolean } | null> {
    const row = await usersRepository.lockWithPassword(tx, userId, passwordHash);
    return row === null ? null : { has_two_factor: row.two_factor_at !== null };
  }

  /** Opens a session and returns its token. The account's row must be locked by `lockAccount`. */
  async open(
    tx: Tx,
    { userId, origin, gaveSecondFactor }: { userId: number; origin: Origin; gaveSecondFactor: boolean },
  ): Promise<string> {
    const now = this.clock.localNow();
    const id = this.random.text(32);
    await tx.repository(Session).insert({
      id,
      user_id: userId,
      created_at: now,
      last_used_at: now,
      expires_at: now + SESSION_MS_MAX,
      authenticated_at: now,
      second_factor_at: gaveSecondFactor ? now : null,
      ip_address: origin.ip,
      user_agent: origin.userAgent,
    });
    const claims: Omit<TokenClaims, 'aud'> & { iat: number } = {
      sub: String(userId),
      sid: id,
      iat: Math.floor(now / 1000),
      exp: Math.floor((now + SESSION_MS_MAX) / 1000),
    };
    return this.jwt.sign(claims);
  }

  /** Returns the valid sessions of an account, the most recently used first. */
  list(tx: Tx, userId: number): Promise<Session[]> {
    const now = this.clock.localNow();
    return tx.repository(Session).find({
      where: {
        user_id: userId,
        ended_at: IsNull(),
        expires_at: MoreThan(now),
        last_used_at: MoreThan(now - SESSION_IDLE_MS_MAX),
      },
      order: { last_used_at: 'desc', number: 'desc' },
      take: LISTED_MAX,
    });
  }

  /**
   * Returns the account of a valid session, or null. `isNoted` is true if the use of the session was recorded recently.
   */
  async accountOf(
    reads: Reads,
    { id, userId }: { id: string; userId: number },
  ): Promise<{ account: AccountRow; isNoted: boolean; strength: SessionStrength } | null> {
    const now = this.clock.localNow();
    const [row] = await reads.query<AccountRow & SessionStrength & { last_used_at: Instant }>(IN_FORCE, [
      id,
      userId,
      iso(now),
      iso(now - SESSION_IDLE_MS_MAX),
    ]);
    if (row === undefined) return null;
    const { last_used_at, authenticated_at, second_factor_at, ...account } = row;
    const isNoted = last_used_at >= now - NOTED_EVERY_MS;
    return { account, isNoted, strength: { authenticated_at, second_factor_at } };
  }

  /** Records that a second factor was entered in this session. */
  async gaveSecondFactor(tx: Tx, { id, userId }: { id: string; userId: number }): Promise<void> {
    await tx.repository(Session).update({ id, user_id: userId }, { second_factor_at: this.clock.localNow() });
  }

  /** Records that the password, and the second factor if one was entered, was confirmed again. */
  async authenticated(
    tx: Tx,
    { id, userId, gaveSecondFactor, at }: { id: string; userId: number; gaveSecondFactor: boolean; at: Instant },
  ): Promise<void> {
    const strength = { authenticated_at: at, ...(gaveSecondFactor ? { second_factor_at: at } : {}) };
    await tx.repository(Session).update({ id, user_id: userId }, strength);
  }

  /** Records that a session was used. */
  async noteUse(tx: Tx, { id, userId }: { id: string; userId: number }): Promise<void> {
    await tx.repository(Session).update({ id, user_id: userId }, { last_used_at: this.clock.localNow() });
  }

  async end(tx: Tx, { id, userId }: { id: string; userId: number }): Promise<void> {
    await this.endWhere(tx, { id, user_id: userId });
  }

  async endAll(tx: Tx, userId: number): Promise<void> {
    await this.endWhere(tx, { user_id: userId });
  }

  async endOthers(tx: Tx, { userId, exceptId }: { userId: number; exceptId: string }): Promise<void> {
    await this.endWhere(tx, { user_id: userId, id: Not(exceptId) });
  }

  private async endWhere(tx: Tx, which: { id?: string | FindOperator<string>; user_id: number }): Promise<void> {
    await tx.repository(Session).update({ ...which, ended_at: IsNull() }, { ended_at: this.clock.localNow() });
  }
}

/** Returns the signer for tokens of sessions and impersonation sessions. */
export function tokenSigner(settings: ApiSettings, audience: TokenAudience): JwtService {
  return new JwtService({
    privateKey: signingKey(settings),
    signOptions: { algorithm: 'HS256', issuer: TOKEN_ISSUER, audience },
  });
}

/** Converts a session for lists. Its id is part of the token and never shown. */
export function sessionAnswer(row: Session): UserSession {
  return {
    id: row.number,
    ip_address: row.ip_address,
    ...deviceOf(row.user_agent),
    created_at: iso(row.created_at),
    last_used_at: iso(row.last_used_at),
    expires_at: iso(row.expires_at),
  };
}

/**
 * Returns the key that signs session tokens (HS256). A key object, because the library would create one from a text at
 * each call.
 */
export function signingKey({ jwtSecret }: ApiSettings): KeyObject {
  return createSecretKey(jwtSecret, 'utf8');
}

const IN_FORCE = prepared(`
select u.id, u.username, u.email, u.is_admin, u.is_verified, u.two_factor_at is not null as has_two_factor,
  s.last_used_at, s.authenticated_at, s.second_factor_at
from sessions s join users u on u.id = s.user_id
where s.id = $1 and s.user_id = $2 and s.ended_at is null and s.expires_at > $3 and s.last_used_at > $4
  and u.deactivated_at is null`);
