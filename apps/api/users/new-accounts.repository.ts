import { ACCESS_MESSAGES, DomainError, type Language, LANGUAGES } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Random, type Tx, violatedConstraint } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { usersRepository } from '../users-store/users.repository';

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
    const id = await usersRepository
      .insert(tx, {
        username: account.username,
        email: account.email,
        password_hash: account.passwordHash,
        is_admin: account.isAdmin ?? false,
        is_verified: account.isVerified ?? false,
        referral_code: this.random.text(CODE_LENGTH, CODE_LETTERS),
        referred_by_user_id: account.referredByUserId ?? null,
        signup_ip: account.signupIp ?? null,
        created_at: account.at,
        language: account.language ?? LANGUAGES[0],
      })
      .catch((error: unknown) => {
        if (!TAKEN.includes(violatedConstraint(error) ?? '')) throw error;
        throw new DomainError('ACCOUNT_EXISTS', ACCESS_MESSAGES.account_taken);
      });
    await this.ledger.openWallet(tx, { userId: id, at: account.at });
    return id;
  }
}

const TAKEN = ['users_username', 'users_email'];
