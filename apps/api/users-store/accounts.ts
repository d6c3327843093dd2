import type { User } from '@moorage/contracts';
import type { User as StoredUser, Wallet } from '@moorage/database';
import { ACCESS_MESSAGES, DomainError, iso, Money } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { usersRepository } from '../users-store/users.repository';

export const NO_ACCOUNT = new DomainError('NOT_FOUND', ACCESS_MESSAGES.account_unknown);

export interface UserRow
  extends
    Pick<
      StoredUser,
      'id' | 'username' | 'email' | 'pending_email' | 'is_admin' | 'is_verified' | 'language' | 'created_at'
    >,
    Pick<Wallet, 'regular_micros'> {
  readonly email_undeliverable: boolean;
  readonly has_two_factor: boolean;
}

/**
 * SQL that is true if the newest email with a known result was refused because of its recipient. Emails are deleted
 * after 90 days.
 */
const UNDELIVERABLE = `coalesce((
  select m.given_up_at is not null and m.waits_for = 'mailbox' from mails m
   where m.recipient = u.email and (m.sent_at is not null or m.given_up_at is not null) order by m.id desc limit 1), false)`;

/** Columns of `users u join wallets w`, for `userAnswer`. */
export const USER_COLUMNS = `${UNDELIVERABLE} as email_undeliverable, u.id, u.username, u.email, u.pending_email, u.is_admin, u.is_verified,
  u.two_factor_at is not null as has_two_factor, u.language, u.created_at, w.regular_micros`;

/** Throws NOT_FOUND if the account does not exist or was erased. */
export async function mustExist(tx: Tx, userId: number): Promise<void> {
  if (!(await usersRepository.exists(tx, userId, { state: 'present' }))) throw NO_ACCOUNT;
}

export async function readUser(tx: Tx, id: number): Promise<User> {
  const [row] = await tx.query<UserRow>(
    `select ${USER_COLUMNS} from users u join wallets w on w.user_id = u.id where u.id = $1`,
    [id],
  );
  if (row === undefined) throw NO_ACCOUNT;
  return userAnswer(row);
}

/**
 * Converts an account for responses. This is the only list of the fields that users see. Administrators see additional
 * fields.
 */
export function userAnswer(row: UserRow): User {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    pending_email: row.pending_email,
    email_undeliverable: row.email_undeliverable,
    is_admin: row.is_admin,
    is_verified: row.is_verified,
    has_two_factor: row.has_two_factor,
    language: row.language,
    balance: Money.fromMicrosText(row.regular_micros).toWire(),
    created_at: iso(row.created_at),
  };
}
