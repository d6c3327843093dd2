import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which account a mail is for: its link to unsubscribe switches mails of its kind off there. */
export class MailsOfAccounts1764633600000 implements MigrationInterface {
  readonly name = 'MailsOfAccounts1764633600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table mails add column user_id integer references users (id)');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
