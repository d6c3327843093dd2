import type { User } from '@moorage/database';
import { deactivatedUsername, type Instant, iso, type Language, normaliseEmail } from '@moorage/domain';
import type { Reads, SqlValue, Tx } from '@moorage/server';

/** Columns that SQL returns as they are. An address needs `host()`. */
type Column = Exclude<keyof User, 'signup_ip'>;

/** Accounts that a read finds. Erased accounts are also deactivated. */
const STATES = {
  any: 'true',
  present: 'erased_at is null',
  active: 'deactivated_at is null and erased_at is null',
} as const;
const STAFF = `is_admin and is_verified and ${STATES.active}`;

/** SQL condition on a row `u` of users: the account is the only active administrator. */
export const IS_LAST_ADMINISTRATOR = `(u.is_admin and u.deactivated_at is null and not exists
  (select 1 from users other where other.id <> u.id and other.is_admin and other.deactivated_at is null and other.erased_at is null))`;

interface Which {
  readonly state?: keyof typeof STATES;
  readonly lock?: '' | 'for no key update' | 'for share';
}

export type InsertedUser = Pick<
  User,
  | 'username'
  | 'email'
  | 'password_hash'
  | 'is_admin'
  | 'is_verified'
  | 'referral_code'
  | 'referred_by_user_id'
  | 'signup_ip'
  | 'created_at'
  | 'language'
>;

/** Reads and writes single rows of `users`. Lists, reports and joins are SQL in their features. */
export const usersRepository = {
  /** Returns these columns of an account, or null if there is none in this state. */
  find<Name extends Column>(
    tx: Reads,
    id: number,
    columns: readonly Name[],
    which: Which = {},
  ): Promise<Pick<User, Name> | null> {
    return read(tx, columns, { ...which, where: 'id = $1', params: [id] });
  },

  async exists(tx: Reads, id: number, which: Which = {}): Promise<boolean> {
    return (await this.find(tx, id, ['id'], which)) !== null;
  },

  /** The address is compared without case. */
  findByEmail<Name extends Column>(
    tx: Reads,
    email: string,
    columns: readonly Name[],
    which: Which = {},
  ): Promise<Pick<User, Name> | null> {
    return read(tx, columns, { ...which, where: 'lower(email) = lower($1)', params: [email] });
  },

  findByReferralCode<Name extends Column>(
    tx: Reads,
    code: string,
    columns: readonly Name[],
    which: Which = {},
  ): Promise<Pick<User, Name> | null> {
    return read(tx, columns, { ...which, where: 'referral_code = $1', params: [code.toUpperCase()] });
  },

  /** Finds an account by its username or email. A username precedes an equal email. */
  async findByName(tx: Reads, name: string): Promise<Pick<User, 'id'> | null> {
    const [row] = await tx.query<Pick<User, 'id'>>(
      `select id from users where folded(username) = folded($1) or lower(email) = lower($1)
       order by folded(username) = folded($1) desc, id limit 1`,
      [name],
    );
    return row ?? null;
  },

  async isUsernameTaken(tx: Reads, username: string): Promise<boolean> {
    const rows = await tx.query('select 1 from users where folded(username) = folded($1)', [username]);
    return rows.length > 0;
  },

  /** Locks an active account whose password hash is still this one. */
  lockWithPassword(tx: Tx, id: number, passwordHash: string): Promise<Pick<User, 'two_factor_at'> | null> {
    const where = 'id = $1 and password_hash = $2';
    const params = [id, passwordHash];
    return read(tx, ['two_factor_at'], { where, params, state: 'active', lock: 'for no key update' });
  },

  /** Locks the account with this address if it has a second factor. */
  lockWithTwoFactor(tx: Tx, email: string): Promise<Pick<User, 'id'> | null> {
    const where = 'lower(email) = lower($1) and two_factor_at is not null';
    return read(tx, ['id'], { where, params: [email], lock: 'for no key update' });
  },

  /** Returns whether an account has confirmed this address. */
  async isEmailConfirmed(tx: Reads, email: string): Promise<boolean> {
    const rows = await tx.query('select 1 from users where lower(email) = lower($1) and is_verified', [email]);
    return rows.length > 0;
  },

  /** Returns the usernames of accounts by their ids. */
  async usernames(tx: Reads, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const rows = await tx.query<Pick<User, 'id' | 'username'>>(
      'select id, username from users where id = any($1::int[])',
      [ids],
    );
    return new Map(rows.map(({ id, username }) => [id, username]));
  },

  /** Returns administrators who can act, in the order of their ids. */
  staff(tx: Reads, limit: number): Promise<Pick<User, 'id' | 'email' | 'language'>[]> {
    return tx.query(`select id, email, language from users where ${STAFF} order by id limit $1`, [limit]);
  },

  /** Returns an administrator who can act, or null. */
  findStaff(tx: Reads, id: number): Promise<Pick<User, 'email' | 'language'> | null> {
    return read(tx, ['email', 'language'], { where: `id = $1 and ${STAFF}`, params: [id] });
  },

  async hasAdministrator(tx: Reads): Promise<boolean> {
    const rows = await tx.query('select 1 from users where is_admin and deactivated_at is null limit 1');
    return rows.length > 0;
  },

  async isLastAdministrator(tx: Reads, id: number): Promise<boolean> {
    const [row] = await tx.query<{ is_last: boolean }>(
      `select ${IS_LAST_ADMINISTRATOR} as is_last from users u where u.id = $1`,
      [id],
    );
    return row?.is_last === true;
  },

  async insert(tx: Tx, { created_at, ...user }: InsertedUser): Promise<number> {
    const columns = { ...user, email_normalised: normaliseEmail(user.email), created_at: iso(created_at) };
    const places = Object.keys(columns).map((_, index) => `$${index + 1}`);
    const [row] = await tx.query<Pick<User, 'id'>>(
      `insert into users (${Object.keys(columns).join(', ')}) values (${places.join(', ')}) returning id`,
      Object.values(columns),
    );
    if (row === undefined) throw new Error('the account insert returned no row');
    return row.id;
  },

  async rename(tx: Tx, id: number, username: string): Promise<void> {
    await change(tx, id, { username });
  },

  async setLanguage(tx: Tx, id: number, language: Language): Promise<void> {
    await tx.execute('update users set language = $2 where id = $1', [id, language]);
  },

  async setPendingEmail(tx: Tx, id: number, email: string | null): Promise<void> {
    await change(tx, id, { pending_email: email });
  },

  async setEmail(tx: Tx, id: number, email: string): Promise<void> {
    await change(tx, id, { email, email_normalised: normaliseEmail(email), pending_email: null });
  },

  async verify(tx: Tx, id: number): Promise<void> {
    await change(tx, id, { is_verified: true });
  },

  /** Also ends a change of the address. Returns false for an account that is not active. */
  setPassword(tx: Tx, id: number, passwordHash: string): Promise<boolean> {
    return change(tx, id, { password_hash: passwordHash, pending_email: null }, 'active');
  },

  async setTwoFactor(tx: Tx, id: number, since: Instant | null): Promise<void> {
    await change(tx, id, { two_factor_at: since === null ? null : iso(since) });
  },

  /** Records the time step of a code. Returns false if this step or a later one was used before. */
  async useTwoFactorStep(tx: Tx, id: number, step: number): Promise<boolean> {
    const used = await tx.execute(
      'update users set two_factor_step = $2 where id = $1 and coalesce(two_factor_step, 0) < $2',
      [id, step],
    );
    return used === 1;
  },

  /** Turns a kind of email on or off. Returns false if the account does not exist or was erased. */
  async setMailed(tx: Tx, id: number, { kind, isOn }: { kind: string; isOn: boolean }): Promise<boolean> {
    const changed = await tx.execute(
      `update users set muted_mails = array_remove(muted_mails, $2) || (case when $3 then '{}' else array[$2] end)
       where id = $1 and ${STATES.present}`,
      [id, kind, isOn],
    );
    return changed > 0;
  },

  async setAdministrator(tx: Tx, id: number, isAdmin: boolean): Promise<void> {
    await change(tx, id, { is_admin: isAdmin });
  },

  async deactivate(tx: Tx, { id, username, at }: { id: number; username: string; at: Instant }): Promise<void> {
    const columns = { username: deactivatedUsername(id, username), deactivated_at: iso(at), pending_email: null };
    await change(tx, id, columns);
  },

  async reactivate(tx: Tx, id: number, username: string): Promise<void> {
    await change(tx, id, { username, deactivated_at: null, is_admin: false });
  },

  /** Overwrites everything that identifies the user. */
  async erase(tx: Tx, { id, passwordHash, at }: { id: number; passwordHash: string; at: Instant }): Promise<void> {
    const email = `erased-${id}@erased.invalid`;
    await change(tx, id, {
      username: `deactivated_${id}_erased`,
      email,
      email_normalised: email,
      password_hash: passwordHash,
      pending_email: null,
      signup_ip: null,
      two_factor_at: null,
      two_factor_step: null,
      muted_mails: [],
      is_admin: false,
      is_verified: false,
      erased_at: iso(at),
    });
  },
};

async function read<Name extends Column>(
  tx: Reads,
  columns: readonly Name[],
  { where, params, state = 'any', lock = '' }: Which & { where: string; params: readonly SqlValue[] },
): Promise<Pick<User, Name> | null> {
  const [row] = await tx.query<Pick<User, Name>>(
    `select ${columns.join(', ')} from users where ${where} and ${STATES[state]} ${lock}`,
    params,
  );
  return row ?? null;
}

/** Writes columns of an account and raises its version. Returns false if there is no account in this state. */
async function change(
  tx: Tx,
  id: number,
  columns: Partial<Record<keyof User, SqlValue>>,
  state: keyof typeof STATES = 'any',
): Promise<boolean> {
  const sets = Object.keys(columns).map((name, index) => `${name} = $${index + 2}`);
  const changed = await tx.execute(
    `update users set ${sets.join(', ')}, version = version + 1 where id = $1 and ${STATES[state]}`,
    [id, ...Object.values(columns)],
  );
  return changed > 0;
}
