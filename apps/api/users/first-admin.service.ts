import { event } from '@moorage/contracts';
import { checkNewPassword } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, Random } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Passwords } from '../auth/passwords.service';
import { ApiSettings } from '../settings';
import { usersRepository } from '../users-store/users.repository';
import { lockAdministrators } from './administrators.service';
import { NewAccounts } from './new-accounts.repository';

export interface FirstAdmin {
  readonly email: string;
  /** Set only if the password was generated, to be printed once. */
  readonly password: string | null;
}

/** Excludes letters and digits that are easily confused, because the password is typed from a terminal. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

@Injectable()
export class FirstAdminService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly outbox: Outbox,
    private readonly passwords: Passwords,
    private readonly accounts: NewAccounts,
    private readonly settings: ApiSettings,
  ) {}

  /**
   * Creates the first administrator, verified, if no account is an administrator (decisions 20). Returns null if one
   * exists. Idempotent.
   */
  async ensure({ email, password }: { email: string; password: string | undefined }): Promise<FirstAdmin | null> {
    const created = password ?? this.random.text(20, LETTERS);
    const why = checkNewPassword(created);
    if (why !== null) throw new Error(`ADMIN_PASSWORD: ${why.detail}`);
    const passwordHash = await this.passwords.hash(created);
    return this.db.tx('users.first-admin', async (tx) => {
      await lockAdministrators(tx);
      if (await usersRepository.hasAdministrator(tx)) return null;
      const at = await this.clock.now(tx);
      const isTaken = await usersRepository.isUsernameTaken(tx, 'admin');
      const username = !isTaken ? 'admin' : `admin-${this.random.text(6)}`;
      // Checked only here because the setting is not used once an installation has its administrator.
      const guessable = this.passwords.guessable(created, { username, email });
      if (guessable !== null && this.settings.mode === 'production')
        throw new Error(`ADMIN_PASSWORD: ${guessable.detail}`);
      const account = { username, email, passwordHash, at, isAdmin: true, isVerified: true };
      const id = await this.accounts.insert(tx, account);
      await this.outbox.append(tx, event('user.registered', id, { user_id: id }));
      return { email, password: password === undefined ? created : null };
    });
  }
}
