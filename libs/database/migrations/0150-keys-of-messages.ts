import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The Idempotency-Key that a message of a conversation was sent with: a repeated request writes it once. */
export class KeysOfMessages1766361600000 implements MigrationInterface {
  readonly name = 'KeysOfMessages1766361600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- null: sent without a key
      alter table support_entries add column request_key text check (length(request_key) between 1 and 255);
      -- visitors have no account, and each of them one conversation
      create unique index support_entries_request on support_entries (conversation_id, request_key, user_id)
        nulls not distinct where request_key is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table support_entries drop column request_key');
  }
}
