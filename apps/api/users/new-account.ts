import { ACCESS_WORDS, DomainError, normaliseEmail } from '@moorage/domain';
import type { Ledger } from '@moorage/ledger';
import { iso, type Random, type Tx, violatedConstraint } from '@moorage/server';

export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly at: number;
  readonly isAdmin?: boolean;
  readonly isVerified?: boolean;
  readonly referredByUserId?: number | null;
  readonly signupIp?: string | null;
}

/** No letters and digits that are taken for each other; 62 bits and more, so that codes cannot be guessed (S12). */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 13;

/** The row of an account and its wallet. A name or address that is taken: ACCOUNT_EXISTS, which does not say which of them. */
export async function insertAccount(
  tx: Tx,
  account: NewAccount,
  { ledger, random }: { ledger: Ledger; random: Random },
): Promise<number> {
  const [row] = await tx
    .query<{ id: number }>(
      `insert into users (username, email, email_normalised, password_hash, is_admin, is_verified, referral_code,
                          referred_by_user_id, signup_ip, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
      [
        account.username,
        account.email,
        normaliseEmail(account.email),
        account.passwordHash,
        account.isAdmin ?? false,
        account.isVerified ?? false,
        random.text(CODE_LENGTH, CODE_LETTERS),
        account.referredByUserId ?? null,
        account.signupIp ?? null,
        iso(account.at),
      ],
    )
    .catch((error: unknown) => {
      if (!TAKEN.includes(violatedConstraint(error) ?? '')) throw error;
      throw new DomainError('ACCOUNT_EXISTS', ACCESS_WORDS.account_taken);
    });
  if (row === undefined) throw new Error('the account was not written');
  await ledger.openWallet(tx, { userId: row.id, at: account.at });
  return row.id;
}

const TAKEN = ['users_username', 'users_email'];
