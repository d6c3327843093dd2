import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An export reads every session of an account, ended ones too, and the mails to its address. */
export class RowsOfExports1764374400000 implements MigrationInterface {
  readonly name = 'RowsOfExports1764374400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index sessions_of_user on sessions (user_id, number);
      create index mails_recipient on mails (recipient, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index sessions_of_user, mails_recipient');
  }
}
