import { createHmac } from 'node:crypto';
import { installationSecrets } from '@moorage/contracts';
import { type Instant, iso } from '@moorage/domain';
import { AccountSecrets, Random, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { usersRepository } from '../users-store/users.repository';

/** Money that a mailbox gets only once: the credits of a referral, and free credits. */
export type OncePerMailbox = 'referral' | 'free_credits';

const KEY_NAME = 'mailbox_key';
const KEY_BYTES = 32;

/** Grants to accounts. Those of older versions are only in the ledger until `keep` stores them with their mailbox. */
const GRANTED: Readonly<Record<OncePerMailbox, string>> = {
  referral: 'select 1 from referral_pairs g where g.referred_user_id = u.id',
  free_credits: `select 1 from credits g where g.user_id = u.id and g.credit_type = 'signup'`,
};

/**
 * Records which mailboxes have received money, whichever account they belong to now. An address can be changed and an
 * account can be erased, so each mailbox is stored as a keyed hash of its normalised address, which identifies nobody
 * without the key. The key is sealed among the secrets. Rotating the seal keys re-seals it without changing its value,
 * so the hashes remain valid.
 */
@Injectable()
export class Mailboxes {
  private key: Buffer | null = null;

  constructor(
    private readonly secrets: AccountSecrets,
    private readonly random: Random,
  ) {}

  /** Stores the account's current mailbox if it was confirmed, together with the money the account has received. */
  async store(tx: Tx, { userId, at }: { userId: number; at: Instant }): Promise<void> {
    const mailbox = await this.hash(tx, await currentMailbox(tx, userId));
    await tx.execute(
      `insert into account_mailboxes (mailbox, user_id, what, at)
       select $2, id, 'confirmed', $3 from users where id = $1 and is_verified on conflict do nothing`,
      [userId, mailbox, iso(at)],
    );
    for (const [what, granted] of Object.entries(GRANTED))
      await tx.execute(
        `insert into account_mailboxes (mailbox, user_id, what, at)
         select m.mailbox, u.id, $2, $3 from account_mailboxes m join users u on u.id = m.user_id
         where u.id = $1 and m.what = 'confirmed' and exists (${granted}) order by m.mailbox on conflict do nothing`,
        [userId, what, iso(at)],
      );
  }

  /**
   * Claims the money for every mailbox the account has had. Returns false if one of them, or the account, has already
   * received it. A second claim waits for the transaction of the first. The caller holds the lock of the wallet.
   */
  async claim(tx: Tx, { userId, what, at }: { userId: number; what: OncePerMailbox; at: Instant }): Promise<boolean> {
    const emailNormalised = await currentMailbox(tx, userId);
    if (await this.had(tx, { what, userId, emailNormalised })) return false;
    await this.store(tx, { userId, at });
    const claimed = await tx.query<{ mailbox: string }>(
      `insert into account_mailboxes (mailbox, user_id, what, at)
       select mailbox, user_id, $2, $3 from account_mailboxes where user_id = $1 and what = 'confirmed' order by mailbox
       on conflict do nothing returning mailbox`,
      [userId, what, iso(at)],
    );
    const [counted] = await tx.query<{ count: number }>(
      `select count(*)::int as count from account_mailboxes where user_id = $1 and what = 'confirmed'`,
      [userId],
    );
    if (counted !== undefined && counted.count === claimed.length) return true;
    await tx.execute('delete from account_mailboxes where user_id = $1 and what = $2', [userId, what]);
    return false;
  }

  /** Returns true if the mailbox or the account has received the money. `userId` is null without an account. */
  async had(
    tx: Tx,
    { what, userId, emailNormalised }: { what: OncePerMailbox; userId: number | null; emailNormalised: string },
  ): Promise<boolean> {
    const mailbox = await this.hash(tx, emailNormalised);
    const [row] = await tx.query(
      `select 1 where exists (select 1 from account_mailboxes where what = $1 and (mailbox = $2 or user_id = $3))
         or exists (select 1 from users u where (u.id = $3 or u.email_normalised = $4) and exists (${GRANTED[what]}))`,
      [what, mailbox, userId, emailNormalised],
    );
    return row !== undefined;
  }

  /** Returns true if the mailbox is, or was, this account's. */
  async isOf(tx: Tx, { userId, emailNormalised }: { userId: number; emailNormalised: string }): Promise<boolean> {
    const [row] = await tx.query(
      `select 1 where exists (select 1 from users where id = $1 and email_normalised = $2)
         or exists (select 1 from account_mailboxes where user_id = $1 and mailbox = $3 and what = 'confirmed')`,
      [userId, emailNormalised, await this.hash(tx, emailNormalised)],
    );
    return row !== undefined;
  }

  async hash(tx: Tx, emailNormalised: string): Promise<string> {
    return createHmac('sha256', await this.keyOf(tx))
      .update(emailNormalised)
      .digest('base64url');
  }

  /**
   * Returns the key. It is cached only after the commit, because the transaction that creates it may be rolled back.
   */
  private async keyOf(tx: Tx): Promise<Buffer> {
    if (this.key !== null) return this.key;
    const key = Buffer.from(await this.storedKey(tx), 'base64');
    tx.afterCommit(() => void (this.key = key));
    return key;
  }

  private async storedKey(tx: Tx): Promise<string> {
    const stored = await this.secrets.get(tx, installationSecrets, KEY_NAME);
    if (stored !== null) return stored;
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('moorage.mailbox-key', 0))`);
    const meanwhile = await this.secrets.get(tx, installationSecrets, KEY_NAME);
    if (meanwhile !== null) return meanwhile;
    const key = this.random.bytes(KEY_BYTES).toString('base64');
    await this.secrets.put(tx, installationSecrets, KEY_NAME, key);
    return key;
  }
}

/** Locks the account, so that its address cannot change until the transaction ends. */
async function currentMailbox(tx: Tx, userId: number): Promise<string> {
  const row = await usersRepository.find(tx, userId, ['email_normalised'], { lock: 'for no key update' });
  if (row === null) throw new Error('the account of the mailbox does not exist');
  return row.email_normalised;
}
