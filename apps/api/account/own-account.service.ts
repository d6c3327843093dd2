import type { User } from '@moorage/database';
import { ACCESS_MESSAGES, DomainError, OWN_ACCOUNT_MESSAGES } from '@moorage/domain';
import { Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { LoginLimits } from '../auth/login-limits.policy';
import { Passwords } from '../auth/passwords.service';
import { SecurityEvents } from '../auth/security-events.service';
import { Sessions } from '../auth/sessions.service';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import { usersRepository } from '../users-store/users.repository';

const COLUMNS = [
  'username',
  'email',
  'pending_email',
  'password_hash',
  'language',
  'is_admin',
  'two_factor_at',
] as const;
export type OwnAccountRow = Pick<User, (typeof COLUMNS)[number]>;

/** Locks the caller's own account for a change and verifies that the caller may change it. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly db: Db,
    private readonly limits: LoginLimits,
    private readonly events: SecurityEvents,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
  ) {}

  /** Locks the caller's row. Fails if the session has ended since the call was admitted. */
  async lock(tx: Tx, { userId, credentialId: id }: Caller): Promise<OwnAccountRow> {
    const row = await usersRepository.find(tx, userId, COLUMNS, { lock: 'for no key update' });
    if (row === null || (await this.sessions.accountOf(tx, { id, userId })) === null)
      throw new DomainError('UNAUTHENTICATED', ACCESS_MESSAGES.session_ended);
    return row;
  }

  /**
   * Verifies the caller's password and reports a wrong one at the field `path`. Returns the hash it was compared with,
   * for `lockProven`.
   */
  async provePassword(caller: Caller, password: string, path: string): Promise<string> {
    await this.limits.takeOwnPassword(caller.userId);
    const hash = await this.db.tx('account.password', async (tx) => {
      const row = await usersRepository.find(tx, caller.userId, ['password_hash']);
      return row?.password_hash ?? null;
    });
    if (hash === null || !(await this.passwords.matches(password, hash))) {
      this.events.record('password_wrong');
      throw new FieldsInvalid([{ path, message: OWN_ACCOUNT_MESSAGES.password_wrong }]);
    }
    await this.limits.ownPasswordSucceeded(caller.userId);
    return hash;
  }

  /** Same as `lock`, but fails if the password has changed since it was verified. */
  async lockProven(tx: Tx, caller: Caller, provenHash: string): Promise<OwnAccountRow> {
    const row = await this.lock(tx, caller);
    if (row.password_hash !== provenHash) throw new DomainError('UNAUTHENTICATED', ACCESS_MESSAGES.session_ended);
    return row;
  }
}
