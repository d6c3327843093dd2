import { ACCESS_MESSAGES, DomainError } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Sessions } from '../auth/sessions';
import type { Caller } from '../http/call-input';

/** Any constant. */
const ADMINISTRATORS_LOCK = 760_512;

/** Changes of who administers take turns, in every process; taken before any wallet. */
export async function lockAdministrators(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [ADMINISTRATORS_LOCK]);
}

/** Of a row `u` of users: the account is an active administrator and there is no other. */
export const IS_LAST_ADMINISTRATOR = `(u.is_admin and u.deactivated_at is null and not exists
  (select 1 from users other where other.id <> u.id and other.is_admin and other.deactivated_at is null and other.erased_at is null))`;

/** Who administers: changed by one administrator at a time. */
@Injectable()
export class Administrators {
  constructor(private readonly sessions: Sessions) {}

  /**
   * Begins a transaction in which `caller` changes who administers. Whoever waited for this turn is looked up again: of two
   * administrators who take each other's role at once, the second no longer has it.
   */
  async takeTurn(tx: Tx, { userId, credentialId: id }: Caller): Promise<void> {
    await lockAdministrators(tx);
    const found = await this.sessions.accountOf(tx, { id, userId });
    if (found === null) throw new DomainError('UNAUTHENTICATED', ACCESS_MESSAGES.session_ended);
    if (!found.account.is_admin) throw new DomainError('FORBIDDEN', ACCESS_MESSAGES.admin_only);
  }

  /** Decided after `takeTurn`, it stays true until the transaction ends. */
  async isLast(tx: Tx, userId: number): Promise<boolean> {
    const [row] = await tx.query<{ is_last: boolean }>(
      `select ${IS_LAST_ADMINISTRATOR} as is_last from users u where u.id = $1`,
      [userId],
    );
    return row?.is_last === true;
  }
}
