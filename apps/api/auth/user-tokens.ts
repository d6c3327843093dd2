import { createHash } from 'node:crypto';
import { ACCESS_WORDS, DAY_MS, DomainError, HOUR_MS } from '@moorage/domain';
import { iso, Random, type Reads, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
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

export const LINK_ENDED = ACCESS_WORDS.link_ended;

export interface LinkToken {
  readonly id: number;
  readonly user_id: number;
  readonly used_at: number | null;
  readonly expires_at: number;
}

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
    await tx.execute(
      `update user_tokens set revoked_at = $3 where user_id = $1 and purpose = $2 and used_at is null and revoked_at is null`,
      [userId, purpose, iso(at)],
    );
    const token = this.random.text(LENGTH, LETTERS);
    const [row] = await tx.query<{ id: number }>(
      `insert into user_tokens (user_id, purpose, token_hash, created_at, expires_at) values ($1, $2, $3, $4, $5) returning id`,
      [userId, purpose, hashOf(token), iso(at), iso(at + LINK_MS_MAX[purpose])],
    );
    if (row === undefined) throw new Error('the token was not written');
    return { id: row.id, token };
  }

  /** The row of a link token, unlocked; null: never made, or revoked by a newer one. */
  private async findLink(
    tx: Tx,
    { token, purpose }: { token: string; purpose: LinkPurpose },
  ): Promise<LinkToken | null> {
    const [row] = await tx.query<LinkToken>(
      `select id, user_id, used_at, expires_at from user_tokens where token_hash = $1 and purpose = $2 and revoked_at is null`,
      [hashOf(token), purpose],
    );
    return row ?? null;
  }

  /** A link that was made and not revoked, otherwise TOKEN_INVALID; `spendLink` says whether it is used or has ended. */
  async linkInForce(tx: Tx, { token, purpose }: { token: string; purpose: LinkPurpose }): Promise<LinkToken> {
    const link = await this.findLink(tx, { token, purpose });
    if (link === null || (purpose === 'reset_password' && link.used_at !== null))
      throw new DomainError('TOKEN_INVALID', LINK_ENDED);
    return link;
  }

  /** Marks it as used: false when it is used already or has ended. */
  async spendLink(tx: Tx, { id, at }: { id: number; at: number }): Promise<boolean> {
    const spent = await tx.execute(
      'update user_tokens set used_at = $2 where id = $1 and used_at is null and revoked_at is null and expires_at > $2',
      [id, iso(at)],
    );
    return spent === 1;
  }

  async issueApiToken(
    tx: Tx,
    { userId, label, at }: { userId: number; label: string; at: number },
  ): Promise<ApiTokenRow & { token: string }> {
    const token = API_TOKEN_PREFIX + this.random.text(LENGTH, LETTERS);
    const [row] = await tx.query<ApiTokenRow>(
      `insert into user_tokens (user_id, purpose, token_hash, label, created_at) values ($1, 'api_token', $2, $3, $4)
         returning id, label, created_at`,
      [userId, hashOf(token), label, iso(at)],
    );
    if (row === undefined) throw new Error('the token was not written');
    return { ...row, token };
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
    const revoked = await tx.execute(
      `update user_tokens set revoked_at = $3 where id = $1 and user_id = $2 and purpose = 'api_token' and revoked_at is null`,
      [id, userId, iso(at)],
    );
    return revoked === 1;
  }

  /** Resolves with how many there were. */
  revokeAllApiTokens(tx: Tx, { userId, at }: { userId: number; at: number }): Promise<number> {
    return tx.execute(
      `update user_tokens set revoked_at = $2 where user_id = $1 and purpose = 'api_token' and revoked_at is null`,
      [userId, iso(at)],
    );
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
