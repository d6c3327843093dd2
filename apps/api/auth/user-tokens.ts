import { createHash } from 'node:crypto';
import { UserToken } from '@moorage/database';
import { ACCESS_MESSAGES, DAY_MS, DomainError, HOUR_MS } from '@moorage/domain';
import { Random, type Reads, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import type { AccountRow } from './sessions';

/** Tokens that travel in links, and personal API tokens. Only their hashes are stored: the database reveals none. */
export type LinkPurpose = 'verify_email' | 'reset_password';

export const LINK_MS_MAX: Readonly<Record<LinkPurpose, number>> = { verify_email: DAY_MS, reset_password: HOUR_MS };

/** Tells a personal API token from a session token, and secret scanners what they found. */
export const API_TOKEN_PREFIX = 'mrg_';
const API_TOKENS = `
select t.id as token_id, u.id, u.username, u.email, u.is_admin, u.is_verified
from user_tokens t join users u on u.id = t.user_id
where t.purpose = 'api_token' and t.revoked_at is null and u.deactivated_at is null`;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** 190 bits; a link with it fits on a line of a mail. */
const LENGTH = 32;

export const LINK_ENDED = ACCESS_MESSAGES.link_ended;

export type LinkToken = Pick<UserToken, 'id' | 'user_id' | 'used_at'>;

export interface ApiTokenRow {
  readonly id: number;
  readonly label: string;
  readonly created_at: number;
}

@Injectable()
export class UserTokens {
  constructor(private readonly random: Random) {}

  /** Makes a link token; earlier ones of the same purpose stop working. */
  async issueLink(
    tx: Tx,
    { userId, purpose, at }: { userId: number; purpose: LinkPurpose; at: number },
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
    });
    return { id, token };
  }

  /** The row of a link token, unlocked; null: never made, or revoked by a newer one. */
  private findLink(tx: Tx, { token, purpose }: { token: string; purpose: LinkPurpose }): Promise<LinkToken | null> {
    return tx.repository(UserToken).findOneBy({ token_hash: hashOf(token), purpose, revoked_at: IsNull() });
  }

  /** A link that was made and not revoked, otherwise TOKEN_INVALID; `spendLink` says whether it is used or has ended. */
  async linkInForce(tx: Tx, { token, purpose }: { token: string; purpose: LinkPurpose }): Promise<LinkToken> {
    const link = await this.findLink(tx, { token, purpose });
    if (link === null || (purpose === 'reset_password' && link.used_at !== null))
      throw new DomainError('TOKEN_INVALID', LINK_ENDED);
    return link;
  }

  /** Marks it as used: false when it is used already or has ended. */
  async spendLink(tx: Tx, { id, user_id }: LinkToken, at: number): Promise<boolean> {
    const unspent = { id, user_id, used_at: IsNull(), revoked_at: IsNull(), expires_at: MoreThan(at) };
    const { affected } = await tx.repository(UserToken).update(unspent, { used_at: at });
    return affected === 1;
  }

  async issueApiToken(
    tx: Tx,
    { userId, label, at }: { userId: number; label: string; at: number },
  ): Promise<ApiTokenRow & { token: string }> {
    const token = API_TOKEN_PREFIX + this.random.text(LENGTH, LETTERS);
    const { id } = await tx.repository(UserToken).save({
      user_id: userId,
      purpose: 'api_token',
      token_hash: hashOf(token),
      label,
      created_at: at,
    });
    return { id, label, created_at: at, token };
  }

  apiTokens(tx: Tx, userId: number): Promise<ApiTokenRow[]> {
    return tx.query<ApiTokenRow>(
      `select id, label, created_at from user_tokens where user_id = $1 and purpose = 'api_token' and revoked_at is null order by id desc`,
      [userId],
    );
  }

  /** The account of a personal API token that is not revoked, by the token itself or by its row's id; null: there is none. */
  async accountOfApiToken(
    reads: Reads,
    by: { readonly token: string } | { readonly id: number },
  ): Promise<{ id: number; account: AccountRow } | null> {
    const [row] = await reads.query<AccountRow & { token_id: number }>(
      'token' in by ? `${API_TOKENS} and t.token_hash = $1` : `${API_TOKENS} and t.id = $1`,
      ['token' in by ? hashOf(by.token) : by.id],
    );
    if (row === undefined) return null;
    const { token_id: id, ...account } = row;
    return { id, account };
  }

  async revokeApiToken(tx: Tx, { id, userId, at }: { id: number; userId: number; at: number }): Promise<boolean> {
    const inForce = { id, user_id: userId, purpose: 'api_token' as const, revoked_at: IsNull() };
    const { affected } = await tx.repository(UserToken).update(inForce, { revoked_at: at });
    return affected === 1;
  }

  /** Resolves with how many there were. */
  async revokeAllApiTokens(tx: Tx, { userId, at }: { userId: number; at: number }): Promise<number> {
    const inForce = { user_id: userId, purpose: 'api_token' as const, revoked_at: IsNull() };
    const { affected } = await tx.repository(UserToken).update(inForce, { revoked_at: at });
    return affected ?? 0;
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
