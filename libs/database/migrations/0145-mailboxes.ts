import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which mailboxes an account has had and which of them had a credit, as keyed hashes, and which mails go to unconfirmed addresses. */
export class Mailboxes1764142000000 implements MigrationInterface {
  readonly name = 'Mailboxes1764142000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table account_mailboxes (
        -- HMAC-SHA-256 of the normalised address; the key is in secrets, sealed
        mailbox text not null check (length(mailbox) = 43),
        user_id integer not null references users (id),
        -- confirmed: the account has had this mailbox. The other two: its one credit of that kind was granted
        what    text not null check (what in ('confirmed', 'referral', 'free_credits')),
        at      timestamptz not null,
        primary key (mailbox, what, user_id)
      );
      -- a mailbox gets money of each kind once, whichever account it belongs to by then
      create unique index account_mailboxes_once on account_mailboxes (mailbox, what) where what <> 'confirmed';
      create index account_mailboxes_user on account_mailboxes (user_id);

      -- the recipient had not been confirmed as anybody's when the mail was queued
      alter table mails add column to_unconfirmed boolean not null default false;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
