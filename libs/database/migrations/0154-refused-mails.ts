import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an unsent mail waits for, and which mails were given up. */
export class RefusedMails1766620800000 implements MigrationInterface {
  readonly name = 'RefusedMails1766620800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table mails
        -- mailbox: the mail server refuses this recipient; limit: the recipient is unconfirmed and had too many
        add column waits_for text not null default 'server' check (waits_for in ('server', 'mailbox', 'limit')),
        add column given_up_at timestamptz,
        add check (sent_at is null or given_up_at is null);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
