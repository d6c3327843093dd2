import { createHash } from 'node:crypto';
import { UserToken } from '@moorage/database';
import type { TokenScope } from '@moorage/contracts';
import { ACCESS_MESSAGES, DAY_MS, DomainError, HOUR_MS, iso, MINUTE_MS } from '@moorage/domain';
import { Random, type Reads, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, Not } from 'typeorm';
import { currentRequest } from '../http/request-context';
import { SecurityEvents } from './security-events.service';
import type { AccountRow } from './sessions.service';

/** Tokens sent in links, and personal API tokens. Only their hashes are stored, so the database reveals none. */
export type LinkPurpose = 'verify_email' | 'reset_password' | 'change_email';

export const LINK_MS_MAX: Readonly<Record<LinkPurpose, number>> = {
  verify_email: DAY_MS,
  reset_password: HOUR_MS,
  change_email: DAY_MS,
};

/** Distinguishes personal API tokens from session tokens, and identifies them to secret scanners. */
export const API_TOKEN_PREFIX = 'mrg_';
const API_TOKENS = `
select t.id as token_id, t.scope, t.last_used_at, t.owner_was_admin, t.second_factor_at, t.networks, u.id, u.username, u.email, u.is_admin, u.is_verified,
  u.two_factor_at is not null as has_two_factor
from user_tokens t join users u on u.id = t.user_id
where t.purpose = 'api_token' and t.revoked_at is null and u.deactivated_at is null
  and (t.expires_at is null or t.expires_at > $2)`;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** 190 bits. A link with such a token fits on a line of an email. */
const LENGTH = 32;

export const LINK_ENDED = ACCESS_MESSAGES.link_ended;

export type LinkToken = Pick<UserToken, 'id' | 'user_id' | 'used_at' | 'purpose' | 'session_id'>;

export type ApiTokenRow = Pick<UserToken, 'id' | 'label' | 'scope' | 'created_at' | 'expires_at' | 'last_used_at'>;

/** Minimum interval between two records of a token's use, so that reads cost no write. */
const NOTED_EVERY_MS = 5 * MINUTE_MS;

interface NewApiToken {
  readonly userId: number;
  readonly label: string;
  readonly scope: TokenScope;
  readonly expiresAt: number;
  readonly strength: TokenStrength;
  readonly at: number;
}

/** Properties of a personal API token that are copied from the session that created it. */
export type TokenStrength = Pick<UserToken, 'owner_was_admin' | 'second_factor_at'>;

/**
 * A valid personal API token with its account. `isNoted` is true if its use was recorded within the last five minutes.
 */
interface FoundApiToken {
  readonly id: number;
  readonly scope: TokenScope;
  readonly strength: TokenStrength;
  readonly isNoted: boolean;
  /** Networks from which the token was used recently. */
  readonly networks: readonly string[];
  readonly account: AccountRow;
}

@Injectable()
export class UserTokens {
  constructor(
    private readonly random: Random,
    private readonly events: SecurityEvents,
  ) {}

  /** Creates a link token. Earlier ones of the same purpose stop working. */
  async issueLink(
    tx: Tx,
    { userId, purpose, sessionId, at }: { userId: number; purpose: LinkPurpose; sessionId?: string; at: number },
  ): Promise<{ id: number; token: string }> {
    const tokens = tx.repository(UserToken);
    await tokens.update({ user_id: userId, purpose, used_at: IsNull(), revoked_at: IsNull() }, { revoked_at: at });
    const token = this.random.text(LENGTH, LETTERS);
    const { id } = await tokens.save({
      user_id: userId,
      purpose,
      token_hash: hashOf(token),
      created_at: at,
      expires_at: at + LINK_MS_MAX[purpose],
      session_id: sessionId ?? null,
    });
    return { id, token };
  }

  /** Returns the row of a link token without locking it, or null if it never existed or was revoked by a newer one. */
  private findLink(tx: Tx, token: string, purposes: readonly LinkPurpose[]): Promise<LinkToken | null> {
    return tx
      .repository(UserToken)
      .findOneBy({ token_hash: hashOf(token), purpose: In(purposes), revoked_at: IsNull() });
  }

  /**
   * Returns a link that exists and was not revoked, otherwise throws TOKEN_INVALID. `spendLink` checks whether it was
   * used or has expired.
   */
  async linkInForce(tx: Tx, token: string, ...purposes: readonly LinkPurpose[]): Promise<LinkToken> {
    const link = await this.findLink(tx, token, purposes);
    if (link === null) throw new DomainError('TOKEN_INVALID', LINK_ENDED);
    if (link.purpose === 'reset_password' && link.used_at !== null) {
      this.events.record('link_reused', { accountId: link.user_id });
      throw new DomainError('TOKEN_INVALID', LINK_ENDED);
    }
    return link;
  }

  /**
   * Returns the time at which a link was used, or null. Only meaningful while the account is locked, because another
   * call may be using the link.
   */
  async usedAt(tx: Tx, { id, user_id }: LinkToken): Promise<number | null> {
    const link = await tx.repository(UserToken).findOneBy({ id, user_id, revoked_at: IsNull() });
    return link?.used_at ?? null;
  }

  /** Marks the link as used. Returns false if it was used before or has expired. */
  async spendLink(tx: Tx, { id, user_id }: LinkToken, at: number): Promise<boolean> {
    const unspent = { id, user_id, used_at: IsNull(), revoked_at: IsNull(), expires_at: MoreThan(at) };
    const { affected } = await tx.repository(UserToken).update(unspent, { used_at: at });
    if (affected === 1) return true;
    // It was used, not expired.
    if (await tx.repository(UserToken).existsBy({ id, user_id, used_at: Not(IsNull()) }))
      this.events.record('link_reused', { accountId: user_id });
    return false;
  }

  /** Revokes the unopened links of this purpose. Resolves with their number. */
  async revokeLinks(
    tx: Tx,
    { userId, purpose, at }: { userId: number; purpose: LinkPurpose; at: number },
  ): Promise<number> {
    const unspent = { user_id: userId, purpose, used_at: IsNull(), revoked_at: IsNull() };
    const { affected } = await tx.repository(UserToken).update(unspent, { revoked_at: at });
    return affected ?? 0;
  }

  async issueApiToken(
    tx: Tx,
    { userId, label, scope, expiresAt, strength, at }: NewApiToken,
  ): Promise<ApiTokenRow & { token: string }> {
    const token = API_TOKEN_PREFIX + this.random.text(LENGTH, LETTERS);
    const row = { label, scope, created_at: at, expires_at: expiresAt };
    // The owner expects use from the network where the token was created.
    const networks = currentRequest()?.origin.networks.slice(0, 1) ?? [];
    const { id } = await tx
      .repository(UserToken)
      .save({ user_id: userId, purpose: 'api_token', token_hash: hashOf(token), networks, ...row, ...strength });
    return { id, ...row, last_used_at: null, token };
  }

  /** Returns the valid tokens, the newest first. */
  apiTokens(tx: Tx, { userId, at }: { userId: number; at: number }): Promise<ApiTokenRow[]> {
    const inForce = { user_id: userId, purpose: 'api_token', revoked_at: IsNull() } as const;
    return tx.repository(UserToken).find({
      where: [
        { ...inForce, expires_at: IsNull() },
        { ...inForce, expires_at: MoreThan(at) },
      ],
      order: { id: 'desc' },
    });
  }

  /** Returns the account of a valid personal API token, found by the token itself or by its row's id, or null. */
  async accountOfApiToken(
    reads: Reads,
    by: { readonly token: string } | { readonly id: number },
    now: number,
  ): Promise<FoundApiToken | null> {
    const [row] = await reads.query<
      AccountRow &
        TokenStrength & { token_id: number; scope: TokenScope; last_used_at: number | null; networks: string[] }
    >('token' in by ? `${API_TOKENS} and t.token_hash = $1` : `${API_TOKENS} and t.id = $1`, [
      'token' in by ? hashOf(by.token) : by.id,
      iso(now),
    ]);
    if (row === undefined) return null;
    const { token_id: id, scope, last_used_at, owner_was_admin, second_factor_at, networks, ...account } = row;
    const isNoted = last_used_at !== null && last_used_at >= now - NOTED_EVERY_MS;
    return { id, scope, strength: { owner_was_admin, second_factor_at }, isNoted, networks, account };
  }

  /** Records that a personal API token was used. */
  async noteUse(tx: Tx, { id, userId, now }: { id: number; userId: number; now: number }): Promise<void> {
    await tx.repository(UserToken).update({ id, user_id: userId }, { last_used_at: now });
  }

  async revokeApiToken(tx: Tx, { id, userId, at }: { id: number; userId: number; at: number }): Promise<boolean> {
    const inForce = { id, user_id: userId, purpose: 'api_token' as const, revoked_at: IsNull() };
    const { affected } = await tx.repository(UserToken).update(inForce, { revoked_at: at });
    return affected === 1;
  }

  /** Revokes API tokens as well as links. */
  async revokeAll(tx: Tx, { userId, at }: { userId: number; at: number }): Promise<void> {
    await tx.repository(UserToken).update({ user_id: userId, revoked_at: IsNull() }, { revoked_at: at });
  }

  /** Resolves with the number of revoked tokens. */
  async revokeAllApiTokens(tx: Tx, { userId, at }: { userId: number; at: number }): Promise<number> {
    const inForce = { user_id: userId, purpose: 'api_token' as const, revoked_at: IsNull() };
    const { affected } = await tx.repository(UserToken).update(inForce, { revoked_at: at });
    return affected ?? 0;
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
