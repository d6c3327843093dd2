import { ACCESS_MESSAGES, DomainError, type Language, LANGUAGES, normaliseEmail } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { iso, Random, type Tx, violatedConstraint } from '@moorage/server';
import { Injectable } from '@nestjs/common';

export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly language?: Language;
  readonly at: number;
  readonly isAdmin?: boolean;
  readonly isVerified?: boolean;
  readonly referredByUserId?: number | null;
  readonly signupIp?: string | null;
}

/**
 * Excludes letters and digits that are easily confused. Codes have more than 62 bits, so that they cannot be guessed
 * (S12).
 */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 13;

@Injectable()
export class NewAccounts {
  constructor(
    private readonly random: Random,
    private readonly ledger: Ledger,
  ) {}

  /**
   * Inserts an account and its wallet. Throws ACCOUNT_EXISTS if the name or the address is taken, without revealing
   * which.
   */
  async insert(tx: Tx, account: NewAccount): Promise<number> {
    const [row] = await tx
      .query<{ id: number }>(
        `insert into users (username, email, email_normalised, password_hash, is_admin, is_verified, referral_code,
                          referred_by_user_id, signup_ip, created_at, language)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
        [
          account.username,
          account.email,
          normaliseEmail(account.email),
          account.passwordHash,
          account.isAdmin ?? false,
          account.isVerified ?? false,
          this.random.text(CODE_LENGTH, CODE_LETTERS),
          account.referredByUserId ?? null,
          account.signupIp ?? null,
          iso(account.at),
          account.language ?? LANGUAGES[0],
        ],
      )
      .catch((error: unknown) => {
        if (!TAKEN.includes(violatedConstraint(error) ?? '')) throw error;
        throw new DomainError('ACCOUNT_EXISTS', ACCESS_MESSAGES.account_taken);
      });
    if (row === undefined) throw new Error('the account insert returned no row');
    await this.ledger.openWallet(tx, { userId: row.id, at: account.at });
    return row.id;
  }
}

const TAKEN = ['users_username', 'users_email'];
