import { ACCESS_MESSAGES, DomainError } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Sessions } from '../auth/sessions.service';
import type { Caller } from '../http/call-input';
import { usersRepository } from '../users-store/users.repository';

/** Arbitrary constant. */
const ADMINISTRATORS_LOCK = 760_512;

/** Serialises changes of administrators across all processes. Must be acquired before any wallet's lock. */
export async function lockAdministrators(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [ADMINISTRATORS_LOCK]);
}

/** Manages who is an administrator. Only one administrator at a time makes changes. */
@Injectable()
export class Administrators {
  constructor(private readonly sessions: Sessions) {}

  /**
   * Begins a transaction in which `caller` changes administrators. The caller is read again after waiting: if two
   * administrators remove each other's role concurrently, the second no longer has it.
   */
  async takeTurn(tx: Tx, { userId, credentialId: id }: Caller): Promise<void> {
    await lockAdministrators(tx);
    const found = await this.sessions.accountOf(tx, { id, userId });
    if (found === null) throw new DomainError('UNAUTHENTICATED', ACCESS_MESSAGES.session_ended);
    if (!found.account.is_admin) throw new DomainError('FORBIDDEN', ACCESS_MESSAGES.admin_only);
  }

  /** Returns true for the last administrator. After `takeTurn`, the result remains valid until the transaction ends. */
  async isLast(tx: Tx, userId: number): Promise<boolean> {
    return usersRepository.isLastAdministrator(tx, userId);
  }
}
