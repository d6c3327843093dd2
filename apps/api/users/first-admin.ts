import { event } from '@moorage/contracts';
import { checkNewPassword } from '@moorage/domain';
import type { Passwords } from '../auth/passwords';
import type { ApiDeps } from '../feature';
import { insertAccount } from './new-account';

export interface FirstAdmin {
  readonly email: string;
  /** Only where it was made up: to be printed once. */
  readonly password: string | null;
}

/** Processes that start together take turns; any constant. */
const FIRST_ADMIN_LOCK = 760_512;
/** Letters and digits that nobody takes for each other: it is typed from a terminal. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Makes the first administrator, verified, where no account is one; null when there is one. Safe to repeat. */
export function createFirstAdmin(deps: ApiDeps, { passwords }: { passwords: Passwords }) {
  const { db, clock, random, outbox } = deps;
  return async ({ email, password }: { email: string; password: string | undefined }): Promise<FirstAdmin | null> => {
    const made = password ?? random.text(20, LETTERS);
    const why = checkNewPassword(made);
    if (why !== null) throw new Error(`ADMIN_PASSWORD: ${why}`);
    const passwordHash = await passwords.hash(made);
    return db.tx('users.first-admin', async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [FIRST_ADMIN_LOCK]);
      const [admin] = await tx.query('select id from users where is_admin and deactivated_at is null limit 1');
      if (admin !== undefined) return null;
      const at = await clock.now(tx);
      const [taken] = await tx.query(`select id from users where lower(username) = 'admin'`);
      const username = taken === undefined ? 'admin' : `admin-${random.text(6)}`;
      const id = await insertAccount(tx, { username, email, passwordHash, at, isAdmin: true, isVerified: true }, deps);
      await outbox.append(tx, event('user.registered', id, { user_id: id }));
      return { email, password: password === undefined ? made : null };
    });
  };
}
